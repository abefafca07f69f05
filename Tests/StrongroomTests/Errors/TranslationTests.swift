import Strongroom
import StrongroomStores
import StrongroomSystem
import StrongroomVault
import Testing

/// The walls: every error from below keeps its meaning.
@Suite struct `Translation of errors` {
    private static let id = EntryID(Array("k".utf8))

    struct StoreCase: Sendable, CustomTestStringConvertible {
        let below: StoreError
        let above: StrongroomError
        var testDescription: String { "\(above)" }
    }

    static let storeCases: [StoreCase] = [
        StoreCase(below: .invalidID(id), above: .invalidKey(key: "k")),
        StoreCase(below: .conflict(id), above: .keyConflict(key: "k")),
        StoreCase(below: .conditionFailed(id), above: .changed(key: "k")),
        StoreCase(below: .damaged(id), above: .damaged(key: "k")),
        StoreCase(
            below: .storeDamaged(path: "/p", what: "w"), above: .storeDamaged(path: "/p", what: "w")
        ),
        StoreCase(
            below: .absent(path: "/p"),
            above: .storeDamaged(path: "/p", what: "there is no store")),
        StoreCase(below: .exists(path: "/p"), above: .exists(path: "/p", what: "a store")),
        StoreCase(below: .newerFormat(path: "/p"), above: .newerFormat(path: "/p")),
        StoreCase(below: .busy(path: "/p"), above: .busy(at: "/p")),
        StoreCase(below: .tooLarge(id, limit: 9), above: .valueTooLarge(key: "k", limit: 9)),
        StoreCase(below: .notOwner(path: "/p"), above: .noPermission(path: "/p")),
        StoreCase(below: .outcomeUnknown(path: "/p"), above: .outcomeUnknown(path: "/p")),
        StoreCase(below: system(ErrorCode.noSpace), above: .noSpace(path: "/p")),
        StoreCase(below: system(ErrorCode.quota), above: .noSpace(path: "/p")),
        StoreCase(below: system(ErrorCode.accessDenied), above: .noPermission(path: "/p")),
        StoreCase(below: system(ErrorCode.notPermitted), above: .noPermission(path: "/p")),
        StoreCase(below: system(ErrorCode.readOnly), above: .readOnly(path: "/p")),
        StoreCase(
            below: system(ErrorCode.io),
            above: .system(operation: "write", path: "/p", code: ErrorCode.io)),
    ]

    private static func system(_ code: Int32) -> StoreError {
        .system(operation: "write", path: "/p", code: code)
    }

    @Test("A store's error keeps its meaning", arguments: storeCases)
    func store(_ example: StoreCase) { #expect(StrongroomError(example.below) == example.above) }

    struct VaultCase: Sendable, CustomTestStringConvertible {
        let below: VaultError
        let above: StrongroomError
        var testDescription: String { "\(above)" }
    }

    static let vaultCases: [VaultCase] = [
        VaultCase(below: .noVault(path: "/p"), above: .noVault(path: "/p")),
        VaultCase(below: .masterKeyMissing(path: "/p"), above: .masterKeyMissing(path: "/p")),
        VaultCase(
            below: .masterKeyExposed(path: "/p", reason: "r"),
            above: .masterKeyExposed(path: "/p", reason: "r")),
        VaultCase(
            below: .masterKeyMalformed(path: "/p", reason: "r"),
            above: .masterKeyMalformed(path: "/p", reason: "r")),
        VaultCase(below: .wrongMasterKey(path: "/p"), above: .wrongMasterKey(path: "/p")),
        VaultCase(below: .wrongPassphrase(path: "/p"), above: .wrongPassphrase(path: "/p")),
        VaultCase(below: .passphraseMissing(path: "/p"), above: .passphraseMissing(path: "/p")),
        VaultCase(
            below: .wrongApp(expected: "a", found: "b"), above: .wrongApp(expected: "a", found: "b")
        ),
        VaultCase(below: .invalidKey(key: "k"), above: .invalidKey(key: "k")),
        VaultCase(below: .noEntry(key: "k"), above: .noValue(key: "k")),
        VaultCase(below: .damaged(key: "k"), above: .damaged(key: "k")),
        VaultCase(
            below: .vaultDamaged(path: "/p", what: "w"), above: .storeDamaged(path: "/p", what: "w")
        ),
        VaultCase(
            below: .tampered(path: "/p", what: "w"), above: .tampered(path: "/p", what: "w")),
        VaultCase(
            below: .rolledBack(path: "/p", what: "w"), above: .rolledBack(path: "/p", what: "w")),
        VaultCase(below: .newerFormat(path: "/p"), above: .newerFormat(path: "/p")),
        VaultCase(below: .exists(path: "/p", what: "w"), above: .exists(path: "/p", what: "w")),
        VaultCase(below: .notPossible(what: "w"), above: .notPossible(what: "w")),
        VaultCase(below: .changed(key: "k"), above: .changed(key: "k")),
        VaultCase(
            below: .valueTooLarge(key: "k", limit: 9), above: .valueTooLarge(key: "k", limit: 9)),
        VaultCase(below: .busy(path: "/p"), above: .busy(at: "/p")),
        VaultCase(below: .cancelled, above: .cancelled),
        VaultCase(below: .outcomeUnknown(path: "/p"), above: .outcomeUnknown(path: "/p")),
        VaultCase(below: .notOwner(path: "/p"), above: .noPermission(path: "/p")),
        VaultCase(
            below: .system(operation: "write", path: "/p", code: ErrorCode.noSpace),
            above: .noSpace(path: "/p")),
        VaultCase(
            below: .system(operation: "write", path: "/p", code: ErrorCode.readOnly),
            above: .readOnly(path: "/p")),
    ]

    @Test("A vault's error keeps its meaning", arguments: vaultCases)
    func vault(_ example: VaultCase) { #expect(StrongroomError(example.below) == example.above) }
}

import StrongroomSystem

@testable import StrongroomStores
@testable import StrongroomVault

/// Names: of keys, files, apps.
enum NameTargets {
    private static let escapings = [KeyEscaping(), KeyEscaping(foldsCase: true)]

    /// A key's text becomes names of files, and these the same key.
    static func key(_ input: [UInt8]) throws {
        guard let text = String(validating: input, as: UTF8.self), let key = KeyText(text) else {
            return
        }
        expect(KeyText(key.text) == key && key.text == text, "a normal form has another one")
        expect((1...KeyText.byteCountLimit).contains(key.bytes.count), "a key of another length")
        for escaping in escapings {
            let names = escaping.names(of: key)
            expect(!names.isEmpty, "a key without a file")
            for name in names {
                expect((1...240).contains(name.bytes.count), "a name that a disk does not take")
                expect(
                    name != "." && name != ".." && !name.bytes.contains(0)
                        && !name.bytes.contains(UInt8(ascii: "/")), "a name that leads elsewhere")
            }
            expect(escaping.key(of: names) == key, "a key does not come back")
            expect(!isStores(names[names.count - 1]), "a key has the name of the store's own file")
        }
    }

    /// Names of files, between slashes, are a key's only if they are the ones that it has.
    static func path(_ input: [UInt8]) throws {
        let names = input.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { Path(bytes: Array($0)) }
        for escaping in escapings {
            guard let key = escaping.key(of: names) else { continue }
            expect(escaping.names(of: key) == names, "two paths are one key's")
        }
        if let generation = StoreName.generation(of: names[0]) {
            expect(StoreName.generation(generation) == names[0], "two names of one generation")
        }
    }

    /// True for a name that the store has for itself.
    private static func isStores(_ name: Path) -> Bool {
        [StoreName.lock, StoreName.gate, StoreName.record, StoreName.staged].contains(name)
            || StoreName.isTemporary(name)
    }

    /// The names of a vault's files.
    static func base32(_ input: [UInt8]) throws {
        expect(Base32.decode(Base32.encode(input)) == input, "bytes do not come back")
        if let bytes = Base32.decode(input) {
            expect(Base32.encode(bytes) == input, "two names stand for one id")
        }
    }

    /// Ids of apps, as its two judges have them.
    static func appID(_ input: [UInt8]) throws {
        guard let text = String(validating: input, as: UTF8.self) else { return }
        let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        let others = letters.union(Array("._-".utf8))
        let isRight =
            (1...128).contains(input.count) && letters.contains(input[0])
            && input.allSatisfy { others.contains($0) }
        expect(AppID.isValid(text) == isRight, "an app's id is judged wrongly")
        let keyring = Keyring(
            vaultID: Frozen.keyring.vaultID, app: text, layout: .log, generation: 1,
            state: .settled, current: Frozen.dataKey, next: nil, retired: [],
            wrapIDs: [Frozen.master.id])
        let body = KeyringBody(keyringID: [UInt8](repeating: 0, count: 28), keyring: keyring)
        expect(body.isSound == isRight, "an app's id in a keyring is judged wrongly")
    }
}

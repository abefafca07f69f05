import StrongroomCrypto
import StrongroomSystem
import Synchronization
import Testing

@testable import StrongroomVault

/// Calls that fail, in a process that lives on.
@Suite(.bothLayouts) struct FaultTests {
    static let commits: [Named<KilledOperation>] = [
        Named(
            "set",
            KilledOperation(run: { vault, _ in try vault.set("a", "one") }, endsOldKey: false)),
        Named(
            "a commit of several",
            KilledOperation(
                run: { vault, _ in
                    try vault.commit([.set("a", "one"), .set("folder/b", "two")], if: [:])
                }, endsOldKey: false)),
        Named(
            "a streamed set",
            KilledOperation(
                run: { vault, _ in
                    try vault.write("a", attributes: [:], if: nil) {
                        try $0.write(Array("one".utf8).span)
                    }
                }, endsOldKey: false)),
    ]

    static let codes = [
        Named("no space", ErrorCode.noSpace), Named("an I/O error", ErrorCode.io),
    ]

    @Test(arguments: KillTests.operations + commits, codes)
    func `one call that fails, whichever it is, is an error and loses nothing`(
        _ named: Named<KilledOperation>, _ code: Named<Int32>
    ) throws {
        let operation = named.value
        let template = try KillTests.template(operation)
        let tree = try Tree.files(template.root)
        // Every call where all is explored, else some.
        let stride = TestLength.count(5, long: 1)
        var number = Int.random(in: 0..<stride)
        while true {
            let place = try TemporaryVault()
            try Tree.restore(tree, to: place.root)
            let failing = FailingCall(number: number, code: code.value)
            let fileSystem = WatchingFileSystem(refusing: { failing.refuse($0) })
            let vault = KillTests.vault(place, fileSystem, operation)
            let comment: Comment = "call \(number)"
            var thrown: VaultError?
            do {
                try operation.run(vault, place)
            } catch {
                thrown = error as? VaultError
                #expect(thrown != nil, "\(error)")
            }
            guard failing.hasFailed else { break }
            for reader in [vault, KillTests.vault(place, KillingFileSystem.unsynced, operation)] {
                for (key, value) in KillTests.values {
                    #expect(try reader.get(key) == value, comment)
                }
            }
            // The same process goes on, and what failed is done again.
            try vault.set("later", "late")
            if thrown != nil { try operation.run(vault, place) }
            let other = KillTests.vault(place, KillingFileSystem.unsynced, operation)
            for (key, value) in KillTests.values {
                #expect(try other.get(key) == value, comment)
            }
            #expect(try other.get("later") == "late", comment)
            let kinds = Set(try other.check(progress: nil).findings.map { $0.kind })
            #expect(kinds.isSubset(of: [.leftover]), comment)
            #expect(try other.repair(drop: nil, progress: nil).findings.allSatisfy { $0.repaired })
            number += stride
        }
        #expect(number > 3)
    }

    @Test(.layout(.files)) func `a full disk is called that, and the old value is there`() throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "old")
        let full = WatchingFileSystem(refusing: { call in
            call.operation == "write" || call.operation == "create" ? ErrorCode.noSpace : nil
        })
        let vault = place.vault { $0.fileSystem = full }
        for use in [
            { try vault.set("a", "new") }, { try vault.set("b", "new") },
            { _ = try vault.rotate(RotationOptions()) },
            { _ = try vault.rewrap(RotationOptions()) },
            { try vault.write("a", attributes: [:], if: nil) { try $0.write([1].span) } },
        ] {
            guard case .system(_, _, let code) = failure(use) else {
                Issue.record("it was called something else")
                continue
            }
            #expect(code == ErrorCode.noSpace)
        }
        #expect(try vault.get("a") == "old")
        #expect(try place.vault().keyList == ["a"])
        #expect(try place.vault().rotate(RotationOptions()).entryCount == 1)
    }
}

/// Lets one call fail, the one of that number among those that change something or sync it.
final class FailingCall: Sendable {
    private let number: Int
    private let code: Int32
    private let count = Mutex(0)

    init(number: Int, code: Int32) {
        self.number = number
        self.code = code
    }

    var hasFailed: Bool { count.withLock { $0 > number } }

    func refuse(_ call: WatchingFileSystem.Call) -> Int32? {
        if call.operation == "lock" { return nil }
        return count.withLock { count in
            defer { count += 1 }
            return count == number ? code : nil
        }
    }
}

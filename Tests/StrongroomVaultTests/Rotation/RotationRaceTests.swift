import StrongroomCrypto
import StrongroomStores
import StrongroomSystem
import Synchronization
import Testing

@testable import StrongroomVault

/// Threads of one process, each with a vault object of its own or all with one, while it is rotated.
@Suite(.bothLayouts) struct RotationRaceTests {
    /// Runs `bodies` at once, each on a thread of its own, and throws what one of them threw.
    static func atOnce(_ bodies: [@Sendable () throws -> Void]) throws {
        let state = Monitor<(left: Int, errors: [String])>((bodies.count, []))
        for body in bodies {
            try Threads.start(name: "test") {
                var errors: [String] = []
                do {
                    try body()
                } catch {
                    errors.append("\(error)")
                }
                state.change { state in
                    state.left -= 1
                    state.errors += errors
                }
            }
        }
        let errors = state.wait(until: nil) { $0.left == 0 ? $0.errors : nil }
        #expect(errors == [])
    }

    static let forms = [Named("files", true), Named("memory", false)]

    @Test(arguments: forms)
    func `threads read, write, list and rotate one vault at once`(_ form: Named<Bool>) throws {
        let place = try TemporaryVault()
        let memory = Vault(
            .inMemory(
                app: "com.example.app", fileSystem: RealFileSystem(), now: { Clock.now() }))
        // In memory there is one object for all; over files each thread opens the vault as a process would.
        func vault() -> Vault { form.value ? place.vault() : memory }
        let first = vault()
        for index in 0..<10 { try first.set("k\(index)", "0") }
        let isDone = Mutex(false)
        var bodies: [@Sendable () throws -> Void] = []
        for thread in 0..<3 {
            let reader = vault()
            bodies.append {
                while !isDone.withLock({ $0 }) {
                    for index in 0..<10 where try reader.get("k\(index)") == nil {
                        Issue.record("k\(index) was missed")
                    }
                    let listing = try reader.list()
                    #expect(listing.damaged == [])
                    #expect(listing.entries.count >= 10)
                }
            }
            let writer = vault()
            bodies.append {
                var number = 0
                while !isDone.withLock({ $0 }) {
                    number += 1
                    try writer.set("k\(thread)", "\(number)")
                    let read = try writer.get("k\(thread)")
                    #expect(read == "\(number)")
                    try writer.write("s\(thread)", attributes: [:], if: nil) {
                        try $0.write(Array("\(number)".utf8).span)
                    }
                    let streamed = try writer.get("s\(thread)")
                    #expect(streamed == "\(number)")
                }
            }
        }
        let rotating = vault()
        bodies.append {
            defer { isDone.withLock { $0 = true } }
            for round in 0..<TestLength.count(6, long: 100) {
                if round % 3 == 2 {
                    _ = try rotating.rewrap(RotationOptions())
                } else {
                    let report = try rotating.rotate(RotationOptions())
                    #expect(report.damaged == [])
                }
            }
        }
        try Self.atOnce(bodies)
        #expect(try vault().check(progress: nil).findings == [])
    }

    @Test(arguments: forms)
    func `threads that begin at once make one vault`(_ form: Named<Bool>) throws {
        for _ in 0..<TestLength.count(3, long: 50) {
            let place = try TemporaryVault()
            let memory = Vault(
                .inMemory(
                    app: "com.example.app", fileSystem: RealFileSystem(), now: { Clock.now() }))
            func vault() -> Vault { form.value ? place.vault() : memory }
            var bodies: [@Sendable () throws -> Void] = []
            for index in 0..<8 {
                let vault = vault()
                bodies.append { try vault.set("k\(index)", "\(index)") }
            }
            try Self.atOnce(bodies)
            #expect(try vault().keyList.count == 8)
        }
    }

    @Test func `two rotations at once come one after the other`() throws {
        let place = try TemporaryVault()
        for index in 0..<5 { try place.vault().set("k\(index)", "\(index)") }
        let (one, other) = (place.vault(), place.vault())
        try Self.atOnce([
            { _ = try one.rotate(RotationOptions()) }, { _ = try other.rotate(RotationOptions()) },
        ])
        #expect(try place.vault().status().keyringGeneration == 5)
        for index in 0..<5 { #expect(try place.vault().get("k\(index)") == "\(index)") }
    }

    @Test func `an update by version is never lost to a rotation`() throws {
        let place = try TemporaryVault()
        try place.vault().set("n", "0")
        let total = TestLength.count(40, long: 500)
        var bodies: [@Sendable () throws -> Void] = []
        let isDone = Mutex(0)
        for _ in 0..<2 {
            let vault = place.vault()
            bodies.append {
                defer { isDone.withLock { $0 += 1 } }
                var done = 0
                while done < total {
                    guard let entry = try vault.read("n") else { return }
                    let text = String(decoding: entry.value.copyToArray(), as: UTF8.self)
                    let number = Int(text) ?? 0
                    do {
                        try vault.commit([.set("n", "\(number + 1)")], if: ["n": entry.version])
                        done += 1
                    } catch {
                        guard case VaultError.changed = error else { throw error }
                    }
                }
            }
        }
        let rotating = place.vault()
        bodies.append {
            while isDone.withLock({ $0 }) < 2 { _ = try rotating.rotate(RotationOptions()) }
        }
        try Self.atOnce(bodies)
        #expect(try place.vault().get("n") == "\(2 * total)")
    }
}

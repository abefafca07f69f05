import StrongroomCrypto
import StrongroomSystem
import Synchronization
import Testing

@testable import StrongroomVault

/// The lock on the key file's directory, between vaults whose keys lie beside each other.
@Suite struct DirectoryLockTests {
    @Test func `a vault waits while another changes a key in the same directory`() throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        let held = try DirectoryLock(place.root, waitSeconds: 1, fileSystem: RealFileSystem())
        let busy = VaultError.busy(path: place.root.description)
        #expect(
            failure { _ = try place.vault { $0.waitSeconds = 0 }.rotate(RotationOptions()) }
                == busy)
        #expect(try place.vault().get("a") == "1")
        try place.vault { $0.waitSeconds = 0 }.set("a", "2")
        let isDone = Monitor(false)
        let vault = place.vault()
        try Threads.start(name: "rotate") {
            let error = failure { _ = try vault.rotate(RotationOptions()) }
            isDone.change { $0 = error == nil }
        }
        held.release()
        let deadline = Clock.deadline(afterSeconds: 20)
        #expect(isDone.wait(until: deadline) { $0 ? true : nil } == true)
        #expect(try place.vault().get("a") == "2")
    }

    static let refusals = [
        Named("EBADF", ErrorCode.badDescriptor), Named("ENOLCK", ErrorCode.noLocks),
        Named("EOPNOTSUPP", ErrorCode.notSupported),
    ]

    @Test(arguments: refusals)
    func `where a directory cannot be locked a file in it is`(_ refusal: Named<Int32>) throws {
        let place = try TemporaryVault()
        let root = place.root
        let code = refusal.value
        let network = WatchingFileSystem(refusing: { call in
            call.operation == "lock" && call.path == root ? code : nil
        })
        let vault = place.vault { $0.fileSystem = network }
        try vault.set("a", "1")
        _ = try vault.rotate(RotationOptions())
        #expect(try vault.get("a") == "1")
        let held = try DirectoryLock(root, waitSeconds: 1, fileSystem: network)
        let quick = place.vault {
            $0.fileSystem = network
            $0.waitSeconds = 0
        }
        #expect(
            failure { _ = try quick.rotate(RotationOptions()) }
                == .busy(path: root.appending(DirectoryLock.fileName).description))
        held.release()
        _ = try quick.rotate(RotationOptions())
    }
}

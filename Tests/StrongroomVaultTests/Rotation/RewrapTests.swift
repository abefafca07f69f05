import StrongroomCrypto
import StrongroomStores
import StrongroomSystem
import Synchronization
import Testing

@testable import StrongroomVault

@Suite(.bothLayouts) struct RewrapTests {
    @Test func `a rewrap changes the master key and leaves data key and entries as they are`()
        throws
    {
        let place = try TemporaryVault()
        for index in 0..<5 { try place.vault().set("k\(index)", "\(index)") }
        let before = try #require(try place.vault().opened())
        let entries = try place.allSealed()
        let old = try Tree.read(place.key)
        let report = try place.vault().rewrap(RotationOptions())
        #expect(report.entryCount == 0)
        #expect(report.oldKeyID == Hexadecimal.text(of: before.masterKey.id))
        #expect(report.newKeyID != report.oldKeyID)
        let after = try #require(try place.vault().opened())
        #expect(after.current.id == before.current.id)
        #expect(after.keyring.generation == before.keyring.generation + 1)
        #expect(try place.allSealed() == entries)
        #expect(try place.vault().get("k3") == "3")
        try Tree.write(old, to: place.key)
        #expect(
            failure { _ = try place.vault().get("k3") }
                == .wrongMasterKey(path: place.key.description))
    }

    @Test func `an unfinished rewrap is finished before a rotation starts`() throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        try RotationTests.interrupt(place, before: "rename", "master.key") {
            _ = try $0.rewrap(RotationOptions())
        }
        #expect(try place.vault().status().rotation == .unfinished)
        #expect(try place.vault().get("a") == "1")
        let id = try place.vault().masterKeyID()
        let report = try place.vault().rotate(RotationOptions())
        #expect(report.oldKeyID == id)
        #expect(!report.wasResumed)
        #expect(try place.vault().get("a") == "1")
        #expect(try !Tree.exists(place.nextKey))
    }

    @Test
    func
        `a move of the key that another may not have synced is synced before its old name is written`()
        throws
    {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        let calls = Mutex<[String]>([])
        let watching = WatchingFileSystem(after: { call in
            calls.withLock { $0.append("\(call.operation) \(call.path)") }
        })
        _ = try place.vault { $0.fileSystem = watching }.rewrap(RotationOptions())
        let made = calls.withLock { $0 }
        let next = try #require(made.firstIndex(of: "create master.key.next"))
        #expect(made[..<next].contains("sync master.key"))
        #expect(made[..<next].contains("sync \(place.root)"))
    }
}

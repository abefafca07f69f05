import StrongroomCrypto
import StrongroomStores
import StrongroomSystem
import Synchronization
import Testing

@testable import StrongroomVault

/// Who had the old master key keeps a copy of the vault's directory at every state of a rotation.
@Suite(.bothLayouts) struct KeptCopiesTests {
    /// The copies that were kept, in order, without repetition.
    final class Copies: Sendable {
        private let kept = Mutex<[[Path: [UInt8]]]>([])

        var all: [[Path: [UInt8]]] { kept.withLock { $0 } }

        func keep(_ directory: Path) {
            // A file that goes while it is copied is in the copy before.
            guard let copy = try? Tree.files(directory) else { return }
            kept.withLock { kept in
                if !kept.contains(copy) { kept.append(copy) }
            }
        }
    }

    static let forms = [Named("rotate", true), Named("begin and finish", false)]

    @Test(arguments: forms)
    func `the old master key opens nothing that was set after the switch, with any copies together`(
        _ form: Named<Bool>
    ) throws {
        let place = try TemporaryVault()
        let first = place.vault()
        try first.set("before", "old news")
        let oldKey = try Tree.read(place.key)
        let copies = Copies()
        let directory = place.directory
        let new = place.root.appending("new.key")

        // Between the switch (step 4) and the keyring without the old data key (step 5) somebody sets a value.
        let writer = place.vault { configuration in
            if !form.value { configuration.masterKey = .file(new, isCredential: false) }
        }
        let failure = Mutex<String?>(nil)
        let isSwitched = Mutex(false)
        let storeName = place.storeName
        let watching = WatchingFileSystem(
            before: { call in
                guard call.operation == "create", call.path == "keyring.%new",
                    isSwitched.withLock({ $0 })
                else { return }
                do {
                    try writer.set("between", "secret 1")
                } catch {
                    failure.withLock { $0 = "\(error)" }
                }
            },
            after: { call in
                if call.operation == "rename", call.path == storeName {
                    isSwitched.withLock { $0 = true }
                }
                copies.keep(directory)
            })
        let rotating = place.vault { configuration in
            configuration.fileSystem = watching
            if !form.value { configuration.masterKey = .file(new, isCredential: false) }
        }
        copies.keep(directory)
        if form.value {
            _ = try rotating.rotate(RotationOptions())
        } else {
            try first.beginRotation(newKeyFile: new, RotationOptions())
            copies.keep(directory)
            _ = try rotating.finishRotation(RotationOptions())
        }
        #expect(failure.withLock { $0 } == nil)
        #expect(try writer.get("between") == "secret 1")
        try writer.set("after", "secret 2")
        copies.keep(directory)
        #expect(copies.all.count > 10)

        try Self.expectNoDataKeyOpens(copies.all, oldKey)
        try Self.expectNoCombinationOpens(copies.all, oldKey)
    }

    /// With each data key that the old master key gives, each file of each copy is tried for each name.
    static func expectNoDataKeyOpens(
        _ copies: [[Path: [UInt8]]], _ oldKey: [UInt8]
    ) throws {
        let key = try MasterKeyFile(parsing: oldKey.span, path: "old").open(
            passphrase: nil, path: "old")
        var dataKeys: [DataKey] = []
        for keyring in Set(copies.compactMap { $0["keyring"] }) {
            do {
                let opened = try Keyring(opening: keyring.span, with: key, path: "keyring")
                dataKeys += opened.dataKeys
            } catch {
                guard case .wrongMasterKey = error else { throw error }
            }
        }
        #expect(!dataKeys.isEmpty)
        var isOldNewsOpen = false
        // Values as short as these make entries of 190 bytes, in files of their own or in a log.
        var files = Set(copies.flatMap { $0.values })
        for file in files {
            for start in file.indices.dropLast(189)
            where file[start...].starts(with: Array("SRE1".utf8)) {
                files.insert(Array(file[start..<start + 190]))
            }
        }
        for dataKey in dataKeys {
            for name in ["before", "between", "after"] {
                for file in files {
                    guard
                        let value = try? SealedEntry.openValue(
                            file.span, key: name, name: try dataKey.name(name), with: dataKey)
                    else { continue }
                    #expect(name == "before")
                    #expect(value.copyToArray() == Array("old news".utf8))
                    isOldNewsOpen = true
                }
            }
        }
        #expect(isOldNewsOpen, "the copies from before the rotation open, or nothing was tried")
    }

    /// Directories put together of a keyring, a file `entries` and generations from any of the copies, opened by the
    /// vault itself with the old key.
    static func expectNoCombinationOpens(
        _ copies: [[Path: [UInt8]]], _ oldKey: [UInt8]
    ) throws {
        let keyrings = Set(copies.compactMap { $0["keyring"] })
        let generations = Set(copies.compactMap { $0["entries"] ?? $0["log"] })
        var everything: [Path: [UInt8]] = [:]
        for copy in copies { everything.merge(copy) { $1 } }
        let contents = [everything] + copies
        for keyring in keyrings {
            for generation in generations {
                for content in contents {
                    let place = try TemporaryVault()
                    var files = content
                    files["keyring"] = keyring
                    files[place.storeName] = generation
                    try Tree.restore(files, to: place.directory)
                    try Tree.write(oldKey, to: place.key)
                    let vault = place.vault()
                    for name in ["between", "after"] {
                        do {
                            #expect(try vault.get(name) == nil)
                        } catch {
                            // Any error will do, and it holds no value.
                            #expect(!"\(error)".contains("secret"))
                        }
                    }
                }
            }
        }
    }
}

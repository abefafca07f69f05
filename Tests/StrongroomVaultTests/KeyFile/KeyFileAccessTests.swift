import Glibc
import StrongroomCrypto
import StrongroomSystem
import Testing

@testable import StrongroomVault

@Suite struct KeyFileAccessTests {
    static let exposed: [Named<UInt16>] = [
        Named("0640", 0o640), Named("0604", 0o604), Named("0444", 0o444), Named("0666", 0o666),
    ]

    @Test(arguments: exposed)
    func `a key file that others can read is refused, naming the mode`(_ mode: Named<UInt16>) throws
    {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        try Self.change(place.key, to: mode.value)
        let refusal = VaultError.masterKeyExposed(
            path: place.key.description,
            reason: "its mode \(mode.testDescription) lets others than its owner read it")
        #expect(failure { _ = try place.vault().get("a") } == refusal)
        #expect(failure { try place.vault().set("b", "2") } == refusal)
        #expect(failure { _ = try place.vault().rotate(RotationOptions()) } == refusal)
        try Self.change(place.key, to: 0o400)
        #expect(try place.vault().get("a") == "1")
    }

    @Test func `a credential may be read by its group, and by nobody else`() throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        let credential = place.vault { $0.masterKey = .file(place.key, isCredential: true) }
        try Self.change(place.key, to: 0o440)
        #expect(try credential.get("a") == "1")
        try Self.change(place.key, to: 0o444)
        guard
            case .masterKeyExposed = failure({
                _ = try place.vault { $0.masterKey = .file(place.key, isCredential: true) }.get("a")
            })
        else {
            Issue.record("it was taken")
            return
        }
    }

    @Test
    func `a key file of somebody else is refused, but root's and the container owner's are taken`()
        throws
    {
        guard Identity.isRoot else { return }
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        try #require(unsafe chown(place.key.description, 4711, 4711) == 0)
        #expect(
            failure { _ = try place.vault().get("a") }
                == .masterKeyExposed(
                    path: place.key.description, reason: "it belongs to user 4711"))
        try #require(unsafe chown(place.directory.description, 4711, 4711) == 0)
        #expect(try place.vault().get("a") == "1")
    }

    static let degenerate: [Named<@Sendable (Path) throws -> Void>] = [
        Named("empty") { try Tree.write([], to: $0) },
        Named("31 bytes") { try Tree.write([UInt8](repeating: 0, count: 31), to: $0) },
        Named("32 zero bytes") { try Tree.write([UInt8](repeating: 0, count: 32), to: $0) },
        Named("33 bytes") { try Tree.write([UInt8](repeating: 7, count: 33), to: $0) },
        Named("65 KiB") { try Tree.write([UInt8](repeating: 35, count: 65 << 10), to: $0) },
        Named("a directory") {
            try RealFileSystem().makeDirectory($0, at: nil, mode: 0o700)
        },
        Named("a dangling link") {
            try #require(unsafe symlink("/nowhere/at/all", $0.description) == 0)
        },
        Named("a link to itself") {
            try #require(unsafe symlink($0.description, $0.description) == 0)
        },
        Named("a FIFO") { try #require(unsafe mkfifo($0.description, 0o600) == 0) },
        Named("a socket") { path in
            let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(number) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            unsafe withUnsafeMutableBytes(of: &address.sun_path) {
                unsafe $0.copyBytes(from: Array(path.description.utf8))
            }
            let size = socklen_t(MemoryLayout<sockaddr_un>.size)
            let result = unsafe withUnsafePointer(to: &address) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(number, $0, size)
                }
            }
            try #require(result == 0)
        },
        Named("mode 000") { path in
            try Tree.write([UInt8](repeating: 35, count: 40), to: path)
            try change(path, to: 0)
        },
    ]

    @Test(arguments: degenerate)
    func `what is no key file is refused at once and left alone, with and without a vault`(
        _ make: Named<@Sendable (Path) throws -> Void>
    ) throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        let aside = place.root.appending("aside")
        try Tree.move(place.key, to: aside)
        try make.value(place.key)
        let start = Clock.monotonic()
        func expectRefusal(_ use: () throws -> Void) {
            switch failure(use) {
            case .masterKeyMalformed, .system: break
            case let other: Issue.record("\(String(describing: other))")
            }
        }
        expectRefusal { _ = try place.vault().get("a") }
        expectRefusal { try place.vault().set("b", "2") }
        expectRefusal { _ = try place.vault().rotate(RotationOptions()) }
        // Without a vault: not taken for one, not replaced by a fresh one.
        let other = try TemporaryVault()
        let lone = other.vault { $0.masterKey = .file(place.key, isCredential: false) }
        expectRefusal { try lone.set("a", "1") }
        #expect(try !Tree.exists(other.keyring))
        #expect(Clock.monotonic() - start < 2_000_000_000)
        if make.testDescription == "a directory" {
            try RealFileSystem().removeDirectory(place.key, at: nil)
        } else {
            try Tree.unlink(place.key)
        }
        try Tree.move(aside, to: place.key)
        #expect(try place.vault().get("a") == "1")
    }

    @Test func `a key saved again by an editor is the same key`() throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        let text = String(decoding: try Tree.read(place.key), as: UTF8.self)
        let saved = [
            text + "\n\n", text.replacing("\n", with: "\r\n"), "\u{FEFF}" + text,
            text.replacing("\n", with: "  \n"), "# mine\n" + text + "# end",
        ]
        for text in saved {
            try Tree.write(Array(text.utf8), to: place.key)
            #expect(try place.vault().get("a") == "1")
        }
    }

    /// Sets the mode past the umask.
    static func change(_ path: Path, to mode: UInt16) throws {
        try #require(unsafe chmod(path.description, mode_t(mode)) == 0)
    }
}

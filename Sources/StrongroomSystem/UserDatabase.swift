/// What the system knows of its users.
///
/// Nothing is asked of getpwuid_r(3): it loads modules into the process, which a static program does not survive.
package enum UserDatabase {
    /// How long a directory server may take to answer.
    private static let answerSeconds = 5.0
    /// More than any file of users has.
    private static let fileByteCountLimit = 1 << 26
    private static let lineByteCountLimit = 1 << 16

    /// The home directory of a user, nil if there is no such user or he has none.
    ///
    /// The file of users says (passwd(5)), and of whom it does not know getent(1), which may ask a directory server; so
    /// it is asked only where `HOME` does not say.
    package static func homeDirectory(of user: UInt32) -> Path? {
        homeDirectory(of: user, file: "/etc/passwd", program: "/usr/bin/getent")
    }

    /// The same, from a file and a program that are given.
    package static func homeDirectory(of user: UInt32, file: Path, program: Path) -> Path? {
        let entry = entry(of: user, in: read(file)) ?? entry(of: user, in: ask(program, user))
        guard let home = entry?.home, !home.bytes.isEmpty else { return nil }
        return home
    }

    /// The first line of `text` that is the user's; one without its line end is none.
    private static func entry(of user: UInt32, in text: [UInt8]) -> UserEntry? {
        var rest = text[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            if let entry = UserEntry(line: rest[..<end]), entry.user == user { return entry }
            rest = rest[(end + 1)...]
        }
        return nil
    }

    /// The bytes of the file and a line end; of a file that cannot be read there are none.
    private static func read(_ path: Path) -> [UInt8] {
        do {
            let file = try OpenFile.open(path, [.read, .followLink], fileSystem: RealFileSystem())
            return try file.readAll(limit: fileByteCountLimit) + [UInt8(ascii: "\n")]
        } catch {
            return []
        }
    }

    /// What `getent passwd USER` prints; nothing if it fails.
    private static func ask(_ program: Path, _ user: UInt32) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: lineByteCountLimit)
        do {
            var span = buffer.mutableSpan
            let outcome = try Subprocess.capture(
                program: program, arguments: ["getent", "passwd", Path("\(user)")],
                timeoutSeconds: answerSeconds, into: &span)
            return outcome.ending == .status(0) ? Array(buffer[..<outcome.byteCount]) : []
        } catch {
            return []
        }
    }
}

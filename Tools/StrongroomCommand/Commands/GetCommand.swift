import Strongroom
import StrongroomCrypto
import StrongroomSystem
import StrongroomVault

/// `get`: the exact bytes of a value.
enum GetCommand {
    /// Up to this size a value is verified whole before its first byte is written.
    static let wholeByteCount: UInt64 = 1 << 20

    /// Runs it.
    static func run(_ session: Session) throws(Failure) {
        let key = try session.key(at: 0)
        let output = try session.invocation.path(.output)
        let place = try session.place()
        guard let pieces = try place.open(key) else { throw Failure.noEntry(key) }
        if let output {
            try write(pieces, to: output, session)
        } else if session.console.outputIsTerminal {
            try show(pieces, key, place, session)
        } else if pieces.byteCount <= wholeByteCount {
            try SecretBytes(whole(pieces)).withBytes { (bytes) throws(Failure) in
                try session.console.write(bytes)
            }
        } else {
            while let piece = try pieces.next() {
                try piece.withBytes { (bytes) throws(Failure) in
                    try session.console.write(bytes)
                }
            }
        }
    }

    /// All of the value, verified.
    static func whole(_ pieces: any EntryPieces) throws(Failure) -> SecretBuffer {
        var value = SecretBuffer(byteCount: Int(pieces.byteCount))
        var count = 0
        while let piece = try pieces.next() {
            value.overwrite(at: count, with: piece)
            count += piece.buffer.byteCount
        }
        return value
    }

    private static func write(
        _ pieces: any EntryPieces, to path: Path, _ session: Session
    ) throws(Failure) {
        let file = try OutputFile(path, fileSystem: session.fileSystem)
        let interruption = session.watchedInterruption()
        while let piece = try pieces.next() {
            try interruption.check()
            try piece.withBytes { (bytes) throws(Failure) in try file.write(bytes) }
        }
        try file.finish()
    }

    /// On a terminal: nothing that steers it, and a newline at the end.
    private static func show(
        _ first: any EntryPieces, _ key: String, _ place: any EntryPlace, _ session: Session
    ) throws(Failure) {
        var pieces = first
        if !session.invocation.has(.force) {
            // Two passes, because all of it is judged before any of it is shown.
            repeat {
                let version = try pieces.version()
                var judge = TerminalJudge()
                while let piece = try pieces.next() {
                    piece.withBytes { bytes in judge.look(at: bytes) }
                }
                guard judge.isPlain else {
                    throw Failure(
                        .failed, key,
                        "the value has control characters and is not shown on a terminal",
                        advice: "use --output FILE or --force")
                }
                guard let again = try place.open(key) else { throw Failure.noEntry(key) }
                pieces = again
                if try pieces.version() == version { break }
            } while true
        }
        var last: UInt8?
        while let piece = try pieces.next() {
            try piece.withBytes { (bytes) throws(Failure) in
                if bytes.count > 0 { last = bytes[bytes.count - 1] }
                try session.console.write(bytes)
            }
        }
        if last != UInt8(ascii: "\n") { try session.console.write("\n") }
    }
}

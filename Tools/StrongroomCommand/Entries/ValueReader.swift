import StrongroomCrypto
import StrongroomSystem

/// Reads a value from a file or stream in pieces of 64 KiB, exactly as it comes, or without one final newline.
///
/// No more than a piece is in memory, and each is wiped.
struct ValueReader: ~Copyable {
    private let fileSystem: any FileSystem
    private let descriptor: Descriptor
    private let name: String
    private let dropsFinalNewline: Bool
    private let interruption: Interruption
    private var held: [UInt8] = []
    private var atEnd = false
    private var newlineCount = 0
    private var endsInNewline = false

    /// Bytes of a piece at most.
    static let pieceByteCount = 65_536

    /// A reader of `descriptor`; `name` is for messages.
    init(
        _ descriptor: Descriptor, name: String, dropsFinalNewline: Bool,
        fileSystem: any FileSystem, interruption: Interruption
    ) {
        self.descriptor = descriptor
        self.name = name
        self.dropsFinalNewline = dropsFinalNewline
        self.fileSystem = fileSystem
        self.interruption = interruption
    }

    deinit {
        var held = held
        wipe(&held)
    }

    /// True if what was read is one line that ends in a newline.
    var isOneLineWithNewline: Bool { newlineCount == 1 && endsInNewline }

    /// The next piece, nil after the last.
    mutating func next() throws(Failure) -> SecretBuffer? {
        guard !atEnd else { return nil }
        var piece = SecretBuffer(byteCount: held.count + Self.pieceByteCount)
        var span = piece.mutableBytes
        for index in held.indices { span[index] = held[index] }
        let heldCount = held.count
        wipe(&held)
        var room = span._mutatingExtracting(heldCount..<span.count)
        let count = try read(into: &room)
        piece.shorten(to: heldCount + count)
        if dropsFinalNewline {
            trim(&piece)
        } else {
            look(at: piece.bytes)
        }
        if piece.byteCount == 0 { return nil }
        return piece
    }

    /// Holds back what may be a final newline (LF or CRLF), and drops it at the end.
    private mutating func trim(_ piece: inout SecretBuffer) {
        let count = piece.byteCount
        guard !atEnd else {
            guard count > 0, piece.bytes[count - 1] == UInt8(ascii: "\n") else { return }
            let isPair = count > 1 && piece.bytes[count - 2] == UInt8(ascii: "\r")
            piece.shorten(to: count - (isPair ? 2 : 1))
            return
        }
        for index in count - 2..<count { held.append(piece.bytes[index]) }
        piece.shorten(to: count - 2)
    }

    private mutating func look(at bytes: Span<UInt8>) {
        guard bytes.count > 0 else { return }
        for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") { newlineCount += 1 }
        endsInNewline = bytes[bytes.count - 1] == UInt8(ascii: "\n")
    }

    /// Fills `room`, or less where the stream ends.
    private mutating func read(into room: inout MutableSpan<UInt8>) throws(Failure) -> Int {
        var filled = 0
        while filled < room.count {
            interruption.waitForInput(descriptor)
            try interruption.check()
            do {
                var rest = room._mutatingExtracting(filled..<room.count)
                let count = try fileSystem.readStream(descriptor, into: &rest)
                if count == 0 {
                    atEnd = true
                    break
                }
                filled += count
            } catch {
                if error.code == ErrorCode.interrupted { continue }
                throw Failure(.failed, name, "reading failed: \(error.meaning)")
            }
        }
        // The end may be that of a writer that died of the signal which came to us too.
        if atEnd { try interruption.check() }
        return filled
    }
}

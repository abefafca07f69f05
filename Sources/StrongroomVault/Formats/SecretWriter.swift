import StrongroomCrypto

/// Writes fields one after the other into memory that is wiped; integers little-endian.
struct SecretWriter: ~Copyable {
    private var buffer: SecretBuffer
    private(set) var count = 0

    /// A writer that holds at most `capacity` bytes; the caller knows how many there will be.
    init(capacity: Int) {
        buffer = SecretBuffer(byteCount: capacity)
    }

    /// What was written.
    var bytes: Span<UInt8> {
        @_lifetime(borrow self) get { buffer.bytes.extracting(0..<count) }
    }

    mutating func append(_ byte: UInt8) {
        let end = count
        var span = buffer.mutableBytes
        span[end] = byte
        count = end + 1
    }

    mutating func append(_ bytes: Span<UInt8>) {
        buffer.write(bytes, at: count)
        count += bytes.count
    }

    mutating func append(_ text: String) { append(text.utf8.span) }

    mutating func append(integer: some FixedWidthInteger) {
        for shift in stride(from: 0, to: integer.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: integer >> shift))
        }
    }

    mutating func append(hex bytes: Span<UInt8>) {
        for index in bytes.indices {
            append(Hexadecimal.digit(bytes[index] >> 4))
            append(Hexadecimal.digit(bytes[index] & 15))
        }
    }

    /// Moves on by zeros to `count` bytes in all.
    mutating func padWithZeros(to newCount: Int) {
        precondition(newCount >= count && newCount <= buffer.byteCount, "padding only adds")
        count = newCount
    }

    /// The memory, cut to what was written.
    consuming func finish() -> SecretBuffer {
        buffer.shorten(to: count)
        return buffer
    }
}

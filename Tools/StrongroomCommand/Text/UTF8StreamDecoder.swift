/// Reads UTF-8 byte by byte, so that text can be judged piece by piece, and tells every byte that is no part of it
/// (the Unicode Standard, table 3-7).
struct UTF8StreamDecoder {
    /// What a byte completed.
    enum Event: Equatable {
        case scalar(Unicode.Scalar)
        case invalid([UInt8])
    }

    /// Bytes that may be the beginning of a character.
    private(set) var pending: [UInt8] = []
    private var missing = 0

    /// Takes the next byte and reports what it completes: nothing, one event, or two.
    mutating func feed(_ byte: UInt8, _ report: (Event) -> Void) {
        if missing > 0 {
            if isContinuation(byte) {
                pending.append(byte)
                missing -= 1
                if missing == 0 { finish(report) }
                return
            }
            report(.invalid(pending))
            pending = []
            missing = 0
        }
        switch byte {
        case 0...0x7F: report(.scalar(Unicode.Scalar(byte)))
        case 0xC2...0xDF: begin(byte, missing: 1)
        case 0xE0...0xEF: begin(byte, missing: 2)
        case 0xF0...0xF4: begin(byte, missing: 3)
        default: report(.invalid([byte]))
        }
    }

    private mutating func begin(_ byte: UInt8, missing count: Int) {
        pending = [byte]
        missing = count
    }

    private mutating func finish(_ report: (Event) -> Void) {
        var value = UInt32(pending[0]) & (0x7F >> UInt32(pending.count))
        for byte in pending.dropFirst() { value = value << 6 | UInt32(byte & 0x3F) }
        if let scalar = Unicode.Scalar(value) {
            report(.scalar(scalar))
        } else {
            report(.invalid(pending))
        }
        pending = []
    }

    /// Table 3-7: what may follow depends on the first byte, for the second.
    private func isContinuation(_ byte: UInt8) -> Bool {
        guard pending.count == 1 else { return (0x80...0xBF).contains(byte) }
        return switch pending[0] {
        case 0xE0: (0xA0...0xBF).contains(byte)
        case 0xED: (0x80...0x9F).contains(byte)
        case 0xF0: (0x90...0xBF).contains(byte)
        case 0xF4: (0x80...0x8F).contains(byte)
        default: (0x80...0xBF).contains(byte)
        }
    }
}

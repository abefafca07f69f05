import Glibc
import Strongroom

/// A value larger than the memory it may take.
enum LargeValue {
    /// Streams so many MiB in and out again, compares, and says the most memory that the process
    /// ever had, in KiB.
    static func roundTrip(_ area: any Area, _ key: String, mebibyteCount: Int) throws {
        let piece = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
        try area.write(key) { writer in
            for number in 0..<mebibyteCount {
                var next = piece
                next[0] = UInt8(truncatingIfNeeded: number)
                try writer.write(next)
            }
        }
        var offset = 0
        var isSame = true
        try area.read(key) { bytes in
            // Pieces divide a MiB, so none of them holds the end of one.
            let place = offset % piece.count
            var expected = Array(piece[place..<min(piece.count, place + bytes.count)])
            if place == 0 { expected[0] = UInt8(truncatingIfNeeded: offset / piece.count) }
            if !equal(bytes, expected) { isSame = false }
            offset += bytes.count
        }
        AreaProbe.say("\(isSame && offset == mebibyteCount << 20) \(try peakKibibyteCount())")
    }

    /// `VmHWM` of proc(5): getrusage(2) would tell of the process that started us, too.
    private static func peakKibibyteCount() throws -> Int {
        let file = unsafe open("/proc/self/status", O_RDONLY)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = max(0, unsafe read(file, &bytes, bytes.count))
        let lines = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).compactMap { Int($0) }.first
            ?? .max
    }

    private static func equal(_ bytes: Span<UInt8>, _ expected: [UInt8]) -> Bool {
        guard bytes.count == expected.count else { return false }
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return true }
            return unsafe memcmp(start, expected, expected.count) == 0
        }
    }
}

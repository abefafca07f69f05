/// A change of a file's bytes, as it was asked for.
enum FileChange: Sendable {
    case write([UInt8], at: Int)
    case resize(to: Int)

    private static let sectorByteCount = 512

    /// Makes the change in `bytes`.
    func apply(to bytes: inout [UInt8]) {
        switch self {
        case .resize(let byteCount): bytes.resize(to: byteCount)
        case .write(let new, let offset): bytes.overwrite(new[...], at: offset)
        }
    }

    /// A write of all sectors that it touches, as they are in `bytes`, where it was made.
    func wholeSectors(of bytes: [UInt8]) -> FileChange {
        guard case .write(let new, let offset) = self, !new.isEmpty else { return self }
        let size = Self.sectorByteCount
        let start = offset / size * size
        let end = min((offset + new.count + size - 1) / size * size, bytes.count)
        return .write(Array(bytes[start..<end]), at: start)
    }

    /// Makes some of the change: each sector of 512 bytes is written or not.
    func applySome(to bytes: inout [UInt8], _ random: inout some RandomNumberGenerator) {
        guard case .write(let new, let offset) = self else {
            if Bool.random(using: &random) { apply(to: &bytes) }
            return
        }
        var start = 0
        while start < new.count {
            let room = Self.sectorByteCount - (offset + start) % Self.sectorByteCount
            let end = min(start + room, new.count)
            if Bool.random(using: &random) {
                bytes.overwrite(new[start..<end], at: offset + start)
            }
            start = end
        }
    }
}

extension [UInt8] {
    /// Writes `new` at `offset`, with zeros before it if that lies behind the end.
    fileprivate mutating func overwrite(_ new: ArraySlice<UInt8>, at offset: Int) {
        if count < offset { resize(to: offset) }
        replaceSubrange(offset..<Swift.min(offset + new.count, count), with: new)
    }

    /// Cuts it, or puts zeros behind it.
    mutating func resize(to byteCount: Int) {
        if byteCount < count {
            removeLast(count - byteCount)
        } else {
            append(contentsOf: repeatElement(0, count: byteCount - count))
        }
    }
}

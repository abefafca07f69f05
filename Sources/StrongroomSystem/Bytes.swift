import Glibc

/// Bytes moved, compared and read as numbers all at once: one by one they take longer than what is done with them.
package enum Bytes {
    /// Appends all of `bytes`.
    package static func append(_ bytes: Span<UInt8>, to array: inout [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe array.append(contentsOf: buffer)
        }
    }

    /// True if both are the same; how long that takes says where they differ, so it is for what is no secret.
    package static func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        order(left, right) == 0
    }

    /// Below 0 if `left` comes before `right` by unsigned bytes, 0 if they are the same; for what is no secret.
    package static func order(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
        let common = min(left.count, right.count)
        let order = unsafe left.withUnsafeBufferPointer { left in
            unsafe right.withUnsafeBufferPointer { right in
                guard let left = left.baseAddress, let right = right.baseAddress else {
                    return Int32(0)
                }
                return unsafe memcmp(left, right, common)
            }
        }
        return order == 0 ? left.count - right.count : Int(order)
    }

    /// The little-endian number of the 8 bytes at `offset`.
    package static func number(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
        let eight = unsafe bytes.extracting(offset..<offset + 8).bytes
        return unsafe UInt64(littleEndian: eight.unsafeLoadUnaligned(as: UInt64.self))
    }

    /// Writes `number`, little-endian, over the 8 bytes at `offset`.
    package static func set(_ number: UInt64, in array: inout [UInt8], at offset: Int) {
        var span = array.mutableSpan
        var eight = span._mutatingExtracting(offset..<offset + 8)
        unsafe eight.withUnsafeMutableBytes { buffer in
            unsafe buffer.storeBytes(of: number.littleEndian, as: UInt64.self)
        }
    }

    /// Appends the lowest `byteCount` bytes of `number`, little-endian.
    package static func append(_ number: UInt64, byteCount: Int, to array: inout [UInt8]) {
        unsafe withUnsafeBytes(of: number.littleEndian) { bytes in
            unsafe array.append(contentsOf: bytes[..<byteCount])
        }
    }

    /// True if every byte is ASCII, and none zero.
    package static func arePlainText(_ bytes: Span<UInt8>) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var offset = 0
        while offset + 8 <= bytes.count {
            let word = number(bytes, at: offset)
            // A zero borrows from above, which sets its top bit (Mycroft's test).
            guard (word | (word &- ones)) & (ones << 7) == 0 else { return false }
            offset += 8
        }
        while offset < bytes.count {
            guard (1..<0x80).contains(bytes[offset]) else { return false }
            offset += 1
        }
        return true
    }

    /// True if every byte is zero.
    package static func areZero(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 0, bytes[0] == 0 else { return bytes.count == 0 }
        return areEqual(bytes.extracting(1...), bytes.extracting(droppingLast: 1))
    }
}

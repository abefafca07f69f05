import Testing

@testable import StrongroomCrypto

struct SecretBufferTests {
    @Test("a new buffer is all zeros", arguments: [0, 1, 32, 4_097, 1 << 20])
    func zeros(byteCount: Int) {
        let buffer = SecretBuffer(byteCount: byteCount)
        #expect(buffer.byteCount == byteCount)
        #expect(buffer.copyToArray() == [UInt8](repeating: 0, count: byteCount))
    }

    @Test("a copy has the bytes of its original", arguments: [0, 1, 32, 4_097, 1 << 20])
    func copying(byteCount: Int) throws {
        let bytes = try Randomness.bytes(byteCount)
        let buffer = SecretBuffer(copying: bytes.span)
        #expect(buffer.byteCount == byteCount)
        #expect(buffer.bytes.count == byteCount)
        #expect(buffer.copyToArray() == bytes)
    }

    @Test func `bytes are written in place`() {
        var buffer = SecretBuffer(byteCount: 3)
        var bytes = buffer.mutableBytes
        for index in 0..<3 { bytes[index] = UInt8(index + 7) }
        #expect(buffer.copyToArray() == [7, 8, 9])
    }

    @Test func `shortening keeps the beginning and wipes the rest at once`() throws {
        let bytes = try Randomness.bytes(100)
        var buffer = SecretBuffer(copying: bytes.span)
        let first = unsafe buffer.bytes.withUnsafeBufferPointer { $0.baseAddress }
        let start = unsafe try #require(first)
        for count in [100, 99, 64, 1, 0, 0] {
            buffer.shorten(to: count)
            #expect(buffer.byteCount == count)
            #expect(buffer.copyToArray() == Array(bytes.prefix(count)))
            let all = unsafe [UInt8](UnsafeBufferPointer(start: start, count: 100))
            #expect(all == bytes.prefix(count) + [UInt8](repeating: 0, count: 100 - count))
        }
    }

    @Test func `a shortened buffer does not grow again`() async {
        await #expect(processExitsWith: .failure) {
            var buffer = SecretBuffer(byteCount: 10)
            buffer.shorten(to: 5)
            buffer.shorten(to: 6)
        }
    }

    @Test func `a buffer is not shortened below nothing`() async {
        await #expect(processExitsWith: .failure) {
            var buffer = SecretBuffer(byteCount: 10)
            buffer.shorten(to: -1)
        }
    }

    @Test func `a buffer of less than nothing is not made`() async {
        await #expect(processExitsWith: .failure) {
            let buffer = SecretBuffer(byteCount: -1)
            print(buffer.byteCount)
        }
    }

    @Test func `an empty buffer seals, hashes and compares`() throws {
        let key = try SecretKey(randomByteCount: 32)
        let empty = SecretBuffer(byteCount: 0)
        let sealed = try SecretBox.seal(empty.bytes, key: key.bytes)
        #expect(try SecretBox.open(sealed.span, key: key.bytes).byteCount == 0)
        #expect(try KeyedHash.hash(empty.bytes, key: key.bytes, byteCount: 32).count == 32)
        #expect(try SipHash.sum(empty.bytes, key: key.bytes.extracting(0..<16)) != 0)
        let areEqual = equalInConstantTime(empty.bytes, empty.bytes)
        #expect(areEqual)
    }

    @Test func `wiping an array leaves the array that shares its bytes`() {
        var bytes: [UInt8] = [1, 2, 3]
        let shared = bytes
        wipe(&bytes)
        #expect(bytes.isEmpty)
        #expect(shared == [1, 2, 3])
        wipe(&bytes)
        #expect(bytes.isEmpty)
    }
}

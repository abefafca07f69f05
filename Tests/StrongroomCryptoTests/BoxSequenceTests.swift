import Testing

@testable import StrongroomCrypto

/// Four boxes of one sealing: the header and three of the value, of 5 bytes each.
private struct Sealing {
    static let plain: [[UInt8]] = [
        Array("head.".utf8), Array("one..".utf8), Array("two..".utf8), Array("three".utf8),
    ]
    let key: SecretKey
    let noncePrefix: [UInt8]
    let boxes: [[UInt8]]

    static func make(key: SecretKey, headerFirst: Bool = true) throws -> Sealing {
        var sealer = try BoxSealer()
        var header: [UInt8] = []
        if headerFirst { header = try sealHeader(with: &sealer, key: key) }
        var boxes: [[UInt8]] = []
        for index in 1...3 {
            let plain = plain[index]
            var box = [UInt8](repeating: 0, count: 21)
            var span = box.mutableSpan
            try sealer.sealNext(plain.span, isLast: index == 3, key: key.bytes, into: &span)
            boxes.append(box)
        }
        if !headerFirst { header = try sealHeader(with: &sealer, key: key) }
        return Sealing(key: key, noncePrefix: sealer.noncePrefix, boxes: [header] + boxes)
    }

    private static func sealHeader(
        with sealer: inout BoxSealer, key: SecretKey
    ) throws -> [UInt8] {
        let plain = plain[0]
        var box = [UInt8](repeating: 0, count: 21)
        var span = box.mutableSpan
        try sealer.sealHeader(plain.span, key: key.bytes, into: &span)
        return box
    }

    /// Box `box`, opened as box `index`.
    func open(
        _ box: [UInt8], index: UInt64, isLast: Bool, prefix: [UInt8]? = nil, key: SecretKey? = nil
    ) throws(CryptoError) -> [UInt8] {
        let opener = try BoxOpener(noncePrefix: prefix ?? noncePrefix)
        let key = key ?? self.key
        var plain = [UInt8](repeating: 0, count: box.count - 16)
        var span = plain.mutableSpan
        try opener.open(box.span, index: index, isLast: isLast, key: key.bytes, into: &span)
        return plain
    }
}

struct BoxSequenceTests {
    private let key: SecretKey
    private let sealing: Sealing

    init() throws {
        key = try SecretKey(randomByteCount: 32)
        sealing = try Sealing.make(key: key)
    }

    @Test("boxes open at their place, whether the header came first", arguments: [true, false])
    func roundTrip(headerFirst: Bool) throws {
        let sealing = try Sealing.make(key: key, headerFirst: headerFirst)
        for index in 0...3 {
            let plain = try sealing.open(
                sealing.boxes[index], index: UInt64(index), isLast: index == 3)
            #expect(plain == Sealing.plain[index])
        }
    }

    @Test(
        "the nonce of a box is N, its number, and the top bit in the last",
        arguments: [
            (0, [0, 0, 0, 0, 0, 0, 0, 0]), (1, [1, 0, 0, 0, 0, 0, 0, 0]),
            (2, [2, 0, 0, 0, 0, 0, 0, 0]), (3, [3, 0, 0, 0, 0, 0, 0, 0x80]),
        ] as [(Int, [UInt8])])
    func nonce(index: Int, number: [UInt8]) throws {
        let box = sealing.boxes[index]
        let nonce = sealing.noncePrefix + number
        var plain = [UInt8](repeating: 0, count: 5)
        var span = plain.mutableSpan
        try SecretBox.open(box.span, nonce: nonce.span, key: key.bytes, into: &span)
        #expect(plain == Sealing.plain[index])
    }

    @Test func `every byte of a box's number reaches its nonce`() throws {
        let prefix = [UInt8](0..<16)
        let nonce = try BoxNonce(prefix: prefix.span)
        let numbered = nonce.numbered(0x0102_0304_0506_0708, isLast: true)
        let bytes = (0..<numbered.span.count).map { numbered.span[$0] }
        #expect(bytes == prefix + [8, 7, 6, 5, 4, 3, 2, 0x81])
    }

    @Test func `a box opens at no other place and with no other end`() throws {
        for box in 0...3 {
            for index in 0...5 {
                for isLast in [false, true] where index != box || isLast != (box == 3) {
                    #expect(
                        throws: CryptoError.cannotOpen, "box \(box) as \(index), last: \(isLast)"
                    ) {
                        _ = try sealing.open(
                            sealing.boxes[box], index: UInt64(index), isLast: isLast)
                    }
                }
            }
        }
    }

    @Test(
        "a number with the top bit is no other way to say last",
        arguments: [3 | UInt64(1) << 63, 1 << 63, .max], [false, true])
    func topBit(index: UInt64, isLast: Bool) {
        for box in sealing.boxes {
            #expect(throws: CryptoError.cannotOpen) {
                _ = try sealing.open(box, index: index, isLast: isLast)
            }
        }
    }

    @Test func `a box opens under no other N and no other key`() throws {
        let other = try Sealing.make(key: key)
        let otherKey = try SecretKey(randomByteCount: 32)
        #expect(other.noncePrefix != sealing.noncePrefix)
        for index in 0...3 {
            let number = UInt64(index)
            let isLast = index == 3
            let box = sealing.boxes[index]
            #expect(throws: CryptoError.cannotOpen) {
                let prefix = other.noncePrefix
                _ = try sealing.open(box, index: number, isLast: isLast, prefix: prefix)
            }
            #expect(throws: CryptoError.cannotOpen) {
                _ = try sealing.open(box, index: number, isLast: isLast, key: otherKey)
            }
            #expect(throws: CryptoError.cannotOpen) {
                _ = try sealing.open(other.boxes[index], index: number, isLast: isLast)
            }
        }
    }

    @Test func `every sealing draws an N of its own`() throws {
        var prefixes: Set<[UInt8]> = []
        for _ in 0..<1_000 { prefixes.insert(try BoxSealer().noncePrefix) }
        #expect(prefixes.count == 1_000)
        #expect(prefixes.allSatisfy { $0.count == 16 })
    }

    @Test func `only 16 bytes are an N`() {
        for count in 0...32 where count != 16 {
            let prefix = [UInt8](repeating: 0, count: count)
            let refusal = CryptoError.wrongLength(what: "nonce prefix", byteCount: count)
            #expect(throws: refusal) { _ = try BoxOpener(noncePrefix: prefix) }
        }
    }
}

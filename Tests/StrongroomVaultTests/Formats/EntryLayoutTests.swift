import Testing

@testable import StrongroomVault

struct EntryLayoutTests {
    @Test("P and n follow from the length alone, however large")
    func fromLength() throws {
        for vector in try Fixture.vectors("padded") {
            let count = try #require(UInt64(vector[0]))
            let written = try #require(EntryLayout(valueByteCount: count, bodyOffset: 110))
            let read = try #require(
                EntryLayout(sealedByteCount: written.sealedByteCount, bodyOffset: 110))
            #expect(read.paddedByteCount == written.paddedByteCount)
            #expect(read.boxCount == written.boxCount)
            let last = read.boxCount
            #expect(
                read.boxOffset(last) + UInt64(read.pieceByteCount(last)) + 16
                    == written.sealedByteCount)
            #expect(written.sealedByteCount < Int64.max)
        }
    }

    @Test("the boxes of a value of more than 4 GiB lie one behind the other")
    func largeValue() throws {
        let layout = try #require(EntryLayout(valueByteCount: 5 << 30, bodyOffset: 110))
        #expect(layout.paddedByteCount == 5_435_817_984)
        #expect(layout.boxCount == 82_944)
        #expect(layout.sealedByteCount == 110 + 5_435_817_984 + 82_944 * 16)
        #expect(layout.boxOffset(82_944) == 110 + 82_943 * 65_552)
        #expect(layout.pieceByteCount(82_944) == 65_536)
        #expect(layout.valueByteCount(inPiece: 81_920, of: 5 << 30) == 65_536)
        #expect(layout.valueByteCount(inPiece: 81_921, of: 5 << 30) == 0)
    }

    @Test(
        "no value gives these lengths behind the header",
        arguments: [0, 1, 16, 24, 79, 65_553, 65_568, 65_631, 196_706] as [UInt64])
    func impossible(body: UInt64) {
        #expect(EntryLayout(sealedByteCount: 110 + body, bodyOffset: 110) == nil)
    }

    @Test("lengths over 2^63 and under the header are refused")
    func outside() {
        #expect(EntryLayout(sealedByteCount: .max, bodyOffset: 110) == nil)
        #expect(EntryLayout(sealedByteCount: 1 << 63, bodyOffset: 110) == nil)
        #expect(EntryLayout(sealedByteCount: 30, bodyOffset: 110) == nil)
        #expect(EntryLayout(sealedByteCount: 0, bodyOffset: 110) == nil)
        #expect(EntryLayout(valueByteCount: .max, bodyOffset: 110) == nil)
    }
}

import Testing

@testable import StrongroomStores

/// Searches in the rows of an index.
struct LogRowsTests {
    private let key = [UInt8](repeating: 5, count: 16)

    /// An id that begins with `number`.
    private func id(_ number: UInt32) -> EntryID {
        var bytes: [UInt8] = []
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
        return EntryID(bytes + [UInt8](repeating: 7, count: 16))
    }

    private func rows(_ numbers: [UInt32]) -> LogRows {
        var rows = LogRows()
        for number in numbers {
            rows.append(id(number), LogRow(offset: Int64(number), byteCount: 1, version: 2))
        }
        return rows
    }

    @Test(arguments: ["spread evenly", "close together", "few", "one", "none"])
    func `every row is found, and nothing beside it`(_ name: String) throws {
        let numbers: [UInt32] =
            switch name {
            case "spread evenly": (0..<2000).map { 1_000_000 + $0 * 2_000_000 }
            case "close together": (0..<2000).map { 70_000 + $0 * 2 }
            case "few": (0..<17).map { 10 + $0 * 2 }
            case "one": [9]
            default: []
            }
        var rows = rows(numbers)
        for number in numbers {
            #expect(try rows.find(id(number)).get()?.offset == Int64(number))
            #expect(try rows.find(id(number - 1)).get() == nil)
            #expect(try rows.find(id(number + 1)).get() == nil)
        }
        #expect(try rows.find(id(0)).get() == nil)
        #expect(try rows.find(id(.max)).get() == nil)
    }

    @Test func `a flipped byte is noticed or changes no answer`() throws {
        let numbers: [UInt32] = (0..<400).map { 1_000_000 + $0 * 10_000_000 }
        let whole = rows(numbers)
        let sums = try whole.pageSums(key: key)
        let lines = whole.span
        var noticed = 0
        for row in [0, 16, 96, 104, 105, 112, 208, 384, 399] {
            for bit in [0x80, 1] as [UInt8] {
                var bytes: [UInt8] = [1, 2, 3]
                bytes.append(copying: lines)
                bytes[3 + row * LogRows.byteCount] ^= bit
                for number in numbers {
                    var damaged = LogRows(bytes: bytes, from: 3, sums: sums, key: key)
                    switch try damaged.find(id(number)) {
                    case .failure: noticed += 1
                    case .success(let found): #expect(found?.offset == Int64(number))
                    }
                    switch try damaged.find(id(number + 1)) {
                    case .failure: noticed += 1
                    case .success(let found): #expect(found == nil)
                    }
                }
            }
        }
        #expect(noticed > 0)
    }
}

import StrongroomCrypto
import StrongroomStores
import Testing

@testable import StrongroomVault

struct StreamingTests {
    private static func seal(
        _ value: [UInt8], pieces: Int, _ dataKey: DataKey, into sink: SealedMemory
    ) throws {
        var sealing = try EntrySealing(
            key: "big", name: dataKey.name("big"), created: 1, modified: 2,
            attributes: ["a": "b"], with: dataKey, into: sink)
        var from = 0
        while from < value.count {
            let to = min(value.count, from + pieces)
            try sealing.append(value.span.extracting(from..<to))
            from = to
        }
        #expect(sealing.byteCount == UInt64(value.count))
        try sealing.finish()
    }

    private static let counts = [
        0, 1, 55, 56, 57, 65_527, 65_528, 65_529, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073,
        200_000, 1_000_000,
    ]

    @Test(
        "a streamed value comes back, streamed or whole, however it was cut",
        arguments: counts, [1000, 65_536, 65_537, 1 << 20])
    func roundTrip(count: Int, pieces: Int) throws {
        var random = Seeded(UInt64(count))
        let value = random.bytes(count)
        let dataKey = try DataKey.random()
        let memory = SealedMemory()
        try Self.seal(value, pieces: pieces, dataKey, into: memory)
        let whole = try SealedSample(
            key: "big", value: value, attributes: ["a": "b"], dataKey: dataKey)
        #expect(whole.sealed.count == memory.bytes.count)
        for sealed in [memory.bytes, whole.sealed] {
            for way in whole.waysToOpen { #expect(try way.open(sealed) == value) }
            let header = try whole.openHeader(sealed)
            #expect(header.created == 1 && header.modified == 2)
            #expect(header.attributes == ["a": "b"] && header.byteCount == UInt64(count))
        }
    }

    @Test("empty pieces change nothing")
    func emptyPieces() throws {
        let dataKey = try DataKey.random()
        let memory = SealedMemory()
        let (none, some): ([UInt8], [UInt8]) = ([], [1, 2])
        var sealing = try EntrySealing(
            key: "big", name: dataKey.name("big"), created: 1, modified: 2, attributes: [:],
            with: dataKey, into: memory)
        try sealing.append(none.span)
        try sealing.append(some.span)
        try sealing.append(none.span)
        try sealing.finish()
        let sample = try SealedSample(key: "big", value: [], dataKey: dataKey)
        #expect(try sample.openValue(memory.bytes) == [1, 2])
    }

    @Test("an entry is none until it is finished")
    func unfinished() throws {
        var random = Seeded(1)
        let value = random.bytes(200_000)
        let dataKey = try DataKey.random()
        let memory = SealedMemory()
        var sealing = try EntrySealing(
            key: "big", name: dataKey.name("big"), created: 1, modified: 2, attributes: [:],
            with: dataKey, into: memory)
        try sealing.append(value.span)
        let sample = try SealedSample(key: "big", value: value, dataKey: dataKey)
        #expect(memory.bytes.count > 190_000)
        for way in sample.waysToOpen {
            #expect(throws: VaultError.damaged(key: "big")) { try way.open(memory.bytes) }
        }
        try sealing.finish()
        for way in sample.waysToOpen { #expect(try way.open(memory.bytes) == value) }
    }

    @Test("after a write that failed nothing more is sealed", arguments: [0, 100, 70_000, 140_000])
    func failingSink(failsAfter: Int64) throws {
        let dataKey = try DataKey.random()
        let name = try dataKey.name("big")
        let sink = SealedMemory(failsAfter: failsAfter)
        let failure = VaultError.system(operation: "write", path: "memory", code: 28)
        guard failsAfter > 100 else {
            #expect(throws: failure) {
                _ = try EntrySealing(
                    key: "big", name: name, created: 0, modified: 0, attributes: [:], with: dataKey,
                    into: sink)
            }
            return
        }
        let piece = [UInt8](repeating: 1, count: 100_000)
        var sealing = try EntrySealing(
            key: "big", name: name, created: 0, modified: 0, attributes: [:], with: dataKey,
            into: sink)
        var failed: VaultError?
        for _ in 0..<4 where failed == nil {
            do {
                try sealing.append(piece.span)
            } catch {
                failed = error
            }
        }
        #expect(failed == failure)
        let over = VaultError.notPossible(
            what: "a sealing that has failed cannot go on; start a new one")
        do {
            try sealing.append(piece.span)
            Issue.record("went on")
        } catch {
            #expect(error == over)
        }
        do {
            try sealing.finish()
            Issue.record("finished")
        } catch {
            #expect(error == over)
        }
        #expect(sink.bytes.prefix(30) == [UInt8](repeating: 0, count: 30)[...])
    }

    @Test("attributes over 4 KiB are refused before anything is written")
    func attributes() throws {
        let dataKey = try DataKey.random()
        let sink = SealedMemory()
        #expect(throws: VaultError.valueTooLarge(key: "big", limit: 4096)) {
            _ = try EntrySealing(
                key: "big", name: dataKey.name("big"), created: 0, modified: 0,
                attributes: ["a": String(repeating: "b", count: 4096)], with: dataKey, into: sink)
        }
        #expect(sink.bytes.isEmpty)
    }

    @Test("pieces come in order, once each, and nil for ever after the last")
    func pieces() throws {
        var random = Seeded(9)
        let sample = try SealedSample(value: random.bytes(150_000))
        var opening = try EntryOpening(
            SealedMemory(sample.sealed), id: sample.name.id, with: sample.dataKey)
        #expect(opening.header.byteCount == 150_000)
        var counts: [Int] = []
        var value: [UInt8] = []
        while let piece = try opening.next() {
            counts.append(piece.byteCount)
            value += piece.copyToArray()
        }
        #expect(counts == [65_536, 65_536, 18_928])
        #expect(value == sample.value)
        for _ in 0..<3 {
            let isOver = try opening.next() == nil
            #expect(isOver)
        }
    }

    @Test("a value of nothing has no piece")
    func noPiece() throws {
        let sample = try SealedSample(value: [])
        var opening = try EntryOpening(
            SealedMemory(sample.sealed), id: sample.name.id, with: sample.dataKey)
        let isOver = try opening.next() == nil
        #expect(isOver)
    }

    @Test("no byte leaves before the end is known to be there")
    func endFirst() throws {
        var random = Seeded(10)
        let sample = try SealedSample(value: random.bytes(200_000))
        let id = sample.name.id
        for sealed in [
            [UInt8](sample.sealed.dropLast()), [UInt8](sample.sealed.dropLast(1000)),
            [UInt8](sample.sealed[..<(110 + 2 * 65_552)]), sample.sealed + [0],
        ] {
            #expect(throws: VaultError.damaged(key: "key")) {
                _ = try EntryOpening(
                    SealedMemory(sealed), id: id, key: "key", with: sample.dataKey)
            }
        }
    }

    @Test("a damaged piece ends the reading where it is, whole pieces before it left whole")
    func damagedPiece() throws {
        var random = Seeded(11)
        let sample = try SealedSample(value: random.bytes(200_000))
        var sealed = sample.sealed
        sealed[110 + 65_552 + 5] ^= 1
        var opening = try EntryOpening(
            SealedMemory(sealed), id: sample.name.id, key: "key", with: sample.dataKey)
        let first = try opening.next()?.copyToArray()
        #expect(first == Array(sample.value[..<65_536]))
        for _ in 0..<2 {
            do {
                _ = try opening.next()
                Issue.record("a damaged piece was handed out")
            } catch {
                #expect(error == .damaged(key: "key"))
            }
        }
    }

    @Test("a claimed length takes no memory: at most a piece is asked for at a time")
    func hugeSource() throws {
        var random = Seeded(12)
        let sample = try SealedSample(value: random.bytes(150_000))
        for byteCount in [1 << 20, 5 << 30, 1 << 45, 1 << 61, Int64.max, Int64.max - 7] as [Int64] {
            let source = HugeSource(sample.sealed, byteCount: byteCount)
            #expect(throws: VaultError.damaged(key: "key"), "\(byteCount)") {
                _ = try EntryOpening(source, id: sample.name.id, key: "key", with: sample.dataKey)
            }
            #expect(source.longestRead <= 65_552)
        }
        for byteCount in [0, 1, 29, 30, 109, 110, -1, Int64.min] as [Int64] {
            let source = HugeSource(sample.sealed, byteCount: byteCount)
            #expect(throws: VaultError.damaged(key: "key"), "\(byteCount)") {
                _ = try EntryOpening(source, id: sample.name.id, key: "key", with: sample.dataKey)
            }
        }
    }

    @Test("what a source throws is thrown on, and the piece can be asked for again")
    func failingSource() throws {
        var random = Seeded(13)
        let sample = try SealedSample(value: random.bytes(150_000))
        let source = HugeSource(sample.sealed, byteCount: Int64(sample.sealed.count))
        var opening = try EntryOpening(
            source, id: sample.name.id, key: "key", with: sample.dataKey)
        source.fail(true)
        do {
            _ = try opening.next()
            Issue.record("read all the same")
        } catch {
            #expect(error == .system(operation: "read", path: "memory", code: 5))
        }
        source.fail(false)
        let first = try opening.next()?.copyToArray()
        #expect(first == Array(sample.value[..<65_536]))
    }
}

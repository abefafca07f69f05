import StrongroomSystem

/// The first bytes of many entries, in the order in which they lie in their log, read in large pieces where they lie
/// close together: to list small entries then takes one call for some hundred of them instead of one for each.
package struct LogFronts: Sendable {
    /// So much of an entry is read.
    private static let byteCount = 512
    /// Fronts that lie further apart are read by calls of their own.
    private static let gapByteCount: Int64 = 4096
    /// The most that one call reads.
    private static let pieceByteCount: Int64 = 256 << 10

    /// Where an entry lies: no object, so that threads that share the work do not count references of the same ones.
    private struct Place {
        let offset: Int64
        let byteCount: Int64
        let version: UInt64
        let index: Int

        /// Bytes of the front, and where it ends.
        var frontByteCount: Int64 { min(byteCount, Int64(LogFronts.byteCount)) }
        var frontEnd: Int64 { offset + frontByteCount }
    }

    private let entries: [(id: EntryID, reader: any EntryReader)]
    private let file: OpenFile?
    private let places: [Place]
    /// How many entries there are.
    package var count: Int { places.count }

    /// The fronts of the entries of a sealed log.
    package init(of news: LogStore.News) {
        entries = news.entries
        var found: [Place] = []
        found.reserveCapacity(entries.count)
        var file: OpenFile?
        for (index, entry) in entries.enumerated() {
            guard let stored = entry.reader as? LogStoredEntry else { continue }
            let row = stored.row
            if file == nil { file = stored.log.file }
            found.append(
                Place(
                    offset: row.offset, byteCount: row.byteCount, version: row.version,
                    index: index))
        }
        found.sort { $0.offset < $1.offset }
        self.file = file
        places = found
    }

    /// Hands over the entries of `range`, in the order of the log, each with its front.
    ///
    /// A front that is cut short, or of another sealing than the log tells of, is empty: reading the entry says why.
    package func read(
        _ range: Range<Int>, _ body: (any EntryReader, EntryID, Span<UInt8>) -> Void
    ) throws(StoreError) {
        guard let file else { return }
        var bytes = [UInt8](repeating: 0, count: Int(Self.pieceByteCount))
        var next = range.lowerBound
        while next < range.upperBound {
            let end = pieceEnd(from: next, limit: range.upperBound)
            let start = places[next].offset
            var room = bytes.mutableSpan
            var piece = room._mutatingExtracting(0..<Int(places[end - 1].frontEnd - start))
            let count = try system(try file.read(into: &piece, at: start))
            for place in places[next..<end] {
                let from = min(Int(place.offset - start), count)
                let front = piece.span.extracting(
                    from..<min(from + Int(place.frontByteCount), count))
                let isWhole =
                    front.count == Int(place.frontByteCount)
                    && LogEntry.stamp(of: front) == place.version
                let entry = entries[place.index]
                body(entry.reader, entry.id, isWhole ? front : front.extracting(0..<0))
            }
            next = end
        }
    }

    /// Behind the last entry that is read together with the one at `first`.
    private func pieceEnd(from first: Int, limit: Int) -> Int {
        let start = places[first].offset
        var end = first + 1
        while end < limit, places[end].offset - places[end - 1].frontEnd <= Self.gapByteCount,
            places[end].frontEnd - start <= Self.pieceByteCount
        {
            end += 1
        }
        return end
    }
}

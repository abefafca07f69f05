import StrongroomCrypto

/// Seals a value larger than memory, piece by piece, in format 1; see ``SealedEntry``.
///
/// It holds two pieces of 64 KiB at a time. What was written is no entry until ``finish()`` has returned:
/// the prefix and box 0, which need the byte count, come last. After a throw nothing more can be written.
package struct EntrySealing: ~Copyable {
    private let key: String
    private let name: EntryName
    private let dataKey: DataKey
    private let created: Int64
    private let modified: Int64
    private let attributes: [String: String]
    private let sink: any SealedSink
    private let bodyOffset: Int

    private var sealer: BoxSealer
    private var piece = SecretBuffer(byteCount: EntryLayout.pieceByteCount)
    private var filled = 0
    private var end: Int64
    private var isWhole = true
    /// Bytes of the value so far.
    package private(set) var byteCount: UInt64 = 0

    /// Starts a sealing under a fresh N.
    ///
    /// `name` is the entry's name under `dataKey`, `key` the same as the caller gave it. Throws
    /// `.valueTooLarge` for attributes over 4 KiB, and what `sink` throws.
    package init(
        key: String, name: EntryName, created: Int64, modified: Int64,
        attributes: [String: String], with dataKey: DataKey, into sink: any SealedSink
    ) throws(VaultError) {
        guard name.owner == dataKey.owner else { throw .notPossible(what: EntryName.mismatch) }
        let header = try EntryHeader(
            key: name.text, byteCount: 0, created: created, modified: modified,
            attributes: attributes
        ).encoded(key: key)
        let bodyOffset = EntryPrefix.byteCount + header.byteCount + SecretBox.overhead
        let sealer: BoxSealer
        do {
            sealer = try BoxSealer()
        } catch {
            throw VaultError(error, path: key)
        }
        try sink.write([UInt8](repeating: 0, count: bodyOffset).span, at: 0)
        self.key = key
        self.name = name
        self.dataKey = dataKey
        self.created = created
        self.modified = modified
        self.attributes = attributes
        self.sink = sink
        self.bodyOffset = bodyOffset
        self.sealer = sealer
        end = Int64(bodyOffset)
    }

    /// Adds `bytes`, however many, to the value.
    ///
    /// Throws `.valueTooLarge` over 2^60 bytes.
    package mutating func append(_ bytes: Span<UInt8>) throws(VaultError) {
        try start()
        guard UInt64(bytes.count) <= EntryPadding.valueByteCountLimit - byteCount else {
            throw .valueTooLarge(key: key, limit: Int64(EntryPadding.valueByteCountLimit))
        }
        var from = 0
        while from < bytes.count {
            let rest = bytes.count - from
            if filled == 0, rest >= EntryLayout.pieceByteCount {
                try seal(
                    bytes.extracting(from..<from + EntryLayout.pieceByteCount), isLast: false)
                from += EntryLayout.pieceByteCount
                continue
            }
            let count = min(rest, EntryLayout.pieceByteCount - filled)
            let place = filled
            var span = piece.mutableBytes
            for index in 0..<count { span[place + index] = bytes[from + index] }
            filled += count
            from += count
            // A whole piece of the value is never in the last box: the byte count comes after it.
            if filled == EntryLayout.pieceByteCount { try sealFilled(isLast: false) }
        }
        byteCount += UInt64(bytes.count)
        isWhole = true
    }

    /// Adds padding and byte count, then writes prefix and box 0.
    ///
    /// Afterwards the sink holds the entry.
    package consuming func finish() throws(VaultError) {
        try start()
        guard let layout = EntryLayout(valueByteCount: byteCount, bodyOffset: bodyOffset) else {
            throw .valueTooLarge(key: key, limit: Int64(EntryPadding.valueByteCountLimit))
        }
        let firstIndex = byteCount / UInt64(EntryLayout.pieceByteCount) + 1
        for index in firstIndex...layout.boxCount {
            let isLast = index == layout.boxCount
            let count = layout.pieceByteCount(index)
            if isLast {
                let byteCount = byteCount
                var span = piece.mutableBytes
                for shift in 0..<8 {
                    span[count - 8 + shift] = UInt8(truncatingIfNeeded: byteCount >> (8 * shift))
                }
            }
            filled = count
            try sealFilled(isLast: isLast)
        }
        try sealHeader()
    }

    private mutating func start() throws(VaultError) {
        guard isWhole else {
            throw .notPossible(what: "a sealing that has failed cannot go on; start a new one")
        }
        isWhole = false
    }

    /// Seals what the buffer holds; a new one, all zeros, takes its place.
    private mutating func sealFilled(isLast: Bool) throws(VaultError) {
        var full = SecretBuffer(byteCount: EntryLayout.pieceByteCount)
        swap(&full, &piece)
        let count = filled
        filled = 0
        try seal(full.bytes.extracting(0..<count), isLast: isLast)
    }

    private mutating func seal(_ plain: Span<UInt8>, isLast: Bool) throws(VaultError) {
        let name = name
        var box = [UInt8](repeating: 0, count: plain.count + SecretBox.overhead)
        var span = box.mutableSpan
        do {
            try sealer.sealNext(plain, isLast: isLast, key: name.entryKey, into: &span)
        } catch {
            throw VaultError(error, path: key)
        }
        try sink.write(box.span, at: end)
        end += Int64(box.count)
    }

    private mutating func sealHeader() throws(VaultError) {
        let dataKey = dataKey
        let header = try EntryHeader(
            key: name.text, byteCount: byteCount, created: created, modified: modified,
            attributes: attributes
        ).encoded(key: key)
        var first = [UInt8](repeating: 0, count: bodyOffset)
        var all = first.mutableSpan
        EntryPrefix(
            dataKeyID: dataKey.id, noncePrefix: sealer.noncePrefix,
            headerBoxByteCount: header.byteCount + SecretBox.overhead
        ).write(into: &all)
        var box = all._mutatingExtracting(EntryPrefix.byteCount..<bodyOffset)
        let headersKey = dataKey.headersKey
        do {
            try sealer.sealHeader(header.bytes, key: headersKey.bytes, into: &box)
        } catch {
            throw VaultError(error, path: key)
        }
        try sink.write(first.span, at: 0)
    }
}

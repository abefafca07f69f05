package import StrongroomCrypto
package import StrongroomStores

/// Opens a value larger than memory, piece by piece; see ``SealedEntry``.
///
/// The last box is opened first, so the value's end is known to be there before a byte of it leaves; the
/// last piece of the value leaves only after all padding behind it was verified. It holds three pieces of
/// 64 KiB at most, whatever lengths the sealed bytes claim.
package struct EntryOpening: ~Copyable {
    /// What the header says; its byte count is that of the value.
    package let header: EntryHeader
    private let source: any SealedSource
    private let fault: EntryFault
    private let name: EntryName
    private let layout: EntryLayout
    private let opener: BoxOpener
    private var last: SecretBuffer?
    private var nextIndex: UInt64 = 1

    /// Opens header and last box of the entry that was found under `id`.
    ///
    /// `key` is the name that the caller looks for, if it does, for errors, which are those of
    /// ``SealedEntry/openHeader(_:id:key:with:placedBy:)`` and those of `source`.
    package init(
        _ source: any SealedSource, id: EntryID, key: String? = nil, with dataKey: DataKey
    ) throws(VaultError) {
        let fault = EntryFault(key: key, id: id)
        let byteCount = source.byteCount
        let headCount = Int(max(0, min(byteCount, Int64(SealedEntry.headerReadByteCount))))
        let head = try source.read(at: 0, count: headCount)
        let prefix = try SealedEntry.prefix(of: head.span, with: dataKey, fault: fault)
        let (header, name) = try SealedEntry.openHeader(
            head.span, prefix, id: id, with: dataKey, placedBy: dataKey, fault: fault)
        guard byteCount > 0,
            let layout = EntryLayout(
                sealedByteCount: UInt64(byteCount), bodyOffset: prefix.bodyOffset)
        else { throw fault.damaged }
        let opener: BoxOpener
        do {
            opener = try BoxOpener(noncePrefix: prefix.noncePrefix)
        } catch {
            throw fault.error(error)
        }
        last = try Self.open(
            layout.boxCount, of: header.byteCount, source, layout, opener, key: name.entryKey,
            fault: fault)
        self.header = header
        self.source = source
        self.fault = fault
        self.name = name
        self.layout = layout
        self.opener = opener
    }

    /// The next piece of the value, 1 to 65,536 bytes, wiped when released; nil after the last.
    ///
    /// Each piece is handed out once.
    package mutating func next() throws(VaultError) -> SecretBuffer? {
        let index = nextIndex
        let start = layout.pieceOffset(index)
        guard start < header.byteCount else { return nil }
        if header.byteCount - start <= UInt64(EntryLayout.pieceByteCount) {
            try verifyPadding(after: index)
        }
        if index == layout.boxCount, let last = last.take() {
            nextIndex += 1
            return last
        }
        let piece = try open(index)
        nextIndex += 1
        return piece
    }

    /// Opens the boxes that hold nothing but padding, between the one at `index` and the last.
    private func verifyPadding(after index: UInt64) throws(VaultError) {
        var index = index + 1
        while index < layout.boxCount {
            _ = try open(index)
            index += 1
        }
    }

    private func open(_ index: UInt64) throws(VaultError) -> SecretBuffer {
        try Self.open(
            index, of: header.byteCount, source, layout, opener, key: name.entryKey, fault: fault)
    }

    /// What box `index` holds of the value, after it was verified that the box holds it as it is written.
    private static func open(
        _ index: UInt64, of valueByteCount: UInt64, _ source: any SealedSource,
        _ layout: EntryLayout, _ opener: BoxOpener, key: Span<UInt8>, fault: EntryFault
    ) throws(VaultError) -> SecretBuffer {
        let count = layout.pieceByteCount(index)
        let box = try source.read(
            at: Int64(layout.boxOffset(index)), count: count + SecretBox.overhead)
        guard box.count == count + SecretBox.overhead else { throw fault.damaged }
        var piece = SecretBuffer(byteCount: count)
        do {
            var span = piece.mutableBytes
            try opener.open(
                box.span, index: index, isLast: index == layout.boxCount, key: key, into: &span)
        } catch {
            throw fault.error(error)
        }
        guard layout.isCanonical(piece.bytes, index: index, of: valueByteCount) else {
            throw fault.damaged
        }
        piece.shorten(to: layout.valueByteCount(inPiece: index, of: valueByteCount))
        return piece
    }
}

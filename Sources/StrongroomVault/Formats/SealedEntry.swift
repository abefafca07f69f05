package import StrongroomCrypto
package import StrongroomStores

/// Sealed entry, format 1, in one piece of memory: ``EntryPrefix``, box 0 with the ``EntryHeader``
/// under the headers key, then boxes 1 to n with the value under the entry key, as ``EntryLayout``
/// has them.
///
/// Box *i* has the nonce N ‖ *i*. Values larger than memory go through ``EntrySealing`` and
/// ``EntryOpening``.
package enum SealedEntry {
    /// The most bytes from an entry's start that its header can take.
    package static let headerReadByteCount =
        EntryPrefix.byteCount + EntryPrefix.headerBoxByteCounts.upperBound

    /// Seals an entry under a fresh N; `name` is its name under `dataKey`, `key` the same as the
    /// caller gave it.
    ///
    /// Throws `.valueTooLarge` for attributes over 4 KiB.
    package static func seal(
        key: String, name: EntryName, value: Span<UInt8>, created: Int64, modified: Int64,
        attributes: [String: String], with dataKey: DataKey
    ) throws(VaultError) -> [UInt8] {
        var nonces = BoxNonces(count: 1)
        return try seal(
            key: key, name: name, value: value, created: created, modified: modified,
            attributes: attributes, with: dataKey, nonces: &nonces)
    }

    /// The same, its N one of those drawn together for several entries.
    static func seal(
        key: String, name: EntryName, value: Span<UInt8>, created: Int64, modified: Int64,
        attributes: [String: String], with dataKey: DataKey, nonces: inout BoxNonces
    ) throws(VaultError) -> [UInt8] {
        guard name.owner == dataKey.owner else { throw .notPossible(what: EntryName.mismatch) }
        let header = EntryHeader(
            key: name.text, byteCount: UInt64(value.count), created: created, modified: modified,
            attributes: attributes)
        let plainHeader = try header.encoded(key: key)
        let headerBoxByteCount = plainHeader.byteCount + SecretBox.overhead
        let bodyOffset = EntryPrefix.byteCount + headerBoxByteCount
        guard
            let layout = EntryLayout(
                valueByteCount: UInt64(value.count), bodyOffset: bodyOffset)
        else {
            throw .valueTooLarge(key: key, limit: Int64(EntryPadding.valueByteCountLimit))
        }
        var sealed = [UInt8](repeating: 0, count: Int(layout.sealedByteCount))
        var all = sealed.mutableSpan
        do {
            var sealer = try BoxSealer(&nonces)
            EntryPrefix(
                dataKeyID: dataKey.id, noncePrefix: sealer.noncePrefix,
                headerBoxByteCount: headerBoxByteCount
            ).write(into: &all)
            var box = all._mutatingExtracting(EntryPrefix.byteCount..<bodyOffset)
            let headersKey = dataKey.headersKey
            try sealer.sealHeader(plainHeader.bytes, key: headersKey.bytes, into: &box)
            for index in 1...layout.boxCount {
                let start = Int(layout.boxOffset(index))
                let count = layout.pieceByteCount(index)
                var box = all._mutatingExtracting(start..<start + count + SecretBox.overhead)
                let from = Int(layout.pieceOffset(index))
                let isLast = index == layout.boxCount
                if !isLast, from + count <= value.count {
                    try sealer.sealNext(
                        value.extracting(from..<from + count), isLast: false, key: name.entryKey,
                        into: &box)
                    continue
                }
                var piece = SecretWriter(capacity: count)
                if from < value.count {
                    piece.append(value.extracting(from..<min(from + count, value.count)))
                }
                if isLast {
                    piece.padWithZeros(to: count - Int(EntryPadding.trailerByteCount))
                    piece.append(integer: UInt64(value.count))
                } else {
                    piece.padWithZeros(to: count)
                }
                try sealer.sealNext(piece.bytes, isLast: isLast, key: name.entryKey, into: &box)
            }
        } catch {
            throw VaultError(error, path: key)
        }
        return sealed
    }

    /// The value.
    ///
    /// `.damaged(key:)` if anything is not as it was written, or not by this name and data key;
    /// `.newerFormat`, whose path is the key.
    package static func openValue(
        _ sealed: Span<UInt8>, key: String, name: EntryName, with dataKey: DataKey
    ) throws(VaultError) -> SecretBuffer {
        let prefix = try prefix(of: sealed, with: dataKey, fault: .named(key))
        return try openValue(sealed, prefix, name: name, fault: .named(key))
    }

    /// The header, checked to hash to `id`.
    ///
    /// Only the bytes up to the end of box 0 are needed.
    ///
    /// If `key`, the name that the caller looks for, is given, what is wrong is `.damaged(key:)`, else
    /// `.vaultDamaged` with the id in hexadecimal for a path; or `.newerFormat`.
    ///
    /// `place` is the data key whose name of the entry the id is: another than `dataKey` only for bytes
    /// that a rotation could not open and carried over.
    package static func openHeader(
        _ sealed: Span<UInt8>, id: EntryID, key: String? = nil, with dataKey: DataKey,
        placedBy place: DataKey? = nil
    ) throws(VaultError) -> EntryHeader {
        let fault = EntryFault(key: key, id: id)
        let prefix = try prefix(of: sealed, with: dataKey, fault: fault)
        let header = try openBox(sealed, prefix, with: dataKey, fault: fault)
        guard try (place ?? dataKey).entryID(header.key) == id else { throw fault.damaged }
        return header
    }

    /// Header and value, each checked and the byte counts of both the same: for who verifies an
    /// entry or seals it anew.
    ///
    /// Errors as for ``openHeader(_:id:key:with:placedBy:)``.
    package static func open(
        _ sealed: Span<UInt8>, id: EntryID, key: String? = nil, with dataKey: DataKey
    ) throws(VaultError) -> UnsealedEntry {
        let fault = EntryFault(key: key, id: id)
        let prefix = try prefix(of: sealed, with: dataKey, fault: fault)
        let (header, name) = try openHeader(
            sealed, prefix, id: id, with: dataKey, placedBy: dataKey, fault: fault)
        let value = try openValue(sealed, prefix, name: name, fault: fault)
        guard UInt64(value.byteCount) == header.byteCount else { throw fault.damaged }
        return UnsealedEntry(header: header, value: value)
    }

    /// The prefix, if the entry was sealed under `dataKey`.
    static func prefix(
        of sealed: Span<UInt8>, with dataKey: DataKey, fault: EntryFault
    ) throws(VaultError) -> EntryPrefix {
        let prefix: EntryPrefix
        do {
            prefix = try EntryPrefix(parsing: sealed)
        } catch {
            throw error == .newerFormat ? fault.newerFormat : fault.damaged
        }
        guard prefix.names(dataKey) else { throw fault.damaged }
        return prefix
    }

    static func openHeader(
        _ sealed: Span<UInt8>, _ prefix: EntryPrefix, id: EntryID, with dataKey: DataKey,
        placedBy place: DataKey, fault: EntryFault
    ) throws(VaultError) -> (header: EntryHeader, name: EntryName) {
        let header = try openBox(sealed, prefix, with: dataKey, fault: fault)
        let name = try place.name(header.key)
        guard name.id == id else { throw fault.damaged }
        return (header, name)
    }

    /// What box 0 holds; whose it is is not looked at.
    private static func openBox(
        _ sealed: Span<UInt8>, _ prefix: EntryPrefix, with dataKey: DataKey, fault: EntryFault
    ) throws(VaultError) -> EntryHeader {
        guard sealed.count >= prefix.bodyOffset else { throw fault.damaged }
        var plain = SecretBuffer(byteCount: prefix.headerBoxByteCount - SecretBox.overhead)
        let headersKey = dataKey.headersKey
        do {
            var span = plain.mutableBytes
            try BoxOpener(noncePrefix: prefix.noncePrefix).open(
                sealed.extracting(EntryPrefix.byteCount..<prefix.bodyOffset), index: 0,
                isLast: false, key: headersKey.bytes, into: &span)
        } catch {
            throw fault.error(error)
        }
        guard let header = EntryHeader(decoding: plain.bytes) else { throw fault.damaged }
        return header
    }

    private static func openValue(
        _ sealed: Span<UInt8>, _ prefix: EntryPrefix, name: EntryName, fault: EntryFault
    ) throws(VaultError) -> SecretBuffer {
        guard
            let layout = EntryLayout(
                sealedByteCount: UInt64(sealed.count), bodyOffset: prefix.bodyOffset)
        else { throw fault.damaged }
        var value = SecretBuffer(unfilledByteCount: Int(layout.paddedByteCount))
        let valueByteCount: UInt64
        do {
            var span = value.mutableBytes
            valueByteCount = try openPieces(
                sealed, layout, BoxOpener(noncePrefix: prefix.noncePrefix), key: name.entryKey,
                into: &span)
        } catch {
            throw fault.error(error)
        }
        value.shorten(to: Int(valueByteCount))
        return value
    }

    /// Opens boxes 1 to n into the P bytes `padded` and answers how many of them are the value.
    ///
    /// The last box comes first: it proves that the end is there, and says where the value ends.
    private static func openPieces(
        _ sealed: Span<UInt8>, _ layout: EntryLayout, _ opener: BoxOpener, key: Span<UInt8>,
        into padded: inout MutableSpan<UInt8>
    ) throws(CryptoError) -> UInt64 {
        var valueByteCount: UInt64 = 0
        for step in 0..<layout.boxCount {
            let index = step == 0 ? layout.boxCount : step
            let from = Int(layout.pieceOffset(index))
            let count = layout.pieceByteCount(index)
            let start = Int(layout.boxOffset(index))
            var piece = padded._mutatingExtracting(from..<from + count)
            try opener.open(
                sealed.extracting(start..<start + count + SecretBox.overhead), index: index,
                isLast: step == 0, key: key, into: &piece)
            if step == 0 {
                guard let count = layout.valueByteCount(lastPiece: piece.span) else {
                    throw .cannotOpen
                }
                valueByteCount = count
            }
            guard layout.isCanonical(piece.span, index: index, of: valueByteCount) else {
                throw .cannotOpen
            }
        }
        return valueByteCount
    }
}

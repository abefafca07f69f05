import StrongroomCrypto
import StrongroomStores

@testable import StrongroomVault

/// Sealed entries, and what is inside their boxes.
enum EntryTargets {
    private static let keys = [
        "a", "service/github/token-001", "kilobyte", "folder/café", "piece", "pieces",
    ]

    /// Sealed bytes as they are: nothing opens but the frozen entries, each under its own name.
    ///
    /// The first byte says which name it is looked for under; 8 bytes more, how long the source says that it is.
    static func sealed(_ input: [UInt8]) throws {
        var recipe = Recipe(input)
        let key = keys[Int(recipe.byte()) % keys.count]
        let claimed = recipe.number(Int64.self) & .max
        let sealed = recipe.all()
        let name = try Frozen.dataKey.name(key)
        // Who wants the value alone does not look at the header.
        for (way, value) in try open(sealed, key, name, claimed: Int64(sealed.count)) {
            expect(
                frozen.contains { $0.value == value && (way == .value || $0.sealed == sealed) },
                "an entry that nobody sealed opens")
        }
        _ = try open(sealed, key, name, claimed: claimed)
    }

    private static let frozen = (0..<keys.count).map { number in
        do {
            return (
                sealed: try Frozen.file("\(number).entry"),
                value: try Frozen.file("\(number).value")
            )
        } catch {
            Finding.stop("frozen files: \(error)")
        }
    }

    /// What a header says, without a box.
    static func header(_ input: [UInt8]) throws {
        guard let header = EntryHeader(decoding: input.span) else { return }
        expect(
            try header.encoded(key: header.key).copyToArray() == input,
            "a header is not canonical")
        expect(KeyText(header.key)?.text == header.key, "a header holds what is no key")
    }

    /// Boxes that were sealed with the right keys, whatever is in them.
    ///
    /// Input: byte count of the header in units of 64, the header; then for each piece a byte: 0 to 127, so many bytes
    /// and 64 times as many in the next byte; from 128 on a whole piece of the byte after it.
    static func forged(_ input: [UInt8]) throws {
        var recipe = Recipe(input)
        let header = recipe.filled(64 * (1 + Int(recipe.byte()) % 127))
        let key = EntryHeader(decoding: header.span)?.key ?? "key"
        let name = try Frozen.dataKey.name(key)
        var pieces: [[UInt8]] = []
        while !recipe.isAtEnd, pieces.count < 4 {
            let kind = recipe.byte()
            if kind < 128 {
                pieces.append(recipe.bytes(Int(kind) + 64 * Int(recipe.byte())))
            } else {
                pieces.append(
                    [UInt8](repeating: recipe.byte(), count: EntryLayout.pieceByteCount))
            }
        }
        let sealed = try seal(header, pieces, name)
        let values = try open(sealed, key, name, claimed: Int64(sealed.count)).map(\.value)
        guard let value = values.first else { return }
        expect(values.allSatisfy { $0 == value }, "two ways to open an entry differ")
        guard values.count == 3, let read = EntryHeader(decoding: header.span) else { return }
        // What opens whole is what would be sealed.
        expect(read.byteCount == UInt64(value.count), "a header tells another length")
        let again = try SealedEntry.seal(
            key: key, name: name, value: value.span, created: read.created,
            modified: read.modified, attributes: read.attributes, with: Frozen.dataKey)
        expect(again.count == sealed.count, "a sealed entry is not canonical")
    }

    private static func seal(
        _ header: [UInt8], _ pieces: [[UInt8]], _ name: EntryName
    ) throws -> [UInt8] {
        var sealer = try BoxSealer()
        var sealed = [UInt8](repeating: 0, count: EntryPrefix.byteCount + header.count + 16)
        var all = sealed.mutableSpan
        EntryPrefix(
            dataKeyID: Frozen.dataKey.id, noncePrefix: sealer.noncePrefix,
            headerBoxByteCount: header.count + 16
        ).write(into: &all)
        var box = all._mutatingExtracting(EntryPrefix.byteCount...)
        let headersKey = Frozen.dataKey.headersKey
        try sealer.sealHeader(header.span, key: headersKey.bytes, into: &box)
        for (index, piece) in pieces.enumerated() {
            var box = [UInt8](repeating: 0, count: piece.count + 16)
            var span = box.mutableSpan
            try sealer.sealNext(
                piece.span, isLast: index == pieces.count - 1, key: name.entryKey, into: &span)
            sealed += box
        }
        return sealed
    }

    /// How an entry can be opened.
    private enum Way { case value, whole, streamed }

    /// What each way to open an entry answers, less those that find damage.
    private static func open(
        _ sealed: [UInt8], _ key: String, _ name: EntryName, claimed: Int64
    ) throws -> [(way: Way, value: [UInt8])] {
        var values: [(way: Way, value: [UInt8])] = []
        let ways: [(Way, () throws -> [UInt8])] = [
            (
                .value,
                {
                    try SealedEntry.openValue(
                        sealed.span, key: key, name: name, with: Frozen.dataKey
                    ).copyToArray()
                }
            ),
            (
                .whole,
                {
                    try SealedEntry.open(sealed.span, id: name.id, key: key, with: Frozen.dataKey)
                        .value.copyToArray()
                }
            ),
            (
                .streamed,
                {
                    var opening = try EntryOpening(
                        ClaimingSource(sealed, byteCount: claimed), id: name.id, key: key,
                        with: Frozen.dataKey)
                    var value: [UInt8] = []
                    while let piece = try opening.next() { value += piece.copyToArray() }
                    return value
                }
            ),
        ]
        for (way, open) in ways {
            let value = try allowing(
                { (error: VaultError) in
                    error == .damaged(key: key) || error == .newerFormat(path: key)
                }, open)
            if let value { values.append((way, value)) }
        }
        return values
    }
}

/// A source that says how long it is, whatever it has.
private struct ClaimingSource: SealedSource {
    private let bytes: [UInt8]
    let byteCount: Int64

    init(_ bytes: [UInt8], byteCount: Int64) {
        self.bytes = bytes
        self.byteCount = byteCount
    }

    func read(at offset: Int64, count: Int) throws(VaultError) -> [UInt8] {
        expect(count <= EntryLayout.pieceByteCount + 16, "a claimed length takes memory")
        guard offset < Int64(bytes.count) else { return [] }
        return Array(bytes[Int(offset)...].prefix(count))
    }
}

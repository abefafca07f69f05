import StrongroomCrypto
import StrongroomStores
import StrongroomVault

/// An entry, sealed, with what opens it.
struct SealedSample {
    let key: String
    let value: [UInt8]
    let dataKey: DataKey
    let name: EntryName
    let sealed: [UInt8]

    init(
        key: String = "key", value: [UInt8], created: Int64 = 1, modified: Int64 = 2,
        attributes: [String: String] = [:], dataKey: DataKey? = nil
    ) throws {
        self.key = key
        self.value = value
        let dataKey = try dataKey ?? DataKey.random()
        self.dataKey = dataKey
        name = try dataKey.name(key)
        sealed = try SealedEntry.seal(
            key: key, name: name, value: value.span, created: created, modified: modified,
            attributes: attributes, with: dataKey)
    }

    /// The value inside of `sealed`, opened as this entry.
    func openValue(_ sealed: [UInt8]) throws -> [UInt8] {
        try SealedEntry.openValue(sealed.span, key: key, name: name, with: dataKey).copyToArray()
    }

    /// The header of `sealed`, opened as this entry's.
    func openHeader(_ sealed: [UInt8]) throws -> EntryHeader {
        try SealedEntry.openHeader(sealed.span, id: name.id, key: key, with: dataKey)
    }

    /// Header and value of `sealed`, opened as this entry's; answers the value.
    func openWhole(_ sealed: [UInt8]) throws -> [UInt8] {
        let whole = try SealedEntry.open(sealed.span, id: name.id, key: key, with: dataKey)
        return whole.value.copyToArray()
    }

    /// The value of `sealed`, opened piece by piece as this entry's.
    func openStreamed(_ sealed: [UInt8]) throws -> [UInt8] {
        var opening = try EntryOpening(
            SealedMemory(sealed), id: name.id, key: key, with: dataKey)
        var value: [UInt8] = []
        while let piece = try opening.next() { value += piece.copyToArray() }
        return value
    }

    /// Every way to open `sealed` as this entry, by name.
    var waysToOpen: [(name: String, open: ([UInt8]) throws -> [UInt8])] {
        [("value", openValue), ("whole", openWhole), ("streamed", openStreamed)]
    }
}

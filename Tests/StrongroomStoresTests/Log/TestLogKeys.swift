import StrongroomStores

/// Keyed hashes that need no keys: what they are is the vault's business.
struct TestLogKeys: LogKeys {
    func chainTag(of message: Span<UInt8>, owner: OwnerID) throws(StoreError) -> Bytes16 {
        try hash(message, "chain", owner)
    }

    func indexTag(of message: Span<UInt8>, owner: OwnerID) throws(StoreError) -> Bytes16 {
        try hash(message, "index", owner)
    }

    private func hash(
        _ message: Span<UInt8>, _ purpose: String, _ owner: OwnerID
    ) throws(StoreError) -> Bytes16 {
        var bytes = Array(purpose.utf8) + owner.bytes
        for index in message.indices { bytes.append(message[index]) }
        var words: [UInt8] = []
        for half in 0..<2 {
            let sum = try ContentHash.sum((bytes + [UInt8(half)]).span)
            for index in 0..<8 { words.append(UInt8(truncatingIfNeeded: sum >> UInt64(8 * index))) }
        }
        return Bytes16(words.span)
    }
}

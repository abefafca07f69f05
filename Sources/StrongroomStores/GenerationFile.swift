/// The file `vault/entries`: which generation of entries is the current one, and whose it is.
///
/// It is replaced whole.
///
/// | offset | size | what |
/// |---|---|---|
/// | 0 | 4 | `SRF1` |
/// | 4 | 8 | store generation: the entries are in `entries.<generation>`, in decimal |
/// | 12 | 8 | owner id: of the one data key that seals the entries |
/// | 20 | 8 | SipHash of bytes 0 to 19 under `strongroom/store` (``ContentHash``) |
///
/// 28 bytes, integers little-endian. The sum finds damage; what belongs together is the vault's to judge.
package struct GenerationFile: Hashable, Sendable {
    /// Bytes in the file.
    package static let byteCount = 28

    /// 1 for the first.
    package let generation: UInt64
    /// Whose it is.
    package let owner: OwnerID

    /// A file of its fields.
    package init(generation: UInt64, owner: OwnerID) {
        self.generation = generation
        self.owner = owner
    }

    /// The file's bytes.
    package func encoded() throws(StoreError) -> [UInt8] {
        var bytes = Array("SRF1".utf8)
        bytes.appendLittleEndian(generation)
        bytes += owner.bytes
        bytes.appendLittleEndian(try ContentHash.sum(bytes.span))
        return bytes
    }

    /// The file that `bytes` are; `path` is for the error.
    package init(decoding bytes: [UInt8], path: String) throws(StoreError) {
        let damaged = StoreError.storeDamaged(path: path, what: "not a list of generations")
        var reader = ByteReader(bytes)
        guard let magic = reader.bytes(4), magic.starts(with: Array("SRF".utf8)) else {
            throw damaged
        }
        guard magic[3] == UInt8(ascii: "1") else {
            let isVersion = (UInt8(ascii: "2")...UInt8(ascii: "9")).contains(magic[3])
            throw isVersion ? .newerFormat(path: path) : damaged
        }
        guard let generation = reader.number(UInt64.self), let owner = reader.bytes(8),
            let sum = reader.number(UInt64.self), reader.isAtEnd,
            try ContentHash.sum(bytes.span.extracting(0..<20)) == sum, generation > 0
        else { throw damaged }
        self.generation = generation
        self.owner = OwnerID(owner)
    }
}

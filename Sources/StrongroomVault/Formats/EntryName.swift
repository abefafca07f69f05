import StrongroomCrypto
package import StrongroomStores

/// What an entry's name gives under a data key: its place and its own key.
///
/// Keyed BLAKE2b of the normal form's UTF-8 under the entries key, 64 bytes: the first 20 are the
/// id, the last 32 the entry key. So ids say nothing of names, and an entry moved to another name,
/// vault or app cannot open there.
package struct EntryName: Sendable {
    /// Bytes of an id.
    package static let idByteCount = 20
    /// Bytes of the hash of a name.
    static let hashByteCount = 64

    /// The name in normal form C, as the header keeps it.
    package let text: String
    /// Under which the store keeps the entry, 20 bytes.
    package let id: EntryID
    /// The data key that this is a name under.
    package let owner: OwnerID
    private let hash: SecretKey

    static let mismatch = "the name of an entry under one data key cannot be sealed with another"

    init(_ name: KeyText, under dataKey: DataKey) throws(VaultError) {
        let hash: SecretKey
        let entriesKey = dataKey.entriesKey
        do {
            hash = try SecretKey(byteCount: Self.hashByteCount) {
                (hash: inout MutableSpan<UInt8>) throws in
                try KeyedHash.hash(name.text.utf8.span, key: entriesKey.bytes, into: &hash)
            }
        } catch {
            throw VaultError(untyped: error, path: "")
        }
        self.hash = hash
        text = name.text
        owner = dataKey.owner
        id = EntryID([UInt8](copying: hash.bytes.extracting(0..<Self.idByteCount)))
    }

    /// What seals the value, 32 bytes.
    var entryKey: Span<UInt8> {
        @_lifetime(borrow self) get { hash.bytes.extracting(32..<64) }
    }
}

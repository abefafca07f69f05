/// What a vault says of itself.
package struct VaultStatus: Sendable {
    /// 32 hexadecimal digits.
    package var vaultID: String
    /// The app that it belongs to.
    package var app: String
    /// The id of the master key in use, 32 hexadecimal digits.
    package var keyID: String
    /// Where that came from: a path, or the name of a source.
    package var keySource: String
    /// True if a passphrase opens the key.
    package var isSealed: Bool
    /// `log` or `files`.
    package var layout: String
    /// The version of the formats.
    package var format: Int
    /// How often the keyring was written.
    package var keyringGeneration: UInt64
    /// Where it stands between two master keys.
    package var rotation: RotationState
    /// Entries in the store.
    package var entryCount: Int
    /// Bytes of the sealed entries, in a log with what it says of them.
    package var byteCount: Int64
    /// Bytes of a log that hold nothing any more; 0 in the layout of files.
    package var garbageByteCount: Int64
    /// Whether an older copy of the vault would be told from it.
    package var rollbackProtection: RollbackProtection
    /// True if this is one.
    package var isRolledBack: Bool
}

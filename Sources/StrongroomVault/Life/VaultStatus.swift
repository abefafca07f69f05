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
    /// `files`.
    package var layout: String
    /// The version of the formats.
    package var format: Int
    /// How often the keyring was written.
    package var keyringGeneration: UInt64
    /// Where it stands between two master keys.
    package var rotation: RotationState
    /// Entries in the store.
    package var entryCount: Int
    /// Bytes of the sealed entries.
    package var byteCount: Int64
}

package import StrongroomCrypto
package import StrongroomSystem

/// Where a vault's master key comes from.
package enum MasterKeySource: Sendable {
    /// A key file, which rotation replaces.
    ///
    /// `isCredential`: it lies in `$CREDENTIALS_DIRECTORY`, where its group may read it and nothing is written.
    case file(Path, isCredential: Bool)
    /// The text of a key file, from an environment variable, a descriptor or a command; `name` is for messages.
    case text(SecretKey, name: String)
    /// In memory, made with the vault and gone with it: for a vault in memory.
    case memory
}

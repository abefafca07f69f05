package import StrongroomSystem

/// Where a vault's keyring and sealed entries are.
package enum VaultLocation: Hashable, Sendable {
    /// The directory `vault/`, which may be reached through symbolic links.
    case directory(Path)
    /// In memory, touching no disk, gone with its `Vault`.
    case memory
}

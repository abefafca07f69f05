package import StrongroomVault

/// How a vault keeps its sealed entries.
///
/// It counts when the vault is made: one that is there keeps its layout. See <doc:ChoosingALayout>.
public enum VaultLayout: String, Sendable, CaseIterable {
    /// One append-only log, which notices when it is older than what was seen before.
    case log
    /// A file an entry: for network disks, and for programs that synchronise file by file.
    case files
}

extension VaultLayout {
    /// What a vault is configured with.
    package var configured: StrongroomVault.VaultLayout {
        switch self {
        case .log: .log
        case .files: .files
        }
    }
}

/// How a vault keeps its entries.
package enum VaultLayout: String, Sendable, CaseIterable {
    /// One append-only log, which notices when it is older than what was seen.
    case log
    /// A file an entry, for who syncs by file.
    case files

    init(_ layout: Keyring.Layout) {
        switch layout {
        case .log: self = .log
        case .files: self = .files
        }
    }

    /// As it stands in a keyring.
    var inKeyring: Keyring.Layout {
        switch self {
        case .log: .log
        case .files: .files
        }
    }
}

package import StrongroomCrypto

/// One change of a commit.
package enum VaultChange: Sendable {
    /// Make or replace the entry of `key`; `times` for a copy that keeps them, else it is set now.
    case set(
        key: String, value: SecretBytes, attributes: [String: String], times: EntryTimes? = nil)
    /// Remove it; one that is absent stays absent.
    case del(key: String)

    /// Which entry it changes.
    package var key: String {
        switch self {
        case .set(let key, _, _, _), .del(let key): key
        }
    }
}

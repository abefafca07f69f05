public import FoundationEssentials
import StrongroomVault

/// What a vault's entry says of itself beside its value.
public struct EntryDetails: Equatable, Sendable {
    /// The key, in normal form C.
    public let key: String
    /// How many bytes the value has.
    public let byteCount: Int64
    /// When the entry was first set.
    public let created: Date
    /// When the entry was last set.
    public let modified: Date
    /// What was stored with the value, sealed like it: at most 4 KiB in all.
    public let attributes: [String: String]

    init(_ info: EntryInfo) {
        key = info.key
        byteCount = Int64(clamping: info.byteCount)
        created = Self.date(info.created)
        modified = Self.date(info.modified)
        attributes = info.attributes
    }

    private static func date(_ nanoseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(nanoseconds) / 1e9)
    }
}

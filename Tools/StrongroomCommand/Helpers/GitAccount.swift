import StrongroomFormats

/// One credential of a host, before it is opened.
struct GitAccount: Equatable {
    /// Its key.
    var key: GitKey
    /// The higher, the later it was stored; 0 if it was set by other means than git's `store`.
    var number: UInt64

    /// The attributes of an entry that holds a credential.
    enum Attribute {
        static let number = "number"
        static let passwordExpiry = "password_expiry_utc"
        static let refreshToken = "oauth_refresh_token"
    }

    /// The number that attributes tell.
    static func number(_ attributes: [String: String]) -> UInt64 {
        attributes[Attribute.number].flatMap { UInt64($0) } ?? 0
    }

    /// The one stored last first; of several that nobody numbered, by key, so that the answer is the same every time.
    static func isNewer(_ left: GitAccount, _ right: GitAccount) -> Bool {
        left.number == right.number ? left.key.text < right.key.text : left.number > right.number
    }
}

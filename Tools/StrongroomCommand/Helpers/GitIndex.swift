import StrongroomCrypto
import StrongroomFormats
import StrongroomStores

/// What the entry `git/<protocol>/<host>` tells of the credentials of that host, so that `get` need not open the header of
/// every entry of the vault to find the one stored last.
///
/// `store` and `erase` write it in the commit that changes a credential, from what they find in the vault itself. It holds
/// a line `number key` for each credential that `store` numbered, the newest first. It is a help and no more: `get`
/// believes it only where the entry that it names has that number, and otherwise looks at all.
struct GitIndex {
    /// The attribute that tells it from an entry that somebody set under that key, which is left alone.
    static let attribute = "index"
    /// Its value: what the lines are.
    static let mark = "git-1"

    /// Credentials, the newest first.
    var accounts: [GitAccount]

    /// What was found under its key.
    enum Found {
        /// Nothing: it may be made.
        case absent
        /// An index, which may be replaced.
        case index(GitIndex, Version)
        /// Something else, or what cannot be read: nobody touches it.
        case other
    }

    /// An index of what `store` numbered of these.
    init(_ accounts: [GitAccount]) {
        self.accounts = accounts.filter { $0.number > 0 }.sorted(by: GitAccount.isNewer)
    }

    /// Reads one of `folder`; nil if a line is not as it should be.
    init?(reading bytes: Span<UInt8>, folder: String) {
        guard let text = String(validating: Self.copy(bytes), as: UTF8.self) else { return nil }
        accounts = []
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count == 2, let number = UInt64(parts[0]), number > 0,
                let key = GitKey(String(parts[1])), key.folder == folder
            else { return nil }
            accounts.append(GitAccount(key: key, number: number))
        }
    }

    /// The lines.
    var bytes: [UInt8] {
        var text = ""
        for account in accounts { text += "\(account.number) \(account.key.text)\n" }
        return Array(text.utf8)
    }

    private static func copy(_ bytes: Span<UInt8>) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        for index in bytes.indices { copy.append(bytes[index]) }
        return copy
    }
}

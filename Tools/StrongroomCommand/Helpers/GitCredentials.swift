import StrongroomCrypto
import StrongroomFormats
import StrongroomStores
import StrongroomVault

/// The credentials of one protocol and host in the vault.
struct GitCredentials {
    /// The vault.
    let place: VaultPlace
    /// `git/<protocol>/<host>`.
    let folder: String

    /// How often a commit that others were faster than is tried again.
    static let attemptLimit = 100

    /// Of the credentials that `asked` describes, the one stored last that is not expired at `now`, in nanoseconds since
    /// 1970.
    func newest(_ asked: GitCredential, now: Int64) throws(Failure) -> GitCredential? {
        if let key = GitKey(asked), key.path != nil {
            // Nothing else can be meant.
            guard let entry = try place.open(key.text) else { return nil }
            return try offered(key, entry, now)
        }
        let index = try index()
        if case .index(let index, _) = index, let found = try newest(of: index, asked, now) {
            return found
        }
        if case .absent = index, let found = try onlySet(asked, now) { return found }
        let listing = try place.list()
        for account in accounts(listing).sorted(by: GitAccount.isNewer)
        where asked.matches(account.key) {
            guard let entry = try place.open(account.key.text) else { continue }
            if let found = try offered(account.key, entry, now) { return found }
        }
        // One that cannot be read may be what was asked for.
        for failure in listing.failures where failure.mayConcern(keysBelow: folder + "/") {
            throw failure
        }
        return nil
    }

    /// The same by the index; nil if that does not lead to one.
    private func newest(
        of index: GitIndex, _ asked: GitCredential, _ now: Int64
    ) throws(Failure) -> GitCredential? {
        for account in index.accounts where asked.matches(account.key) {
            guard let entry = try place.open(account.key.text),
                GitAccount.number(entry.attributes) == account.number
            else { return nil }
            if let found = try offered(account.key, entry, now) { return found }
        }
        return nil
    }

    /// The credential of the account that is named, where the host has none that was stored by git but one that was set by
    /// other means: none is later than that.
    private func onlySet(_ asked: GitCredential, _ now: Int64) throws(Failure) -> GitCredential? {
        guard let key = GitKey(asked), let entry = try place.open(key.text),
            GitAccount.number(entry.attributes) == 0
        else { return nil }
        return try offered(key, entry, now)
    }

    /// Every credential that a listing tells of.
    func accounts(_ listing: EntryListing) -> [GitAccount] {
        var accounts: [GitAccount] = []
        for entry in listing.below(folder) {
            guard let key = GitKey(entry.key), key.folder == folder else { continue }
            accounts.append(GitAccount(key: key, number: GitAccount.number(entry.attributes)))
        }
        return accounts
    }

    /// What the vault has under the key of the index.
    func index() throws(Failure) -> GitIndex.Found {
        do throws(Failure) {
            guard let entry = try place.open(folder) else { return .absent }
            guard entry.attributes[GitIndex.attribute] == GitIndex.mark,
                let value = try place.helperValue(entry),
                let index = GitIndex(reading: value.bytes, folder: folder)
            else { return .other }
            return .index(index, try entry.version())
        } catch {
            // What is wrong with a help is no reason to give no answer.
            guard error.status == .damaged, !error.isRollback else { throw error }
            return .other
        }
    }

    /// What git is told of an entry: account and password, and what is kept with them; nil if it is expired.
    private func offered(
        _ key: GitKey, _ entry: any EntryPieces, _ now: Int64
    ) throws(Failure) -> GitCredential? {
        var found = GitCredential()
        found.username = key.username
        if let text = entry.attributes[GitAccount.Attribute.passwordExpiry] {
            guard let expiry = UInt64(text) else {
                throw Failure(
                    .damaged, key.text,
                    "its attribute \(GitAccount.Attribute.passwordExpiry) is no time",
                    advice: "let git store it anew")
            }
            guard expiry > UInt64(max(0, now / 1_000_000_000)) else { return nil }
            found.passwordExpiry = expiry
        }
        guard let value = try place.helperValue(entry) else {
            throw Failure(.failed, key.text, "the value is too large for a password")
        }
        found.password = value.buffer.copyToArray()
        found.refreshToken = entry.attributes[GitAccount.Attribute.refreshToken]
            .map { Array($0.utf8) }
        return found
    }
}

import StrongroomCrypto
import StrongroomFormats
import StrongroomStores
import StrongroomVault

extension GitCredentials {
    /// Keeps `given`, a whole credential, under `key` as the one stored last of its host.
    ///
    /// Git stores what it was given with every use: what is that already is left as it is.
    func store(_ given: GitCredential, _ key: GitKey) throws(Failure) {
        guard let password = given.password else { return }
        var attributes: [String: String] = [:]
        if let expiry = given.passwordExpiry {
            attributes[GitAccount.Attribute.passwordExpiry] = String(expiry)
        }
        if let token = given.refreshToken {
            let name = GitAccount.Attribute.refreshToken
            guard let text = String(validating: token, as: UTF8.self) else {
                throw Failure(.usage, name, "is not UTF-8")
            }
            attributes[name] = text
        }
        let value = SecretBytes(SecretBuffer(copying: password.span))
        try changing { (index) throws(Failure) in
            if case .index(let index, _) = index, let newest = index.accounts.first,
                newest.key == key
            {
                attributes[GitAccount.Attribute.number] = String(newest.number)
                if try isStored(key, value, attributes) { return nil }
            }
            var others = accounts(try place.list())
            var highest: UInt64 = 0
            for account in others { highest = max(highest, account.number) }
            let number = highest == .max ? highest : highest + 1
            attributes[GitAccount.Attribute.number] = String(number)
            others.removeAll { $0.key == key }
            return Change(
                changes: [.set(key: key.text, value: value, attributes: attributes)],
                left: others + [GitAccount(key: key, number: number)])
        }
    }

    /// Removes what `described` describes; if that names a password, only where it is the stored one.
    func erase(_ described: GitCredential) throws(Failure) {
        var failures: [Failure] = []
        try changing { (_) throws(Failure) in
            let listing = try place.list()
            failures = listing.failures
            var change = Change()
            for account in accounts(listing) {
                guard described.matches(account.key), let entry = try place.open(account.key.text)
                else {
                    change.left.append(account)
                    continue
                }
                if let password = described.password {
                    let stored = try place.helperValue(entry)
                    guard let stored, Self.isEqual(stored, password) else {
                        change.left.append(account)
                        continue
                    }
                }
                change.changes.append(.del(key: account.key.text))
                // A newer one that was stored meanwhile stays.
                change.conditions.updateValue(try entry.version(), forKey: account.key.text)
            }
            return change.changes.isEmpty ? nil : change
        }
        for failure in failures where failure.mayConcern(keysBelow: folder + "/") {
            throw failure
        }
    }

    /// What is to be done to the credentials of the host.
    private struct Change {
        var changes: [VaultChange] = []
        var conditions: [String: Version?] = [:]
        /// Those that are there then.
        var left: [GitAccount] = []
    }

    /// Commits what `body` wants, nil being nothing, together with the index that fits; begins anew if another was faster.
    private func changing(
        _ body: (GitIndex.Found) throws(Failure) -> Change?
    ) throws(Failure) {
        for _ in 0..<Self.attemptLimit {
            let index = try index()
            guard var change = try body(index) else { return }
            switch index {
            case .absent: change.conditions.updateValue(nil, forKey: folder)
            case .index(_, let version): change.conditions.updateValue(version, forKey: folder)
            case .other: break
            }
            if case .other = index {} else { change.changes.append(indexChange(change.left)) }
            do throws(VaultError) {
                try place.vault.commit(change.changes, if: change.conditions)
                return
            } catch {
                guard case .changed = error else { throw place.failure(error) }
            }
        }
        throw Failure(.busy, folder, "others change it all the time", advice: "try again")
    }

    private func indexChange(_ left: [GitAccount]) -> VaultChange {
        let index = GitIndex(left)
        if index.accounts.isEmpty { return .del(key: folder) }
        let bytes = index.bytes
        return .set(
            key: folder, value: SecretBytes(SecretBuffer(copying: bytes.span)),
            attributes: [GitIndex.attribute: GitIndex.mark])
    }

    private func isStored(
        _ key: GitKey, _ value: SecretBytes, _ attributes: [String: String]
    ) throws(Failure) -> Bool {
        guard let entry = try place.open(key.text), entry.attributes == attributes,
            let stored = try place.helperValue(entry)
        else { return false }
        return equalInConstantTime(stored.bytes, value.bytes)
    }

    private static func isEqual(_ stored: SecretBytes, _ password: [UInt8]) -> Bool {
        let given = password.span
        return equalInConstantTime(stored.bytes, given)
    }
}

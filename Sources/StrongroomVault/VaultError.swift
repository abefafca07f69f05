/// What a vault can say no with.
///
/// No case holds a value or a byte of a key; `key` is an entry's name as the caller gave it.
package enum VaultError: Error, Equatable, Sendable {
    /// There is no vault at `path`, nor traces of one.
    case noVault(path: String)
    /// The master key is not where it should be, but the vault is.
    case masterKeyMissing(path: String)
    /// Somebody other than its owner can read the key file, or it belongs to somebody else.
    case masterKeyExposed(path: String, reason: String)
    /// The key file is no key file: what is wrong with it.
    case masterKeyMalformed(path: String, reason: String)
    /// The key is sound but is not the one that the keyring names.
    case wrongMasterKey(path: String)
    /// The passphrase does not open the sealed key file.
    case wrongPassphrase(path: String)
    /// The key file is sealed and no passphrase could be had.
    case passphraseMissing(path: String)
    /// The vault belongs to another app.
    case wrongApp(expected: String, found: String)
    /// A key outside the promises of ARCHITECTURE section 3.
    case invalidKey(key: String)
    /// There is no entry of this key, or of this `id:` and 40 hexadecimal digits, to be given up.
    case noEntry(key: String)
    /// One entry's bytes are not what was written.
    case damaged(key: String)
    /// The vault's own file, or an entry whose name cannot be known, is not what was written.
    case vaultDamaged(path: String, what: String)
    /// Everything is whole and yet does not belong together: somebody changed it on purpose.
    case tampered(path: String, what: String)
    /// Older than what was seen before.
    case rolledBack(path: String, what: String)
    /// Made by a newer version.
    case newerFormat(path: String)
    /// It is there already, or belongs to another vault, or another operation is unfinished.
    case exists(path: String, what: String)
    /// The operation cannot be done with this key source, layout or state; what to do instead.
    case notPossible(what: String)
    /// A condition of a commit did not hold.
    case changed(key: String)
    /// Attributes over 4 KiB, or a value over what the format holds.
    case valueTooLarge(key: String, limit: Int64)
    /// The lock did not come free in time.
    case busy(path: String)
    /// Stopped at the caller's wish, between two steps, or by a signal that the caller notes, waiting for a lock.
    case cancelled
    /// A write failed in a way that leaves open whether it stands.
    case outcomeUnknown(path: String)
    /// Somebody who is neither the directory's owner nor root wanted to write.
    case notOwner(path: String)
    /// A system call failed.
    case system(operation: String, path: String, code: Int32)
}

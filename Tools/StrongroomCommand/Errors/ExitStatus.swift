/// The command's exit statuses.
///
/// Scripts depend on the numbers.
package enum ExitStatus: Int32, Sendable {
    /// Done.
    case done = 0
    /// Failed for another reason, which standard error names.
    case failed = 1
    /// Wrong usage, or an invalid key.
    case usage = 2
    /// There is no entry of that key.
    case noEntry = 3
    /// The master key is missing, malformed or readable by others, or no passphrase could be had.
    case masterKey = 4
    /// The master key, its passphrase or the app is not the one of this vault.
    case wrongKey = 5
    /// An entry, the store or the keyring is damaged or was tampered with.
    case damaged = 6
    /// Made by a newer version.
    case newer = 7
    /// The lock did not come free in time.
    case busy = 8
    /// It exists already, or conflicts.
    case exists = 9
    /// `exec` did not get as far as running the program.
    case notStarted = 125
    /// The program that `exec` is to run cannot be run.
    case notExecutable = 126
    /// There is no such program.
    case notFound = 127
}

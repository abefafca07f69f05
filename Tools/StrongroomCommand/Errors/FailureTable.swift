import Strongroom
import StrongroomStores
import StrongroomSystem
import StrongroomVault

/// What the command says, and ends with, for each error of the library: the one table of both.
extension Failure {
    /// The failure that `error` is.
    init(_ error: StrongroomError) { self = Self.of(error) }
    /// The failure that an error of the vault is.
    init(_ error: VaultError) { self.init(StrongroomError(error)) }
    /// The failure that an error of a plain area's store is.
    init(_ error: StoreError) { self.init(StrongroomError(error)) }
    /// The failure that an error of the system is.
    init(_ error: SystemError) { self.init(StrongroomError(error)) }
    /// The failure that an app without directories is.
    init(_ error: DirectoryError) { self.init(StrongroomError(error)) }

    private static func of(_ error: StrongroomError) -> Failure {
        switch error {
        case .noValue(let key): noEntry(key)
        case .invalidKey(let key): invalidKey(key)
        case .invalidApp(let app):
            Failure(
                .usage, app, "this is no app id",
                advice: "up to 128 of A-Z a-z 0-9 . _ -, a letter or digit first")
        case .keyConflict(let key):
            Failure(
                .exists, key, "an entry cannot be a folder of others too in a plain area",
                advice: "take another key, or del what is in the way")
        case .cannotEncode(let key, _): Failure(.failed, key, "the value cannot be encoded")
        case .cannotDecode(let key, _): Failure(.failed, key, "the value cannot be decoded")
        case .changed(let key):
            Failure(
                .exists, key, "another writer changed the entry meanwhile", advice: "try again")
        case .valueTooLarge(let key, let limit):
            Failure(.failed, key, "more than \(limit) bytes", advice: "the old value stays")
        case .noVault(let path):
            Failure(.failed, path, "there is no vault", advice: "strongroom init makes one")
        case .masterKeyMissing(let path):
            Failure(
                .masterKey, path, "the master key is missing",
                advice: "put the file back, or give a copy of it to strongroom key import; "
                    + "a first vault is made by strongroom init")
        case .masterKeyExposed(let path, let reason):
            Failure(
                .masterKey, path, "the master key is exposed: \(Escaping.shown(reason))",
                advice: "give it to its user alone (chmod 600), and rotate if it may have leaked")
        case .masterKeyMalformed(let path, let reason):
            Failure(
                .masterKey, path, "the master key is malformed: \(Escaping.shown(reason))",
                advice: "put a sound copy of the key there")
        case .passphraseMissing(let path):
            Failure(
                .masterKey, path, "the master key is sealed and there is no passphrase",
                advice:
                    "use a terminal, or --passphrase-file, --passphrase-fd, --passphrase-command")
        case .wrongMasterKey(let path):
            Failure(
                .wrongKey, path, "the master key is not the one of this vault",
                advice: "name the right one with --key-file; "
                    + "if it is that, the keyring is an older one: "
                    + "put the newest back")
        case .wrongPassphrase(let path):
            Failure(
                .wrongKey, path, "the passphrase is wrong", advice: "try again with the right one")
        case .wrongApp(let expected, let found):
            Failure(
                .wrongKey, expected, "the vault belongs to the app \(Escaping.shown(found))",
                advice: "name that one with --app")
        case .damaged(let key):
            Failure(
                .damaged, key, "the entry is damaged",
                advice: "set it anew or restore a backup; strongroom check names all that is wrong")
        case .storeDamaged(let path, let what):
            Failure(
                .damaged, path, "damaged: \(Escaping.shown(what))",
                advice: isLock(path)
                    ? "move it away: it is only a lock, and made again"
                    : "restore a backup; nothing was changed")
        case .tampered(let path, let what):
            Failure(
                .damaged, path, "somebody tampered with it: \(Escaping.shown(what))",
                advice: "find out who wrote there, and restore a backup")
        case .rolledBack(let path, let what): rolledBack(path, what)
        case .newerFormat(let path):
            Failure(
                .newer, path, "made by a newer version of strongroom",
                advice: "use that version; nothing was changed")
        case .exists(let path, let what):
            // What says itself what to do needs no more advice.
            Failure(
                .exists, path, Escaping.shown(what),
                advice: what.contains(";") ? nil : "nothing was changed")
        case .notPossible(let what): Failure(.usage, Escaping.shown(what))
        case .noSpace(let path):
            Failure(
                .failed, path, "no space on the disk", advice: "make space and do it again")
        case .noPermission(let path):
            Failure(
                .failed, path, "no permission",
                advice: "run as the owner of the directory, or set its owner and mode right")
        case .readOnly(let path):
            Failure(.failed, path, "read-only", advice: "nothing was changed")
        case .busy(let path):
            Failure(
                .busy, path, "busy: another process holds the lock",
                advice: "try again, or wait longer with --wait")
        case .cancelled: .interrupted
        case .outcomeUnknown(let path):
            Failure(
                .failed, path, "a write failed and may or may not stand",
                advice: "read it again to see which")
        case .system(_, let path, ErrorCode.fileTooLarge):
            Failure(
                .failed, path, "larger than files may be",
                advice: "raise the limit (ulimit -f) and do it again")
        case .system(_, let path, ErrorCode.tooManyOpen):
            Failure(
                .failed, path, "too many open files",
                advice: "raise the limit (ulimit -n) and do it again")
        case .system(let operation, let path, let code):
            Failure(
                .failed, path.isEmpty ? operation : path,
                "\(operation): "
                    + SystemError(operation: operation, path: path, code: code).meaning)
        }
    }

    /// True if the file is one of a vault's locks, in which nothing is kept.
    private static func isLock(_ path: String) -> Bool {
        ["/lock", "/gate", "/job"].contains { path.hasSuffix("vault" + $0) }
    }

    /// That the vault at `path` is older than what was seen.
    private static func rolledBack(_ path: String, _ what: String) -> Failure {
        var failure = Failure(
            .damaged, path, "older than what was seen before: \(Escaping.shown(what))",
            advice: "put the newest back, or, if you meant this one, "
                + "say so with strongroom check --accept-rollback")
        failure.isRollback = true
        return failure
    }

    /// That `key` is no key.
    static func invalidKey(_ key: String) -> Failure {
        Failure(
            .usage, key.isEmpty ? "(empty key)" : key, "this is no key",
            advice: "a key is 1 to \(KeyText.byteCountLimit) bytes of UTF-8 without NUL")
    }

    /// That there is no entry `key`.
    static func noEntry(_ key: String) -> Failure {
        Failure(.noEntry, key, "there is no entry", advice: "strongroom list shows the keys")
    }

    /// That there is an entry `key` already.
    static func entryExists(_ key: String) -> Failure {
        Failure(.exists, key, "there is an entry already", advice: "to replace it, use --force")
    }
}

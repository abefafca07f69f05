import Strongroom
import Testing

@testable import StrongroomCommand
@testable import StrongroomVault

/// An error of the library, and what the command makes of it.
struct FailureCase: CustomTestStringConvertible, Sendable {
    var error: StrongroomError
    var status: StrongroomCommand.ExitStatus
    var line: String
    var testDescription: String { line }

    init(_ error: StrongroomError, _ status: StrongroomCommand.ExitStatus, _ line: String) {
        self.error = error
        self.status = status
        self.line = line
    }

    static let all: [FailureCase] = [
        FailureCase(
            .noValue(key: "k"), .noEntry, "k: there is no entry; strongroom list shows the keys"),
        FailureCase(
            .invalidKey(key: ""), .usage,
            "(empty key): this is no key; a key is 1 to 1024 bytes of UTF-8 without NUL"),
        FailureCase(
            .invalidApp(app: "a/b"), .usage,
            "a/b: this is no app id; up to 128 of A-Z a-z 0-9 . _ -, a letter or digit first"),
        FailureCase(
            .keyConflict(key: "a\nb"), .exists,
            """
            a\\nb: an entry cannot be a folder of others too in a plain area; take another key, \
            or del what is in the way
            """),
        FailureCase(
            .changed(key: "k"), .exists,
            "k: another writer changed the entry meanwhile; try again"),
        FailureCase(
            .valueTooLarge(key: "k", limit: 9), .failed,
            "k: more than 9 bytes; the old value stays"),
        FailureCase(
            .noVault(path: "/v"), .failed, "/v: there is no vault; strongroom init makes one"),
        FailureCase(
            .masterKeyMissing(path: "/k"), .masterKey,
            """
            /k: the master key is missing; put the file back, or give a copy of it to \
            strongroom key import; a first vault is made by strongroom init
            """),
        FailureCase(
            .masterKeyExposed(path: "/k", reason: "mode 0640"), .masterKey,
            """
            /k: the master key is exposed: mode 0640; give it to its user alone (chmod 600), \
            and rotate if it may have leaked
            """),
        FailureCase(
            .masterKeyMalformed(path: "/k", reason: "empty"), .masterKey,
            "/k: the master key is malformed: empty; put a sound copy of the key there"),
        FailureCase(
            .passphraseMissing(path: "/k"), .masterKey,
            """
            /k: the master key is sealed and there is no passphrase; use a terminal, or \
            --passphrase-file, --passphrase-fd, --passphrase-command
            """),
        FailureCase(
            .wrongMasterKey(path: "/k"), .wrongKey,
            """
            /k: the master key is not the one of this vault; name the right one with --key-file; \
            if it is that, the keyring is an older one: put the newest back
            """),
        FailureCase(
            .wrongPassphrase(path: "/k"), .wrongKey,
            "/k: the passphrase is wrong; try again with the right one"),
        FailureCase(
            .wrongApp(expected: "a", found: "b"), .wrongKey,
            "a: the vault belongs to the app b; name that one with --app"),
        FailureCase(
            .damaged(key: "k"), .damaged,
            """
            k: the entry is damaged; set it anew or restore a backup; strongroom check names \
            all that is wrong
            """),
        FailureCase(
            .storeDamaged(path: "/v", what: "cut short"), .damaged,
            "/v: damaged: cut short; restore a backup; nothing was changed"),
        FailureCase(
            .tampered(path: "/v", what: "a swap"), .damaged,
            "/v: somebody tampered with it: a swap; find out who wrote there, and restore a backup"),
        FailureCase(
            .rolledBack(path: "/v", what: "a keyring"), .damaged,
            "/v: older than what was seen before: a keyring; put the newest back, or, if you meant this "
                + "one, say so with strongroom check --accept-rollback"),
        FailureCase(
            .newerFormat(path: "/v"), .newer,
            "/v: made by a newer version of strongroom; use that version; nothing was changed"),
        FailureCase(
            .exists(path: "/v", what: "there is one"), .exists,
            "/v: there is one; nothing was changed"),
        FailureCase(
            .exists(path: "/v", what: "there is one; remove it"), .exists,
            "/v: there is one; remove it"),
        FailureCase(.notPossible(what: "not here"), .usage, "not here"),
        FailureCase(
            .noSpace(path: "/v"), .failed,
            "/v: no space on the disk; make space and do it again"),
        FailureCase(
            .noPermission(path: "/v"), .failed,
            "/v: no permission; run as the owner of the directory, or set its owner and mode right"),
        FailureCase(.readOnly(path: "/v"), .failed, "/v: read-only; nothing was changed"),
        FailureCase(
            .busy(at: "/v"), .busy,
            "/v: busy: another process holds the lock; try again, or wait longer with --wait"),
        FailureCase(.cancelled, .failed, "interrupted"),
        FailureCase(
            .outcomeUnknown(path: "/v"), .failed,
            "/v: a write failed and may or may not stand; read it again to see which"),
        FailureCase(
            .system(operation: "open", path: "/v\u{1B}", code: 5), .failed,
            "/v\\033: open: Input/output error"),
    ]
}

@Suite struct `What the command says of errors` {
    @Test("is one line with the right status", arguments: FailureCase.all)
    func line(_ example: FailureCase) {
        let failure = Failure(example.error)
        #expect(failure.line == example.line)
        #expect(failure.status == example.status)
        #expect(!failure.line.contains("\n"))
    }

    @Test func `names a damaged entry by its key, else by its id, and a newer one as such`() {
        let named = DamagedEntry(id: "ab", key: "k", error: .damaged(key: "k"))
        #expect(Failure(named).line.hasPrefix("k: the entry is damaged; "))
        let unnamed = DamagedEntry(id: "ab", key: nil, error: .damaged(key: "id:ab"))
        #expect(
            Failure(unnamed).line
                == "id:ab: an entry whose key cannot be read is damaged; restore a backup, or give it up with check --repair --drop id:ab"
        )
        let newer = DamagedEntry(id: "ab", key: nil, error: .newerFormat(path: "id:ab"))
        #expect(Failure(newer).status == .newer)
    }

    @Test func `has a number of its own for each status`() {
        let numbers = [
            StrongroomCommand.ExitStatus.done, .failed, .usage, .noEntry, .masterKey, .wrongKey,
            .damaged, .newer,
            .busy, .exists,
        ].map(\.rawValue)
        #expect(numbers == Array(0...9))
    }
}

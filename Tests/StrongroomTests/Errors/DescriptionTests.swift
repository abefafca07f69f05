import Foundation
import Strongroom
import Testing

/// What errors say: one line of key or path, what happened, what to do; never a value.
@Suite struct `Descriptions of errors` {
    struct Case: Sendable, CustomTestStringConvertible {
        let error: StrongroomError
        let text: String
        var testDescription: String { text }
    }

    static let cases: [Case] = [
        Case(
            error: .noValue(key: "db/user"),
            text: "db/user: there is no entry of this key; set it first, or give the key a default"),
        Case(
            error: .invalidKey(key: ""),
            text: "(empty key): this is no key; use 1 to 1,024 bytes of UTF-8 without NUL"),
        Case(
            error: .invalidApp(app: "a/b"),
            text:
                "a/b: this is no app id; use up to 128 of A-Z a-z 0-9 . _ -, a letter or digit first"
        ),
        Case(
            error: .keyConflict(key: "a/b"),
            text:
                "a/b: an entry cannot be a folder of others too in a plain area; choose another key, or delete the entry in the way"
        ),
        Case(
            error: .cannotEncode(key: "k", at: "levels.1"),
            text:
                "k: the value at levels.1 cannot be encoded; the old value stays; store a value that can be encoded"
        ),
        Case(
            error: .cannotDecode(key: "k", at: ""),
            text:
                "k: the stored bytes are not of the type asked; the bytes stay; ask for the type they were stored as"
        ),
        Case(
            error: .changed(key: "k"),
            text: "k: another writer changed the entry meanwhile; read it again and repeat"),
        Case(
            error: .valueTooLarge(key: "k", limit: 4096),
            text: "k: more than 4096 bytes; the old value stays; store less"),
        Case(
            error: .noVault(path: "/v"),
            text: "/v: there is no vault; store an entry, or run strongroom init"),
        Case(
            error: .masterKeyMissing(path: "/k"),
            text:
                "/k: the master key is missing; put the key file back; without it nothing can be read"
        ),
        Case(
            error: .masterKeyExposed(path: "/k", reason: "mode 0640"),
            text: "/k: the master key is exposed: mode 0640; give it to its user alone: chmod 600"),
        Case(
            error: .masterKeyMalformed(path: "/k", reason: "no version"),
            text:
                "/k: the master key is malformed: no version; put a sound copy of the key file there"
        ),
        Case(
            error: .wrongMasterKey(path: "/k"),
            text:
                "/k: the master key is not the one of this vault; use the key that was in use when the vault was last written"
        ),
        Case(
            error: .wrongPassphrase(path: "/k"),
            text: "/k: the passphrase is wrong; try again with the right one"),
        Case(
            error: .passphraseMissing(path: "/k"),
            text: "/k: the master key is sealed and there is no passphrase; give one"),
        Case(
            error: .wrongApp(expected: "a", found: "b"),
            text: "a: the vault belongs to the app b; open it as that app"),
        Case(
            error: .damaged(key: "k"),
            text: "k: the entry is damaged; set it anew, or bring it back from a backup"),
        Case(
            error: .storeDamaged(path: "/v", what: "no keyring"),
            text: "/v: damaged: no keyring; run strongroom check, or bring it back from a backup"),
        Case(
            error: .tampered(path: "/v", what: "a log"),
            text:
                "/v: somebody tampered with it: a log; find out who wrote there, and run strongroom check"
        ),
        Case(
            error: .rolledBack(path: "/v", what: "generation 1"),
            text:
                "/v: older than what was seen before: generation 1; find out who wrote there, and run strongroom check"
        ),
        Case(
            error: .newerFormat(path: "/v"), text: "/v: made by a newer version; use that version"),
        Case(
            error: .exists(path: "/v", what: "a vault"),
            text: "/v: exists already: a vault; nothing was changed"),
        Case(
            error: .notPossible(what: "rotate --begin first"),
            text: "operation: not possible here: rotate --begin first; nothing was changed"),
        Case(
            error: .noSpace(path: "/v"),
            text: "/v: no space on the disk; the old value stays; make space and repeat"),
        Case(
            error: .noPermission(path: "/v"),
            text:
                "/v: no permission; run as the owner of the directory, or set its owner and mode right"
        ),
        Case(
            error: .readOnly(path: "/v"),
            text:
                "/v: read-only; nothing was changed; write where the disk can be written"),
        Case(error: .busy(at: "/v"), text: "/v: busy; try again, or wait longer"),
        Case(error: .cancelled, text: "operation: cancelled; run it again to go on"),
        Case(
            error: .outcomeUnknown(path: "/v"),
            text:
                "/v: a write failed and may or may not stand; read it again to see which"),
        Case(
            error: .system(operation: "open", path: "/v", code: 5),
            text: "/v: open: Input/output error (errno 5); set that right and repeat"),
        Case(
            error: .damaged(key: "a\nb\u{1b}[31m\u{202e}\\\u{85}\r\n"),
            text:
                #"a\nb\033[31m\u202e\\\u0085\r\n: the entry is damaged; set it anew, or bring it back from a backup"#
        ),
    ]

    @Test("Each is one line of its own", arguments: cases)
    func text(_ example: Case) {
        #expect("\(example.error)" == example.text)
        #expect(!example.text.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test("No part of a value is in an error of coding") func noValue() throws {
        struct Nested: Codable { var table: [String: [String: Double]] }
        struct Named: Codable { var table: [String: [String: Int]] }
        let area = try AppContainer.inMemory("a").storage
        #expect(throws: StrongroomError.cannotEncode(key: "k", at: "table.*.*")) {
            try area.set(Nested(table: ["hunter2": ["s3cret": .nan]]), forKey: "k")
        }
        try area.set(#"{"table":{"hunter2":{"s3cret":"needle"}}}"#, forKey: "k")
        #expect(throws: StrongroomError.cannotDecode(key: "k", at: "table.*.*")) {
            try area.get("k", as: Named.self)
        }
        try area.set("needle", forKey: "k")
        do throws(StrongroomError) {
            _ = try area.get("k", as: Named.self)
            Issue.record("a text is no table")
        } catch {
            #expect(error == .cannotDecode(key: "k", at: ""))
            #expect(!"\(error) \(String(reflecting: error))".contains("needle"))
        }
    }
}

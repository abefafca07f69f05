import StrongroomSystem

extension StrongroomError: CustomStringConvertible {
    /// One line: the key or path, what happened; what to do.
    ///
    /// It never holds a value.
    public var description: String { "\(PrintedText(subject)): \(event); \(advice)" }

    /// The key or path that the error is about.
    private var subject: String {
        switch self {
        case .noValue(let key), .invalidKey(let key), .keyConflict(let key), .changed(let key),
            .damaged(let key), .cannotEncode(let key, _), .cannotDecode(let key, _),
            .valueTooLarge(let key, _):
            key.isEmpty ? "(empty key)" : key
        case .invalidApp(let app), .wrongApp(let app, _): app.isEmpty ? "(empty app id)" : app
        case .noVault(let path), .masterKeyMissing(let path), .masterKeyExposed(let path, _),
            .masterKeyMalformed(let path, _), .wrongMasterKey(let path), .wrongPassphrase(let path),
            .passphraseMissing(let path), .storeDamaged(let path, _), .tampered(let path, _),
            .rolledBack(let path, _), .newerFormat(let path), .exists(let path, _),
            .noSpace(let path), .noPermission(let path), .readOnly(let path), .busy(let path),
            .outcomeUnknown(let path), .system(_, let path, _):
            path
        case .notPossible, .cancelled: "operation"
        }
    }

    /// What happened.
    private var event: String {
        switch self {
        case .noValue: "there is no entry of this key"
        case .invalidKey: "this is no key"
        case .invalidApp: "this is no app id"
        case .keyConflict: "an entry cannot be a folder of others too in a plain area"
        case .cannotEncode(_, let at): "the value\(Self.place(at)) cannot be encoded"
        case .cannotDecode(_, let at): "the stored bytes\(Self.place(at)) are not of the type asked"
        case .changed: "another writer changed the entry meanwhile"
        case .valueTooLarge(_, let limit): "more than \(limit) bytes"
        case .noVault: "there is no vault"
        case .masterKeyMissing: "the master key is missing"
        case .masterKeyExposed(_, let reason): "the master key is exposed: \(PrintedText(reason))"
        case .masterKeyMalformed(_, let reason):
            "the master key is malformed: \(PrintedText(reason))"
        case .wrongMasterKey: "the master key is not the one of this vault"
        case .wrongPassphrase: "the passphrase is wrong"
        case .passphraseMissing: "the master key is sealed and there is no passphrase"
        case .wrongApp(_, let found): "the vault belongs to the app \(PrintedText(found))"
        case .damaged: "the entry is damaged"
        case .storeDamaged(_, let what): "damaged: \(PrintedText(what))"
        case .tampered(_, let what): "somebody tampered with it: \(PrintedText(what))"
        case .rolledBack(_, let what): "older than what was seen before: \(PrintedText(what))"
        case .newerFormat: "made by a newer version"
        case .exists(_, let what): "exists already: \(PrintedText(what))"
        case .notPossible(let what): "not possible here: \(PrintedText(what))"
        case .noSpace: "no space on the disk"
        case .noPermission: "no permission"
        case .readOnly: "read-only"
        case .busy: "busy"
        case .cancelled: "cancelled"
        case .outcomeUnknown: "a write failed and may or may not stand"
        case .system(let operation, let path, let code):
            "\(operation): "
                + SystemError(operation: operation, path: path, code: code).meaning
                + " (errno \(code))"
        }
    }

    /// What to do about it.
    private var advice: String {
        switch self {
        case .noValue: "set it first, or give the key a default"
        case .invalidKey: "use 1 to 1,024 bytes of UTF-8 without NUL"
        case .invalidApp: "use up to 128 of A-Z a-z 0-9 . _ -, a letter or digit first"
        case .keyConflict: "choose another key, or delete the entry in the way"
        case .cannotEncode: "the old value stays; store a value that can be encoded"
        case .cannotDecode: "the bytes stay; ask for the type they were stored as"
        case .changed: "read it again and repeat"
        case .valueTooLarge: "the old value stays; store less"
        case .noVault: "store an entry, or run strongroom init"
        case .masterKeyMissing: "put the key file back; without it nothing can be read"
        case .masterKeyExposed: "give it to its user alone: chmod 600"
        case .masterKeyMalformed: "put a sound copy of the key file there"
        case .wrongMasterKey: "use the key that was in use when the vault was last written"
        case .wrongPassphrase: "try again with the right one"
        case .passphraseMissing: "give one"
        case .wrongApp: "open it as that app"
        case .damaged: "set it anew, or bring it back from a backup"
        case .storeDamaged: "run strongroom check, or bring it back from a backup"
        case .tampered, .rolledBack: "find out who wrote there, and run strongroom check"
        case .newerFormat: "use that version"
        case .exists: "nothing was changed"
        case .notPossible: "nothing was changed"
        case .noSpace: "the old value stays; make space and repeat"
        case .noPermission: "run as the owner of the directory, or set its owner and mode right"
        case .readOnly: "nothing was changed; write where the disk can be written"
        case .busy: "try again, or wait longer"
        case .cancelled: "run it again to go on"
        case .outcomeUnknown: "read it again to see which"
        case .system: "set that right and repeat"
        }
    }

    /// A place in a value, for the middle of a sentence.
    private static func place(_ at: String) -> String { at.isEmpty ? "" : " at \(PrintedText(at))" }
}

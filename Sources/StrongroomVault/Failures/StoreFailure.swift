import StrongroomStores

extension VaultError {
    /// What a store's failure is for a vault; `keys` names the entries that the call was about.
    init(_ error: StoreError, keys: [EntryID: String] = [:]) {
        switch error {
        case .absent(let path):
            self = .tampered(path: path, what: "the entries are gone")
        case .exists(let path):
            self = .exists(path: path, what: "there are entries already")
        case .invalidID(let id), .conflict(let id):
            self = .tampered(
                path: Self.name(of: id), what: "the store cannot keep an entry of that id")
        case .obstructed(let path):
            self = .vaultDamaged(
                path: path,
                what: "a directory with something in it is in an entry's place; move it away")
        case .conditionFailed(let id):
            self = .changed(key: keys[id] ?? Self.name(of: id))
        case .ownerChanged:
            self = .tampered(
                path: "", what: "the entries belong to a data key that the keyring does not hold")
        case .damaged(let id):
            self = .damaged(key: keys[id] ?? Self.name(of: id))
        case .storeDamaged(let path, let what):
            self = .vaultDamaged(path: path, what: what)
        case .tampered(let path, let what):
            self = .tampered(path: path, what: what)
        case .rolledBack(let path, let what):
            self = .rolledBack(path: path, what: what)
        case .unsuitable(let path, let what):
            self = .notPossible(what: path + ": " + what)
        case .newerFormat(let path):
            self = .newerFormat(path: path)
        case .busy(let path):
            self = .busy(path: path)
        case .cancelled:
            self = .cancelled
        case .tooLarge(let id, let limit):
            self = .valueTooLarge(key: keys[id] ?? Self.name(of: id), limit: limit)
        case .notOwner(let path):
            self = .notOwner(path: path)
        case .outcomeUnknown(let path):
            self = .outcomeUnknown(path: path)
        case .system(let operation, let path, let code):
            self = .system(operation: operation, path: path, code: code)
        @unknown default:
            self = .vaultDamaged(path: "", what: "the store failed in a way unknown here")
        }
    }

    /// What an entry is called whose key is not known.
    static func name(of id: EntryID) -> String { "id:" + Hexadecimal.text(of: id.bytes) }
}

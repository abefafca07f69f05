package import StrongroomStores

extension StrongroomError {
    /// What a plain area's store said, with the entry's key as the caller knows it: its id is the
    /// key's text.
    package init(_ error: StoreError) {
        self =
            switch error {
            case .absent(let path): .storeDamaged(path: path, what: "there is no store")
            case .exists(let path): .exists(path: path, what: "a store")
            case .invalidID(let id): .invalidKey(key: Self.key(id))
            case .conflict(let id): .keyConflict(key: Self.key(id))
            case .obstructed(let path):
                .exists(path: path, what: "what is no file is in an entry's place; move it away")
            case .conditionFailed(let id): .changed(key: Self.key(id))
            case .ownerChanged: .storeDamaged(path: "store", what: "it has an owner")
            case .damaged(let id): .damaged(key: Self.key(id))
            case .storeDamaged(let path, let what): .storeDamaged(path: path, what: what)
            case .tampered(let path, let what), .rolledBack(let path, let what),
                .unsuitable(let path, let what):
                .storeDamaged(path: path, what: what)
            case .newerFormat(let path): .newerFormat(path: path)
            case .busy(let path): .busy(at: path)
            case .cancelled: .cancelled
            case .tooLarge(let id, let limit): .valueTooLarge(key: Self.key(id), limit: limit)
            case .notOwner(let path): .noPermission(path: path)
            case .outcomeUnknown(let path): .outcomeUnknown(path: path)
            case .system(let operation, let path, let code):
                .init(operation: operation, path: path, code: code)
            }
    }

    private static func key(_ id: EntryID) -> String { String(decoding: id.bytes, as: UTF8.self) }
}

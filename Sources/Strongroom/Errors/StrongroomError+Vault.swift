package import StrongroomVault

extension StrongroomError {
    /// What the vault said.
    package init(_ error: VaultError) {
        self =
            switch error {
            case .noVault(let path): .noVault(path: path)
            case .masterKeyMissing(let path): .masterKeyMissing(path: path)
            case .masterKeyExposed(let path, let reason):
                .masterKeyExposed(path: path, reason: reason)
            case .masterKeyMalformed(let path, let reason):
                .masterKeyMalformed(path: path, reason: reason)
            case .wrongMasterKey(let path): .wrongMasterKey(path: path)
            case .wrongPassphrase(let path): .wrongPassphrase(path: path)
            case .passphraseMissing(let path): .passphraseMissing(path: path)
            case .wrongApp(let expected, let found): .wrongApp(expected: expected, found: found)
            case .invalidKey(let key): .invalidKey(key: key)
            case .noEntry(let key): .noValue(key: key)
            case .damaged(let key): .damaged(key: key)
            case .vaultDamaged(let path, let what): .storeDamaged(path: path, what: what)
            case .tampered(let path, let what): .tampered(path: path, what: what)
            case .rolledBack(let path, let what): .rolledBack(path: path, what: what)
            case .newerFormat(let path): .newerFormat(path: path)
            case .exists(let path, let what): .exists(path: path, what: what)
            case .notPossible(let what): .notPossible(what: what)
            case .changed(let key): .changed(key: key)
            case .valueTooLarge(let key, let limit): .valueTooLarge(key: key, limit: limit)
            case .busy(let path): .busy(at: path)
            case .cancelled: .cancelled
            case .outcomeUnknown(let path): .outcomeUnknown(path: path)
            case .notOwner(let path): .noPermission(path: path)
            case .system(let operation, let path, let code):
                .init(operation: operation, path: path, code: code)
            }
    }
}

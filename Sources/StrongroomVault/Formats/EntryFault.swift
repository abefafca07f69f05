import StrongroomCrypto
import StrongroomStores

/// How errors call an entry: by the name that the caller looks for, else by its id.
enum EntryFault {
    case named(String)
    case unnamed(EntryID)

    init(key: String?, id: EntryID) {
        self = if let key { .named(key) } else { .unnamed(id) }
    }

    /// Bytes that are not as they were written.
    var damaged: VaultError {
        switch self {
        case .named(let key): .damaged(key: key)
        case .unnamed: .vaultDamaged(path: path, what: "this entry is not as it was written")
        }
    }

    /// Bytes of a format that comes after this one.
    var newerFormat: VaultError { .newerFormat(path: path) }

    /// A failure of libsodium; a box that does not open is damage.
    func error(_ error: CryptoError) -> VaultError {
        error == .cannotOpen ? damaged : VaultError(error, path: path)
    }

    private var path: String {
        switch self {
        case .named(let key): key
        case .unnamed(let id): "id:" + Hexadecimal.text(of: id.bytes)
        }
    }
}

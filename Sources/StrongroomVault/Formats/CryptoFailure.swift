import StrongroomCrypto
import StrongroomSystem

extension VaultError {
    /// What a failure below the wall of libsodium is for a vault: no memory or no randomness is an
    /// I/O error; a wrong length is one of ours, and no caller's doing.
    ///
    /// A box that does not open is told by whoever knows what it held.
    init(_ error: CryptoError, path: String) {
        self =
            switch error {
            case .unavailable(let operation):
                .system(operation: operation, path: path, code: ErrorCode.noMemory)
            case .cannotOpen:
                .vaultDamaged(path: path, what: "a box does not open")
            case .wrongLength, .costOutOfRange, .sealingFinished:
                .system(operation: "libsodium", path: path, code: ErrorCode.invalid)
            }
    }

    /// The same of an error that lost its type on the way through a closure.
    init(untyped error: any Error, path: String) {
        self.init((error as? CryptoError) ?? .unavailable(operation: "libsodium"), path: path)
    }
}

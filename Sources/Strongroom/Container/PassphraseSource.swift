import StrongroomCrypto

/// A caller's way to get a passphrase, as the vault asks for it.
struct PassphraseSource: Sendable {
    /// What the caller gave.
    private let ask: @Sendable () throws -> Secret?

    /// Asks by `ask`.
    init(_ ask: @escaping @Sendable () throws -> Secret?) { self.ask = ask }

    /// The function that the vault calls.
    var function: @Sendable () throws -> SecretKey? {
        { [ask] in
            guard let secret = try ask() else { return nil }
            return try secret.withBytes { bytes in try SecretKey(copying: bytes) }
        }
    }
}

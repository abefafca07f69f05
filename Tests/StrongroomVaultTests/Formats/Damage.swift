import StrongroomVault

/// What a test expects of an altered file: damage, not another error and no success.
struct Damage: Error {
    /// Throws `Damage` if `body` throws `.vaultDamaged` or `.damaged`, else what it throws.
    static func expect(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch VaultError.vaultDamaged {
            throw Damage()
        } catch VaultError.damaged {
            throw Damage()
        }
    }
}

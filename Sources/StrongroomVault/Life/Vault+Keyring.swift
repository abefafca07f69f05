extension Vault {
    /// Replaces the keyring, then notes it in the vault's anchor: who is killed in between leaves that behind.
    func replaceKeyring(
        _ keyring: Keyring, for masterKeys: [MasterKey], anchor: VaultAnchor?
    ) throws(VaultError) {
        try place.replaceKeyring(try keyring.sealed(for: masterKeys))
        try anchor?.note(keyringGeneration: keyring.generation)
    }

    /// Throws `.rolledBack` if the vault is older than what was seen, which is read and not written.
    func refuseRollback(_ opened: OpenVault) throws(VaultError) {
        if let rollback = opened.rollback { throw rollback }
    }
}

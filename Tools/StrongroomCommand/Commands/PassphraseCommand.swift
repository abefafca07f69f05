import StrongroomVault

/// `passphrase`: seals the master-key file, or opens it for good.
enum PassphraseCommand {
    /// Runs `passphrase set`.
    static func set(_ session: Session) throws(Failure) {
        let vault = try session.openVault()
        guard let new = try session.newPassphrase(isWanted: true) else { return }
        do throws(VaultError) { try vault.setPassphrase(new) } catch {
            throw session.failure(error)
        }
        note(session)
    }

    /// Runs `passphrase remove`.
    static func remove(_ session: Session) throws(Failure) {
        let vault = try session.openVault()
        do throws(VaultError) {
            guard try vault.status().isSealed else {
                return session.console.note("the master key has no passphrase")
            }
            try vault.removePassphrase()
        } catch {
            throw session.failure(error)
        }
        note(session)
    }

    private static func note(_ session: Session) {
        session.console.note(
            "older copies of the key file stay valid until a rotation; copy the new one")
    }
}

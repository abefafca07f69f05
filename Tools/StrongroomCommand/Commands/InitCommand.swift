import StrongroomSystem
import StrongroomVault

/// `init`: makes the vault and its master key.
enum InitCommand {
    /// Runs it.
    static func run(_ session: Session) throws(Failure) {
        let options = session.invocation
        let isSealed = options.has(.passphrase)
        let vault = try session.vault()
        // Said before a passphrase is asked for; the making itself decides.
        if isSealed {
            let isThere: Bool
            do throws(VaultError) { isThere = try vault.exists() } catch {
                throw session.failure(error)
            }
            if isThere {
                let directory = try session.settings().directories.vault.path.description
                throw session.failure(.exists(path: directory, what: "there is a vault already"))
            }
        }
        let passphrase = try session.newPassphrase(isWanted: isSealed)
        let status: VaultStatus
        do throws(VaultError) {
            status = try vault.create(passphrase: passphrase)
        } catch { throw session.failure(error) }
        try session.console.writeLine(
            "master key \(status.keyID) \(session.isGivenKey(status) ? "from" : "in") "
                + Escaping.shown(status.keySource))
        session.adviseCopy()
    }
}

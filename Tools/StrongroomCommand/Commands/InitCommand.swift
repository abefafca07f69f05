import StrongroomVault

/// `init`: makes the vault and its master key.
enum InitCommand {
    /// Runs it.
    static func run(_ session: Session) throws(Failure) {
        let options = session.invocation
        if let layout = try options.text(.layout), layout != "files" {
            throw Failure(.usage, "--layout", "takes files")
        }
        let isSealed = options.has(.passphrase)
        let vault = try session.vault()
        let passphrase = try session.newPassphrase(isWanted: isSealed)
        let status: VaultStatus
        do throws(VaultError) {
            status = try vault.create(passphrase: passphrase)
        } catch { throw session.failure(error) }
        try session.console.writeLine(
            "master key \(status.keyID) in \(Escaping.shown(status.keySource))")
        session.adviseCopy()
    }
}

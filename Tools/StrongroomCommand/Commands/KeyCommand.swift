import StrongroomCrypto
import StrongroomSystem
import StrongroomVault

/// `key`: the master key apart from the vault.
enum KeyCommand {
    /// Runs `key new`.
    static func new(_ session: Session) throws(Failure) {
        guard let path = try session.invocation.path(.output) else {
            throw Failure(.usage, "key new", "needs --output FILE")
        }
        let id: String
        do throws(VaultError) {
            id = try Vault.newKeyFile(
                at: path, passphrase: nil, fileSystem: session.fileSystem)
        } catch { throw session.failure(error) }
        try session.console.writeLine(id)
    }

    /// Runs `key show-id`.
    static func showID(_ session: Session) throws(Failure) {
        // Not opened: no passphrase is needed.
        let vault = try session.vault()
        let id: String
        do throws(VaultError) { id = try vault.masterKeyID() } catch {
            throw session.failure(error)
        }
        try session.console.writeLine(id)
    }

    /// Runs `key export`.
    static func export(_ session: Session) throws(Failure) {
        let output = try session.invocation.path(.output)
        let isPlain = session.invocation.has(.plain)
        // A sealed text needs no passphrase; for the key itself a person may try it again.
        let vault = isPlain ? try session.openVault() : try session.vault()
        let text: SecretKey
        do throws(VaultError) {
            if let output { try vault.refuseKeyInUse(at: output) }
            text = try vault.exportKey(plain: isPlain)
        } catch { throw session.failure(error) }
        guard let output else { return try session.console.write(text.bytes) }
        let file = try OutputFile(output, fileSystem: session.fileSystem)
        try file.write(text.bytes)
        try file.finish()
    }

    /// Runs `key import`.
    static func importKey(_ session: Session) throws(Failure) {
        let vault = try session.vault()
        let text = try text(session)
        do throws(VaultError) {
            try vault.importKey(text: text, force: session.invocation.has(.force))
        } catch { throw session.failure(error) }
    }

    /// The text that `--file` names, else standard input.
    private static func text(_ session: Session) throws(Failure) -> SecretKey {
        let file = session.invocation.options[.file]
        let name: String
        let text: SecretBuffer
        if let file, file != Array("-".utf8) {
            name = Escaping.shown(bytes: file)
            text = try session.secrets.read(
                Path(bytes: file), named: "--file", limit: KeySource.byteCountLimit)
        } else {
            name = "standard input"
            guard !session.console.inputIsTerminal else {
                throw Failure(
                    .usage, name, "a key is not to be typed where it shows",
                    advice: "use --file, or a pipe")
            }
            try session.secrets.claimInput()
            text = try session.secrets.read(
                session.console.streams.input, named: name, limit: KeySource.byteCountLimit)
        }
        guard text.byteCount > 0 else { throw Failure(.masterKey, name, "there is no key in it") }
        return try KeySource.locked(text, from: name)
    }
}

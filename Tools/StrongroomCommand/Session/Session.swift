import StrongroomSystem
import StrongroomVault

/// One run of the command: what was asked, the streams, and what the commands share.
///
/// Nothing is opened before a command asks for it.
final class Session {
    /// What the command line asks for.
    let invocation: Invocation
    /// The variables.
    let environment: Environment
    /// The streams.
    let console: Console
    /// Where files are.
    let fileSystem: any FileSystem
    /// The file that runs, for the place of `assets`.
    let executable: Path?
    /// The limit of core dumps that the process was started with, for a program that takes its place; nil of a run that is
    /// no process of its own.
    let coreLimit: ProcessLimits.CoreLimit?
    /// Where keys, passphrases and typed values come from.
    let secrets: SecretReader
    /// The status of the first failure that was reported, or `.done`.
    private(set) var status = ExitStatus.done
    private var lastReported: Failure?
    private let interruption: Interruption
    private var resolvedSettings: Settings?
    private var usedPassphrases: PassphraseProvider?
    private var usedVault: Vault?

    /// A run of `invocation`.
    init(
        _ invocation: Invocation, environment: Environment, console: Console,
        interruption: Interruption, fileSystem: any FileSystem, executable: Path?,
        coreLimit: ProcessLimits.CoreLimit?
    ) {
        self.coreLimit = coreLimit
        self.invocation = invocation
        self.environment = environment
        self.console = console
        self.interruption = interruption
        self.fileSystem = fileSystem
        self.executable = executable
        secrets = SecretReader(
            fileSystem: fileSystem, environment: environment, input: console.streams.input)
    }

    /// Says why something failed; the first failure's status is the command's.
    ///
    /// What concerns the whole vault is found again by whoever goes on, and said once.
    func report(_ failure: Failure) {
        end(with: failure.status)
        guard failure != lastReported else { return }
        lastReported = failure
        console.complain(failure.line)
    }

    /// Ends with `status` if nothing failed before.
    func end(with status: ExitStatus) {
        if self.status == .done { self.status = status }
    }

    /// The signals, noted from now on instead of ending the process.
    func watchedInterruption() -> Interruption {
        interruption.watch()
        return interruption
    }

    /// App, directories and waiting time.
    func settings() throws(Failure) -> Settings {
        if let resolvedSettings { return resolvedSettings }
        let settings = try Settings(self)
        resolvedSettings = settings
        return settings
    }

    /// What a vault gets its passphrase from.
    func passphrases() throws(Failure) -> PassphraseProvider {
        if let usedPassphrases { return usedPassphrases }
        let provider = try PassphraseProvider(
            SecretSource.named(.passphrase, invocation, environment), secrets)
        usedPassphrases = provider
        return provider
    }

    /// The vault; nothing is read before it is used.
    func vault() throws(Failure) -> Vault {
        if let usedVault { return usedVault }
        let settings = try settings()
        let key = try KeySource.source(for: self)
        var configuration = configuration(
            settings.directories, masterKey: key, settings, try passphrases().ask)
        if let layout = try layout() { configuration.layout = layout }
        configuration.readsRolledBack = invocation.command == .export
        let vault = Vault(configuration)
        usedVault = vault
        return vault
    }

    /// The vault, opened if there is one; a person may try the passphrase again.
    ///
    /// That a rotation is unfinished is noted, but not for who is about to finish it.
    func openVault(notesRotation: Bool = true) throws(Failure) -> Vault {
        let vault = try vault()
        if try open(vault) == .unfinished, notesRotation {
            console.note("a rotation is unfinished; strongroom rotate finishes it")
        }
        return vault
    }

    /// Notes that what was written is not in the anchor, if so: the write stands, and an older copy put back would go
    /// unseen.
    func noteAnchorFailure() {
        guard let reason = usedVault?.anchorFailure else { return }
        console.note(
            "\(Escaping.shown(reason)); so the newest state is not noted, and until a later write can "
                + "note it, an older copy of the vault that is put back goes unseen")
    }

    /// The layout that `--layout` asks for.
    private func layout() throws(Failure) -> StrongroomVault.VaultLayout? {
        guard let name = try invocation.text(.layout) else { return nil }
        guard let layout = StrongroomVault.VaultLayout(rawValue: name) else {
            throw Failure(.usage, "--layout", "takes log or files")
        }
        return layout
    }

    /// The vault for who takes stock of it: one that is older than what was seen is read all the same, once that was
    /// reported.
    func vaultForInventory() throws(Failure) -> Vault {
        do throws(Failure) { return try openVault() } catch {
            guard error.isRollback else { throw error }
            report(error)
            return try vault()
        }
    }

    /// The vault for `check`, which is to say itself what is wrong with it; only the passphrase is asked for first.
    func vaultToCheck() throws(Failure) -> Vault {
        do throws(Failure) { return try openVault() } catch {
            guard error.status == .damaged else { throw error }
            return try vault()
        }
    }

    /// Opens a vault and says where it stands; nil in an untouched place.
    func open(_ vault: Vault) throws(Failure) -> RotationState? {
        try open(vault, try passphrases(), failure)
    }

    /// The same of a vault whose passphrase comes from `passphrases`, and whose errors mean what `failure` says.
    func open(
        _ vault: Vault, _ passphrases: PassphraseProvider, _ failure: (VaultError) -> Failure
    ) throws(Failure) -> RotationState? {
        while true {
            do throws(VaultError) { return try vault.rotationState() } catch {
                guard case .wrongPassphrase = error, passphrases.canAskAgain else {
                    throw failure(error)
                }
                console.complain("the passphrase is wrong; try again")
            }
        }
    }

    /// What an error of the vault means; why there is no passphrase is known here.
    func failure(_ error: VaultError) -> Failure { failure(error, usedPassphrases) }

    /// The same of a vault whose passphrase comes from `passphrases`.
    func failure(_ error: VaultError, _ passphrases: PassphraseProvider?) -> Failure {
        if case .passphraseMissing = error, let known = passphrases?.failure { return known }
        return Failure(error)
    }
}

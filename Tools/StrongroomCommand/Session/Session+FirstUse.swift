import StrongroomCrypto
import StrongroomSystem
import StrongroomVault

extension Session {
    /// True if there is no vault yet in the place of `place`, a vault.
    func isUntouched(_ place: any EntryPlace) -> Bool {
        guard let place = place as? VaultPlace else { return false }
        // What cannot be looked at is told by whoever opens it.
        do throws(VaultError) { return try place.vault.rotationState() == nil } catch {
            return false
        }
    }

    /// Says where the vault is that was just made, and that its key should be copied.
    func announceVault(_ place: any EntryPlace) {
        guard let place = place as? VaultPlace else { return }
        do throws(VaultError) {
            let status = try place.vault.status()
            console.note("made a vault in \(Escaping.shown(place.directory.description))")
            let source = Escaping.shown(status.keySource)
            console.note(
                isGivenKey(status)
                    ? "its master key is the one from \(source)"
                    : "its master key is in \(source)")
            adviseCopy()
        } catch { report(failure(error)) }
    }

    /// The option or variable that gives the key itself, and not the name of its file.
    func givenKeyName() throws(Failure) -> String? {
        let source = try SecretSource.named(.masterKey, invocation, environment)
        guard let source, source.kind != .file else { return nil }
        return source.name
    }

    /// True if the key of `status` is in no file that we know.
    func isGivenKey(_ status: VaultStatus) -> Bool {
        // Wrong usage was told before there was a vault to tell of.
        do throws(Failure) { return try givenKeyName() == status.keySource } catch { return false }
    }

    /// True if something is at `path`, be it a link that leads nowhere.
    func isThere(_ path: Path) throws(Failure) -> Bool {
        do throws(SystemError) {
            _ = try fileSystem.status(path, at: nil, followLink: false)
            return true
        } catch {
            guard error.code == ErrorCode.noEntry || error.code == ErrorCode.notDirectory else {
                throw Failure(error)
            }
            return false
        }
    }

    /// That without the key nothing can be read.
    func adviseCopy() {
        console.note(
            "nobody can open the vault without its key: keep a copy elsewhere "
                + "(strongroom key export --output FILE)")
    }

    /// The passphrase that comes next: from `--new-passphrase-*`, else typed twice; nil if none is wanted.
    func newPassphrase(isWanted: Bool) throws(Failure) -> SecretKey? {
        let source = try SecretSource.named(.newPassphrase, invocation, environment)
        guard isWanted else {
            guard let source else { return nil }
            throw Failure(.usage, source.name, "goes with --passphrase only")
        }
        guard let source else { return try PassphraseText.typedTwice(secrets) }
        return try PassphraseText.read(source, secrets)
    }
}

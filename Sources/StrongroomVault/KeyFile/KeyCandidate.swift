import StrongroomCrypto

/// A key file that was found, sound or not: one of the two in which a vault's master key may be.
struct KeyCandidate: Sendable {
    /// Which of the two.
    enum Slot: Sendable {
        /// `master.key`
        case current
        /// `master.key.next`
        case next
    }

    let slot: Slot
    /// For messages.
    let name: String
    /// The text, nil if it could not be read.
    let text: SecretBytes?
    /// What the text says, or why it cannot be taken.
    let file: Outcome<MasterKeyFile, VaultError>

    /// A candidate of this text, taken apart.
    init(slot: Slot, name: String, text: SecretBytes) {
        self.slot = slot
        self.name = name
        self.text = text
        do throws(VaultError) {
            file = .success(try MasterKeyFile(parsing: text.bytes, path: name))
        } catch {
            file = .failure(error)
        }
    }

    /// A candidate that cannot be read, or that somebody else can.
    init(slot: Slot, name: String, failure: VaultError) {
        self.slot = slot
        self.name = name
        text = nil
        file = .failure(failure)
    }

    /// The key file, if it is sound.
    var sound: MasterKeyFile? {
        switch file {
        case .success(let file): file
        case .failure: nil
        }
    }

    /// The key file, or why it cannot be taken.
    func keyFile() throws(VaultError) -> MasterKeyFile {
        switch file {
        case .success(let file): return file
        case .failure(let error): throw error
        }
    }

    /// The vault that the key file names, if it is sound and names one.
    var vaultID: [UInt8]? { sound?.vaultID }

    /// The text for a copy: of a sealed key as it is, of a plain one without what people wrote beside it.
    func exportedText() throws(VaultError) -> SecretKey {
        let file = try keyFile()
        switch file.contents {
        case .plain(let key):
            return try MasterKeyFile.text(of: key, vaultID: file.vaultID)
        case .sealed:
            guard let text else { throw .masterKeyMissing(path: name) }
            do {
                return try SecretKey(copying: text.bytes)
            } catch {
                throw VaultError(error, path: name)
            }
        }
    }
}

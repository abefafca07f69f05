import StrongroomCrypto

/// Where a master key and, while one replaces the other, its successor are kept.
///
/// Whoever changes something holds the vault's `job` lock and this place's own; reading needs neither.
/// Each change is durable when its call returns.
protocol KeyPlace: Sendable {
    /// For messages: a path, or the name of a source.
    var name: String { get }
    /// False where the key comes from something that is not written: a variable, a command, a credential.
    var isWritable: Bool { get }

    /// What is there now, the key before its successor.
    func candidates() throws(VaultError) -> [KeyCandidate]
    /// Runs `body` with the place locked against other vaults whose keys lie beside ours; `.busy` if that
    /// takes longer than `waitSeconds`. `making` makes the directory first.
    func holdingLock<Result>(
        making: Bool, waitSeconds: Double, _ body: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result
    /// Throws what making a key would, as far as that can be told beforehand; nothing is written.
    func checkMaking() throws(VaultError)
    /// Makes the key, which must be absent (`.exists`).
    func make(_ text: SecretKey) throws(VaultError)
    /// Replaces the key in one step.
    func replace(_ text: SecretKey) throws(VaultError)
    /// Makes the successor, which must be absent (`.exists`).
    func makeNext(_ text: SecretKey) throws(VaultError)
    /// The successor takes the key's place in one step.
    func moveNext() throws(VaultError)
    /// Removes the successor.
    func removeNext() throws(VaultError)
    /// Makes durable what is there: it may have been left by somebody who was killed before he did.
    func sync() throws(VaultError)
    /// Removes what a killed process left half written.
    func sweep() throws(VaultError)
}

import StrongroomCrypto

/// A master key whose text came from a variable, a descriptor or a command.
struct KeyTextPlace: KeyPlace {
    let text: SecretKey
    let name: String

    var isWritable: Bool { false }

    func candidates() throws(VaultError) -> [KeyCandidate] {
        let copy = SecretBytes(SecretBuffer(copying: text.bytes))
        return [KeyCandidate(slot: .current, name: name, text: copy)]
    }

    func holdingLock<Result>(
        making: Bool, waitSeconds: Double, _ body: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        try body()
    }

    func make(_ text: SecretKey) throws(VaultError) { throw .keyIsNotWritable(name) }
    func replace(_ text: SecretKey) throws(VaultError) { throw .keyIsNotWritable(name) }
    func makeNext(_ text: SecretKey) throws(VaultError) { throw .keyIsNotWritable(name) }
    func moveNext() throws(VaultError) { throw .keyIsNotWritable(name) }
    func removeNext() throws(VaultError) { throw .keyIsNotWritable(name) }
    func checkMaking() throws(VaultError) { throw .keyIsNotWritable(name) }
    func sync() throws(VaultError) {}
    func sweep() throws(VaultError) {}
}

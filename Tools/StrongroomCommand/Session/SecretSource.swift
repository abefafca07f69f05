import StrongroomSystem

/// Where a key or a passphrase comes from, beside its usual place: one option or one variable.
///
/// An option beats a variable; two of one rank are wrong usage; one that was named and gives nothing is an error,
/// never a reason to look elsewhere.
struct SecretSource: Sendable {
    /// The ways to hand over a secret.
    enum Kind: Sendable { case text, file, descriptor, command }

    /// How.
    let kind: Kind
    /// The option or variable, for messages.
    let name: String
    /// Its value.
    let value: [UInt8]

    /// The options and variables of one secret.
    struct Names {
        let options: [(OptionName, Kind)]
        let variables: [(String, Kind)]

        /// Those of the master key.
        static let masterKey = Names(
            options: [
                (.keyFile, .file), (.keyDescriptor, .descriptor), (.keyCommand, .command),
            ],
            variables: [
                ("STRONGROOM_KEY", .text), ("STRONGROOM_KEY_FILE", .file),
                ("STRONGROOM_KEY_FD", .descriptor), ("STRONGROOM_KEY_COMMAND", .command),
            ])
        /// Those of the passphrase.
        static let passphrase = Names(
            options: [
                (.passphraseFile, .file), (.passphraseDescriptor, .descriptor),
                (.passphraseCommand, .command),
            ],
            variables: [
                ("STRONGROOM_PASSPHRASE_FILE", .file),
                ("STRONGROOM_PASSPHRASE_FD", .descriptor),
                ("STRONGROOM_PASSPHRASE_COMMAND", .command),
            ])
        /// Those of the passphrase that comes next.
        static let newPassphrase = Names(
            options: [(.newPassphraseFile, .file), (.newPassphraseDescriptor, .descriptor)],
            variables: [])
    }

    /// The source that was named, or nil.
    static func named(
        _ names: Names, _ invocation: Invocation, _ environment: Environment
    ) throws(Failure) -> SecretSource? {
        var found: SecretSource?
        for (option, kind) in names.options {
            guard let value = invocation.options[option] else { continue }
            try requireNone(found, option.written)
            found = SecretSource(kind: kind, name: option.written, value: value)
        }
        if let found { return found }
        for (variable, kind) in names.variables {
            guard let value = environment.value(Path(variable)) else { continue }
            guard !value.bytes.isEmpty else {
                throw Failure(
                    .masterKey, variable, "is set but empty",
                    advice: "unset it or give it a value")
            }
            try requireNone(found, variable)
            found = SecretSource(kind: kind, name: variable, value: value.bytes)
        }
        return found
    }

    private static func requireNone(_ other: SecretSource?, _ name: String) throws(Failure) {
        guard let other else { return }
        throw Failure(.usage, "\(other.name) and \(name) exclude each other")
    }
}

import StrongroomCrypto
import StrongroomVault

/// `set`: stores a value that comes from a file, standard input, the terminal or chance.
enum SetCommand {
    /// Runs it.
    static func run(_ session: Session) throws(Failure) {
        let key = try session.key(at: 0)
        let options = session.invocation
        let generated = try generation(options)
        if options.has(.force), options.has(.ifAbsent) {
            throw Failure(.usage, "--force and --if-absent exclude each other")
        }
        let place = try session.place()
        let isNew = session.isUntouched(place)
        do throws(Failure) {
            try store(generated, key, place, session)
        } catch {
            guard error == .entryExists(key), options.has(.ifAbsent) else { throw error }
            throw Failure(.exists, key, "there is an entry already", advice: "nothing was changed")
        }
        if isNew { session.announceVault(place) }
    }

    /// Stores what was generated, or else what comes in; `.entryExists` if it must not replace.
    private static func store(
        _ generated: (() throws(Failure) -> SecretBytes)?, _ key: String,
        _ place: any EntryPlace, _ session: Session
    ) throws(Failure) {
        let options = session.invocation
        let mustBeAbsent = options.has(.ifAbsent)
        if mustBeAbsent || (generated != nil && !options.has(.force)) {
            // Said before a value is asked for; the commit itself decides.
            guard try !place.contains(key) else { throw Failure.entryExists(key) }
        }
        if let generated {
            try place.set(
                key, EntryValue(bytes: generated()), mustBeAbsent: !options.has(.force))
        } else {
            try IncomingValue(
                key: key, place: place, mustBeAbsent: mustBeAbsent, session: session
            ).store()
        }
    }

    /// How to make the value that `--generate` asks for; nil if it does not.
    private static func generation(
        _ options: Invocation
    ) throws(Failure) -> (() throws(Failure) -> SecretBytes)? {
        var alphabet = ValueGenerator.Alphabet.alnum
        if let name = try options.text(.alphabet) {
            guard let named = ValueGenerator.Alphabet(rawValue: name) else {
                throw Failure(.usage, "--alphabet", "takes alnum, hex or base64")
            }
            alphabet = named
        }
        guard let digits = options.options[.generate] else {
            guard !options.has(.alphabet) else {
                throw Failure(.usage, "--alphabet", "goes with --generate only")
            }
            return nil
        }
        for other in [OptionName.file, .trim] where options.has(other) {
            throw Failure(.usage, "--generate and \(other.written) exclude each other")
        }
        let count = try Invocation.number(
            digits, named: "--generate", in: 1...ValueGenerator.countLimit)
        return { () throws(Failure) in
            do throws(CryptoError) {
                return SecretBytes(try ValueGenerator.value(count: count, alphabet: alphabet))
            } catch {
                throw Failure(.failed, "the system has no random bytes")
            }
        }
    }
}

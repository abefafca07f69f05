import Strongroom
import StrongroomCrypto
import StrongroomSystem
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
            try store(generated(), key, mustBeAbsent: !options.has(.force), place)
        } else {
            try storeInput(key, mustBeAbsent: mustBeAbsent, place, session)
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

    private static func store(
        _ value: SecretBytes, _ key: String, mustBeAbsent: Bool, _ place: any EntryPlace
    ) throws(Failure) {
        try place.set(key, EntryValue(bytes: value), mustBeAbsent: mustBeAbsent)
    }

    /// Reads the value from the file, standard input or the terminal.
    private static func storeInput(
        _ key: String, mustBeAbsent: Bool, _ place: any EntryPlace, _ session: Session
    ) throws(Failure) {
        let file = session.invocation.options[.file]
        let isStandardInput = file == nil || file == Array("-".utf8)
        // An empty value from a stream is mostly a command that failed before the pipe.
        let emptyNeedsForce = isStandardInput && !session.invocation.has(.force)
        if isStandardInput, session.console.inputIsTerminal {
            let typed = try session.secrets.typedTwice(
                "Value of \(Escaping.shown(key)): ", limit: Terminal.lineByteCountLimit)
            try storeWhole(
                typed, key, mustBeAbsent, emptyNeedsForce: emptyNeedsForce, place)
            return
        }
        if isStandardInput {
            try session.secrets.claimInput()
            try storeStream(
                session.console.streams.input.number, "standard input", key, mustBeAbsent,
                emptyNeedsForce: emptyNeedsForce, place, session)
            return
        }
        guard let path = try session.invocation.path(.file) else { return }
        let input: OpenFile
        let kind: FileStatus.Kind
        do throws(SystemError) {
            input = try OpenFile.open(path, [.read, .followLink], fileSystem: session.fileSystem)
            kind = try input.status().kind
        } catch { throw Failure(error) }
        guard kind != .directory else {
            throw Failure(.usage, path.description, "--file needs a file, this is a directory")
        }
        try storeStream(
            input.descriptor.number, path.description, key, mustBeAbsent, emptyNeedsForce: false,
            place, session)
    }

    private static func storeWhole(
        _ value: consuming SecretBuffer, _ key: String, _ mustBeAbsent: Bool,
        emptyNeedsForce: Bool, _ place: any EntryPlace
    ) throws(Failure) {
        let refusesEmpty = value.byteCount == 0 && emptyNeedsForce
        do throws(Failure) {
            try store(
                SecretBytes(value), key, mustBeAbsent: mustBeAbsent || refusesEmpty, place)
        } catch {
            guard refusesEmpty, !mustBeAbsent, error.status == .exists else { throw error }
            throw Failure(
                .exists, key, "standard input is empty and there is an entry",
                advice: "to make it empty, use --force")
        }
    }

    /// Up to 1 MiB goes in whole, more goes through in pieces.
    private static func storeStream(
        _ number: Int32, _ name: String, _ key: String, _ mustBeAbsent: Bool,
        emptyNeedsForce: Bool, _ place: any EntryPlace, _ session: Session
    ) throws(Failure) {
        let interruption = session.watchedInterruption()
        var reader = ValueReader(
            Descriptor(number: number), name: name,
            dropsFinalNewline: session.invocation.has(.trim),
            fileSystem: session.fileSystem, interruption: interruption)
        var head: [SecretBytes] = []
        var byteCount = 0
        while byteCount <= Int(GetCommand.wholeByteCount), let piece = try reader.next() {
            byteCount += piece.byteCount
            head.append(SecretBytes(piece))
        }
        if byteCount <= Int(GetCommand.wholeByteCount) {
            try storeWhole(
                SecretBuffer(joining: head), key, mustBeAbsent, emptyNeedsForce: emptyNeedsForce,
                place)
        } else {
            let start = head
            head = []
            try place.write(key, attributes: [:], mustBeAbsent: mustBeAbsent) {
                (sink) throws(Failure) in
                for piece in start {
                    try piece.withBytes { (bytes) throws(Failure) in try sink.write(bytes) }
                }
                while let piece = try reader.next() { try sink.write(piece.bytes) }
            }
        }
        if reader.isOneLineWithNewline {
            session.console.note(
                Escaping.shown(key) + ": the value ends in a newline; --trim drops it")
        }
    }
}

extension SecretBuffer {
    /// The pieces, one after the other.
    init(joining pieces: [SecretBytes]) {
        var byteCount = 0
        for piece in pieces { byteCount += piece.buffer.byteCount }
        self.init(byteCount: byteCount)
        var offset = 0
        for piece in pieces {
            overwrite(at: offset, with: piece)
            offset += piece.buffer.byteCount
        }
    }

    /// Puts the bytes of `piece` at `offset`, where there is room for them.
    mutating func overwrite(at offset: Int, with piece: SecretBytes) {
        var span = mutableBytes
        piece.withBytes { bytes in
            for index in bytes.indices { span[offset + index] = bytes[index] }
        }
    }
}

import Strongroom
import StrongroomCrypto
import StrongroomSystem
import StrongroomVault

/// The value that `set` is to store, on its way from a file, standard input or the terminal.
struct IncomingValue {
    /// The key that it is stored under.
    let key: String
    /// Where.
    let place: any EntryPlace
    /// True if it must not replace an entry.
    let mustBeAbsent: Bool
    /// The run that it belongs to.
    let session: Session

    /// Reads and stores it.
    func store() throws(Failure) {
        if let file = session.invocation.options[.file], file != Array("-".utf8) {
            return try storeFile(try Invocation.path(file, named: "--file"))
        }
        if session.console.inputIsTerminal {
            let typed = try session.secrets.typedTwice(
                "Value of \(Escaping.shown(key)): ", limit: Terminal.lineByteCountLimit,
                orEndWith: .failed)
            return try storeWhole(typed, emptyNeedsForce: true)
        }
        try session.secrets.claimInput()
        try storeStream(
            Descriptor(number: session.console.streams.input.number), named: "standard input",
            emptyNeedsForce: true)
    }

    private func storeFile(_ path: Path) throws(Failure) {
        let file: OpenFile
        let kind: FileStatus.Kind
        do throws(SystemError) {
            file = try OpenFile.open(path, [.read, .followLink], fileSystem: session.fileSystem)
            kind = try file.status().kind
        } catch { throw Failure(error) }
        // Only its number is used from here on.
        defer { withExtendedLifetime(file) {} }
        guard kind != .directory else {
            throw Failure(.usage, path.description, "--file needs a file, this is a directory")
        }
        try storeStream(file.descriptor, named: path.description, emptyNeedsForce: false)
    }

    /// Up to 1 MiB goes in whole, more goes through in pieces.
    private func storeStream(
        _ descriptor: Descriptor, named name: String, emptyNeedsForce: Bool
    ) throws(Failure) {
        let interruption = session.watchedInterruption()
        var reader = ValueReader(
            descriptor, name: name, dropsFinalNewline: session.invocation.has(.trim),
            fileSystem: session.fileSystem, interruption: interruption)
        var head: [SecretBytes] = []
        var byteCount: UInt64 = 0
        while byteCount <= GetCommand.wholeByteCount, let piece = try reader.next() {
            byteCount += UInt64(piece.byteCount)
            head.append(SecretBytes(piece))
        }
        if byteCount <= GetCommand.wholeByteCount {
            let value = SecretBuffer(joining: head)
            try interruption.check()
            try storeWhole(value, emptyNeedsForce: emptyNeedsForce)
        } else {
            try place.write(key, attributes: [:], times: nil, mustBeAbsent: mustBeAbsent) {
                (sink) throws(Failure) in
                for piece in head {
                    try piece.withBytes { (bytes) throws(Failure) in try sink.write(bytes) }
                }
                while let piece = try reader.next() { try sink.write(piece.bytes) }
                // What comes after this is the commit.
                try interruption.check()
            }
        }
        if reader.isOneLineWithNewline {
            session.console.note(
                Escaping.shown(key) + ": the value ends in a newline; --trim drops it")
        }
    }

    /// Stores a value that is all there.
    ///
    /// An empty one from a stream is mostly that of a command that failed before the pipe, so it replaces nothing without
    /// `--force`.
    private func storeWhole(
        _ value: consuming SecretBuffer, emptyNeedsForce: Bool
    ) throws(Failure) {
        let refusesEmpty =
            value.byteCount == 0 && emptyNeedsForce && !session.invocation.has(.force)
        do throws(Failure) {
            try place.set(
                key, EntryValue(bytes: SecretBytes(value)),
                mustBeAbsent: mustBeAbsent || refusesEmpty)
        } catch {
            guard refusesEmpty, !mustBeAbsent, error == .entryExists(key) else { throw error }
            throw Failure(
                .exists, key, "standard input is empty and there is an entry",
                advice: "to make it empty, use --force")
        }
    }
}

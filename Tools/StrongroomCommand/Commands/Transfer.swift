import Strongroom
import StrongroomCrypto
import StrongroomVault

/// `move` and `copy`: an entry under another key, in the same area or in another.
enum Transfer {
    /// Runs `move`.
    static func move(_ session: Session) throws(Failure) {
        try one(session, removesSource: true)
    }

    /// Runs `copy`.
    static func copy(_ session: Session) throws(Failure) {
        guard session.invocation.has(.all) else { return try one(session, removesSource: false) }
        guard session.invocation.operands.isEmpty else {
            throw Failure(.usage, "--all", "takes no KEY", advice: "see strongroom help copy")
        }
        guard session.invocation.has(.to) else {
            throw Failure(.usage, "--all", "needs --to", advice: "see strongroom help copy")
        }
        try CopyAll.run(session)
    }

    private static func one(_ session: Session, removesSource: Bool) throws(Failure) {
        guard session.invocation.operands.count == 2 else {
            throw Failure(.usage, "copy", "needs KEY NEW", advice: "see strongroom help copy")
        }
        let key = try session.key(at: 0)
        let new = try session.key(at: 1)
        let source = try session.place()
        var target = source
        if let name = try session.invocation.text(.to) {
            target = try session.place(AreaName.named(name, by: .to))
        }
        guard key != new || source.area != target.area else {
            throw Failure(.usage, key, "both keys are the same")
        }
        let isNew = session.isUntouched(target)
        let mustBeAbsent = !session.invocation.has(.force)
        guard let pieces = try source.open(key) else { throw Failure.noEntry(key) }
        if removesSource, source.area == target.area,
            pieces.byteCount <= GetCommand.wholeByteCount
        {
            let version = try pieces.version()
            try source.replace(
                key, version: version, by: new, try value(of: pieces), mustBeAbsent: mustBeAbsent)
        } else {
            let version = removesSource ? try pieces.version() : nil
            try store(pieces, as: new, in: target, mustBeAbsent: mustBeAbsent, session)
            if let version { try source.del(key, ifVersion: version) }
        }
        if isNew { session.announceVault(target) }
        if removesSource, source.area != .vault {
            session.console.note(
                Escaping.shown(key)
                    + ": it was stored in the clear, and its old bytes may stay on the disk")
        } else {
            notePlain(from: source.area, to: target.area, session)
        }
    }

    /// Says of entries that went from the vault to a plain area, or stay in one, that nothing guards those.
    static func notePlain(from source: AreaName, to target: AreaName, _ session: Session) {
        guard (source == .vault) != (target == .vault) else { return }
        let plain = (source == .vault ? target : source).rawValue
        session.console.note(
            source == .vault
                ? "what is in \(plain) is in the clear, and its bytes may stay on the disk when it is removed"
                : "what was copied stays in \(plain), in the clear, and its bytes may stay on the disk "
                    + "when it is removed")
    }

    /// Stores what is read in another place, with what is kept with it.
    static func store(
        _ pieces: any EntryPieces, as key: String, in target: any EntryPlace,
        mustBeAbsent: Bool, _ session: Session
    ) throws(Failure) {
        guard pieces.byteCount > GetCommand.wholeByteCount else {
            return try target.set(key, try value(of: pieces), mustBeAbsent: mustBeAbsent)
        }
        let interruption = session.watchedInterruption()
        try target.write(
            key, attributes: pieces.attributes, times: nil, mustBeAbsent: mustBeAbsent
        ) {
            (sink) throws(Failure) in
            while let piece = try pieces.next() {
                try interruption.check()
                try piece.withBytes { (bytes) throws(Failure) in try sink.write(bytes) }
            }
        }
    }

    private static func value(of pieces: any EntryPieces) throws(Failure) -> EntryValue {
        EntryValue(
            bytes: SecretBytes(try GetCommand.whole(pieces)), attributes: pieces.attributes)
    }
}

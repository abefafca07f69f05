import Strongroom
import StrongroomCrypto
import StrongroomVault

/// `copy --all`: every entry into another area, or into the vault below another root, each read back and compared.
enum CopyAll {
    /// Runs it.
    static func run(_ session: Session) throws(Failure) {
        let source = try session.place()
        let target = try target(of: session)
        let isNew = session.isUntouched(target)
        let listing = try source.list()
        let interruption = session.watchedInterruption()
        var count = 0
        for entry in listing.entries {
            try interruption.check()
            do throws(Failure) {
                guard let pieces = try source.open(entry.key) else {
                    throw Failure.noEntry(entry.key)
                }
                try Transfer.store(
                    pieces, as: entry.key, in: target,
                    mustBeAbsent: !session.invocation.has(.force), session)
                try compare(entry.key, source, target)
                count += 1
            } catch {
                if error == Failure.interrupted { throw error }
                session.report(error)
            }
        }
        for failure in listing.failures { session.report(failure) }
        if isNew, count > 0 { session.announceVault(target) }
        session.console.note("\(Counted.entries(count)) copied and compared")
    }

    private static func target(of session: Session) throws(Failure) -> any EntryPlace {
        guard let bytes = session.invocation.options[.to] else {
            throw Failure(.usage, "--all", "needs --to")
        }
        if let name = String(validating: bytes, as: UTF8.self),
            let area = AreaName(rawValue: name)
        {
            let target = try session.place(area)
            guard try session.place().area != area else {
                throw Failure(.usage, "--to", "names the area that the entries are in")
            }
            return target
        }
        return try session.vaultPlace(below: try Invocation.path(bytes, named: "--to"))
    }

    /// Reads both values and finds any difference.
    private static func compare(
        _ key: String, _ source: any EntryPlace, _ target: any EntryPlace
    ) throws(Failure) {
        guard let left = try source.open(key), let right = try target.open(key) else {
            throw changed(key)
        }
        guard left.byteCount == right.byteCount else { throw changed(key) }
        var leftPieces = PieceCursor(left)
        var rightPieces = PieceCursor(right)
        while true {
            let count = min(try leftPieces.available(), try rightPieces.available())
            if count == 0 { return }
            guard leftPieces.agrees(with: rightPieces, count) else { throw changed(key) }
            leftPieces.drop(count)
            rightPieces.drop(count)
        }
    }

    private static func changed(_ key: String) -> Failure {
        Failure(
            .failed, key, "the copy is not what the entry holds now", advice: "copy it again")
    }
}

/// The pieces of a value as one run of bytes, so that two values can be compared whose pieces end in different places.
private struct PieceCursor {
    private let pieces: any EntryPieces
    private var piece: SecretBytes?
    private var offset = 0

    init(_ pieces: any EntryPieces) { self.pieces = pieces }

    /// How many bytes are at hand; 0 at the end.
    mutating func available() throws(Failure) -> Int {
        while true {
            if let piece, offset < piece.buffer.byteCount {
                return piece.buffer.byteCount - offset
            }
            guard let next = try pieces.next() else { return 0 }
            piece = next
            offset = 0
        }
    }

    /// True if the next `count` bytes at hand are the same in both.
    func agrees(with other: PieceCursor, _ count: Int) -> Bool {
        guard let piece, let otherPiece = other.piece else { return false }
        return piece.withBytes { left in
            otherPiece.withBytes { right in
                equalInConstantTime(
                    left.extracting(offset..<offset + count),
                    right.extracting(other.offset..<other.offset + count))
            }
        }
    }

    mutating func drop(_ count: Int) { offset += count }
}

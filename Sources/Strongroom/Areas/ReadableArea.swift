/// Values by key, to be read: what `assets` is, and every ``Area``.
///
/// Three functions must be written for an area of one's own; ``readPieces(_:while:)`` and
/// ``version(of:)`` have defaults that hold the entry in memory. All else is written on these.
///
/// A key is Unicode text of 1 to 1,024 UTF-8 bytes, as given and in normal form C, without NUL; two
/// keys are the same when their normal forms are. Any other text is
/// ``StrongroomError/invalidKey(key:)``. nil means absent and nothing else: every failure is
/// thrown. Reading writes nothing.
public protocol ReadableArea: Sendable {
    /// The entry of a key, or nil if there is none.
    ///
    /// - Parameter key: The entry's key.
    /// - Returns: The entry, or nil if there is none.
    /// - Throws: ``StrongroomError``.
    func entry(_ key: String) throws(StrongroomError) -> Entry?

    /// Whether there is an entry of a key. Its value is not verified.
    ///
    /// - Parameter key: The entry's key.
    /// - Returns: True if there is one.
    /// - Throws: ``StrongroomError``.
    func contains(_ key: String) throws(StrongroomError) -> Bool

    /// The keys below a folder, in normal form C, sorted by their bytes: `a` has `a` and `a/b`, not
    /// `ab`.
    ///
    /// - Parameter folder: The folder; an empty one is ``StrongroomError/invalidKey(key:)``; nil
    ///   means every key.
    /// - Returns: The keys, sorted.
    /// - Throws: ``StrongroomError``.
    func keys(under folder: String?) throws(StrongroomError) -> [String]

    /// The version of an entry, or nil if there is none.
    ///
    /// - Parameter key: The entry's key.
    /// - Returns: The version, or nil.
    /// - Throws: ``StrongroomError``.
    func version(of key: String) throws(StrongroomError) -> UInt64?

    /// Hands out an entry's value piece by piece, however large it is; every piece is of one
    /// content, and verified before it is handed out.
    ///
    /// - Parameters:
    ///   - key: The entry's key.
    ///   - body: Called with each piece in turn, which it must not keep; false ends the reading. An
    ///     empty value has no piece.
    /// - Returns: Whether there is such an entry.
    /// - Throws: ``StrongroomError``; damage further on is found after the pieces before it were
    ///   handed out.
    func readPieces(
        _ key: String, while body: (Span<UInt8>) -> Bool
    ) throws(StrongroomError) -> Bool
}

extension ReadableArea {
    /// The version of an entry, or nil if there is none; reads the whole entry.
    public func version(of key: String) throws(StrongroomError) -> UInt64? {
        guard let entry = try entry(key) else { return nil }
        return entry.version
    }

    /// Hands out an entry's value in pieces of at most 64 KiB, the whole of it being in memory.
    public func readPieces(
        _ key: String, while body: (Span<UInt8>) -> Bool
    ) throws(StrongroomError) -> Bool {
        guard let entry = try entry(key) else { return false }
        return entry.withBytes { bytes in ByteSource.hand(bytes, to: body) }
    }

    /// Hands out an entry's value piece by piece, however large it is.
    ///
    /// - Parameters:
    ///   - key: The entry's key.
    ///   - body: Called with each piece in turn, which it must not keep.
    /// - Returns: Whether there is such an entry.
    /// - Throws: ``StrongroomError``.
    @discardableResult
    public func read(
        _ key: String, pieces body: (Span<UInt8>) -> Void
    ) throws(StrongroomError) -> Bool {
        try readPieces(key) { piece in
            body(piece)
            return true
        }
    }

    /// Hands out an entry's value piece by piece to a body that may throw, which ends the reading.
    ///
    /// - Parameters:
    ///   - key: The entry's key.
    ///   - body: Called with each piece in turn, which it must not keep.
    /// - Returns: Whether there is such an entry.
    /// - Throws: ``StrongroomError``, or what `body` throws.
    @discardableResult
    public func read(
        _ key: String, pieces body: (Span<UInt8>) throws -> Void
    ) throws -> Bool {
        var failure: (any Error)?
        let isThere = try readPieces(key) { piece in
            do {
                try body(piece)
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        return isThere
    }
}

import StrongroomCrypto
package import StrongroomSystem

// Making and opening: what the vault asks of its log besides what every store does.
extension LogStore {
    /// What a log takes on the disk.
    package struct Usage: Equatable, Sendable {
        /// Entries.
        package var entryCount = 0
        /// Bytes of what is there: payloads and their rows.
        package var byteCount: Int64 = 0
        /// Bytes of the log that hold nothing any more.
        package var garbageByteCount: Int64 = 0
        /// Bytes that log and index have on the disk.
        package var allocatedByteCount: Int64 = 0
    }

    /// True if there is a log in `directory`, of whatever state.
    package static func exists(
        at directory: Path, fileSystem: any FileSystem
    ) throws(StoreError) -> Bool {
        do {
            let base = try OpenFile.open(
                directory, [.read, .directory, .followLink], fileSystem: fileSystem)
            return try base.status(of: LogName.log) != nil
        } catch {
            guard error.code == ErrorCode.noEntry else { throw StoreError(error) }
            return false
        }
    }

    /// The owner that the log in `directory` says is its own, nothing but sums being verified: for who has to find the
    /// keys first.
    ///
    /// `.absent` if there is no log.
    package static func owner(
        at directory: Path, fileSystem: any FileSystem
    ) throws(StoreError) -> OwnerID {
        let bytes: [UInt8]
        let path = directory.appending(LogName.log)
        do {
            let base = try OpenFile.open(
                directory, [.read, .directory, .followLink], fileSystem: fileSystem)
            bytes = try base.openFile(LogName.log, [.read, .nonBlocking])
                .read(at: 0, count: LogBlock.byteCount)
        } catch {
            guard error.code == ErrorCode.noEntry else { throw StoreError(opening: error) }
            throw .absent(path: path.description)
        }
        return try LogBlock.unverified(bytes, path: path.description).owner
    }

    /// The log in the vault's directory, as it is there, looked at once.
    ///
    /// `.absent` if there is none, `.rolledBack` if it is older than its anchor. With `acceptsRollback` one that is
    /// rolled back is read all the same; without `compactsByItself` garbage stays until ``compact()``.
    package static func open(
        at path: Path, keys: any LogKeys, anchor: (any LogAnchor)? = nil,
        waitSeconds: Double = 10, readOnly: Bool = false, acceptsRollback: Bool = false,
        compactsByItself: Bool = true, fileSystem: any FileSystem
    ) throws(StoreError) -> LogStore {
        let place = try LogPlace.at(
            path, keys: keys, anchor: anchor, acceptsRollback: acceptsRollback,
            fileSystem: fileSystem)
        let store = LogStore(
            place, isReadOnly: readOnly, waitSeconds: waitSeconds,
            compactsByItself: compactsByItself)
        _ = try store.owner()
        return store
    }

    /// Makes an empty log in the vault's directory, which is made if it is missing, durable when the call returns.
    ///
    /// A log that is there and never had a commit is replaced; one that has or had commits is `.exists`, and one that
    /// cannot be read is refused for what is wrong with it, since nobody knows what it holds. The caller holds `job`.
    /// A throw leaves what was there.
    package static func create(
        at path: Path, owner: OwnerID, keys: any LogKeys, anchor: (any LogAnchor)? = nil,
        isSealed: Bool, waitSeconds: Double = 10, fileSystem: any FileSystem
    ) throws(StoreError) -> LogStore {
        let directory = try system(try DirectoryMaker.ensure(path, fileSystem: fileSystem))
        guard DirectoryMaker.mayWrite(try system(try directory.status())) else {
            throw .notOwner(path: path.description)
        }
        let boot = try LogPlace.boot(directory, fileSystem)
        let lock = FileLock(directory: directory, name: LogName.lock, gate: LogName.gate)
        do {
            let held = try lock.acquire(waitSeconds: waitSeconds)
            defer { held.release() }
            let log = try makeEmpty(in: directory, owner, keys, isSealed)
            // The lock is never found empty then but where it was removed (see `LogReader.settle`).
            let hint = LogHint(
                boot: boot, log: log.block.log, inode: log.inode,
                end: Int64(LogBlock.byteCount), sequence: 0)
            let bytes = try hint.encoded()
            try held.file.write(bytes.span, at: 0)
        } catch let error as SystemError {
            throw StoreError(lock: error)
        } catch let error as StoreError {
            throw error
        } catch {
            throw .busy(path: path.description)
        }
        return try open(
            at: path, keys: keys, anchor: anchor, waitSeconds: waitSeconds, fileSystem: fileSystem)
    }

    private static func makeEmpty(
        in directory: OpenFile, _ owner: OwnerID, _ keys: any LogKeys, _ isSealed: Bool
    ) throws(StoreError) -> LogFile {
        var generation: UInt64 = 1
        let path = directory.path.description
        if try system(try directory.status(of: LogName.log)) != nil {
            let bytes = try system(
                try directory.openFile(LogName.log, [.read, .nonBlocking])
                    .read(at: 0, count: LogBlock.byteCount + 1))
            let block = try LogBlock.unverified(
                bytes, path: directory.path.appending(LogName.log).description)
            // Not a commit was ever begun in it, nor in one before it.
            guard bytes.count <= LogBlock.byteCount, block.base.sequence == 0 else {
                throw .exists(path: path)
            }
            generation = block.generation + 1
        }
        let random: [UInt8]
        do {
            random = try Randomness.bytes(Bytes16.byteCount)
        } catch {
            throw .system(operation: "draw", path: "randomness", code: -1)
        }
        let base = LogPoint(generation: generation - 1, sequence: 0, tag: .zero)
        let block = LogBlock(
            isSealed: isSealed, generation: generation, log: Bytes16(random.span), owner: owner,
            base: base)
        let bytes = try block.encoded(keys)
        try system(
            try AtomicFile.replace(
                LogName.log, in: directory, with: bytes.span, temporaryName: LogName.next))
        return try LogFile.open(in: directory, keys: keys)
    }

    /// What the log takes.
    package func usage() throws(StoreError) -> Usage {
        let directory = try place.openDirectory()
        var usage = try look { (view) throws(StoreError) in
            Usage(
                entryCount: view.index.count, byteCount: view.index.liveByteCount,
                garbageByteCount: view.garbageByteCount)
        }
        for name in [LogName.log, LogName.index] {
            let status = try system(try directory.status(of: name))
            usage.allocatedByteCount += status?.allocatedByteCount ?? 0
        }
        return usage
    }

    /// True if a range of the log was lost: ids whose newest content may have been in it answer `.damaged`.
    package func hasLoss() throws(StoreError) -> Bool {
        try look { (view) throws(StoreError) in view.index.hasLoss }
    }

    /// The newest commit, for an anchor.
    package func point() throws(StoreError) -> LogPoint {
        try look { (view) throws(StoreError) in view.position.point(view.log.block) }
    }

    /// Makes what stands now outlast a crash: who goes on from a state that he finds does this first, since who was
    /// killed may have left it visible and not durable.
    package func syncState() throws(StoreError) {
        let directory = try place.openDirectory()
        let log = try look { (view) throws(StoreError) in view.log }
        try system(try log.file.sync())
        try system(try directory.sync())
    }
}

package import StrongroomSystem
import Synchronization

extension LogStore {
    /// Bytes of a log in which no commit was begun.
    package static var emptyByteCount: Int { LogBlock.byteCount }

    /// Throws `.unsuitable`, with advice, if a log cannot be kept in `directory`, or where that would be made; nothing
    /// is made.
    package static func checkSuitable(
        at directory: Path, fileSystem: any FileSystem
    ) throws(StoreError) {
        var path = directory
        while true {
            do {
                let found = try OpenFile.open(
                    path, [.read, .directory, .followLink], fileSystem: fileSystem)
                _ = try LogPlace.boot(found, fileSystem)
                return
            } catch let error as SystemError {
                guard error.code == ErrorCode.noEntry, path.parent != path else {
                    // Making it says what is wrong.
                    return
                }
                path = path.parent
            } catch let error as StoreError {
                throw error
            } catch {
                return
            }
        }
    }

    /// Follows the log from its first commit to its last, with every sum, link and chain tag of heads and tables, and
    /// compares it with the anchor.
    ///
    /// Damage is no error; `.tampered` and `.rolledBack` are what they are.
    package func verifyChain() throws(StoreError) {
        var reader = LogReader(place)
        reader.trustsIndex = false
        reader.makesIndex = false
        try reader.look()
    }

    /// The newest generation and commit that this process has answered from.
    package var seen: LogSeen {
        state.withLock { $0.reader.seen }
    }

    /// Takes over what another object of this process has seen of the log; `.rolledBack` if this one is older.
    package func remember(_ seen: LogSeen) throws(StoreError) {
        state.withLock { state in
            if state.reader.seen.isBefore(seen) { state.reader.seen = seen }
            // The next look compares.
            state.reader.view?.isSettled = false
        }
        _ = try owner()
    }
}

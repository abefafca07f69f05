import Glibc

/// The watches on a directory and those below it, by number.
struct WatchTree: Sendable {
    let directory: OpenFile
    let queue: OpenFile
    /// False if only the top is watched.
    let isDeep: Bool
    private var paths: [Int32: Path] = [:]

    init(directory: OpenFile, queue: OpenFile, isDeep: Bool) {
        self.directory = directory
        self.queue = queue
        self.isDeep = isDeep
    }

    /// The directory, relative to the top, that the watch of that number is on.
    func path(of watch: Int32) -> Path? { paths[watch] }

    /// Watches the directory `path` and all below it, and returns the names in them.
    ///
    /// The watch comes before the listing, so nothing is missed in between. What vanishes meanwhile is left out.
    mutating func addAll(below path: Path) throws(SystemError) -> [Path] {
        var names: [Path] = []
        var waiting = [path]
        while let next = waiting.popLast() {
            if !isDeep && !next.bytes.isEmpty { continue }
            guard try add(next), isDeep else { continue }
            for item in try list(next) {
                let name = next.appending(item.name)
                names.append(name)
                // A kind that is not known is tried: what is no directory is left out above.
                if item.kind == .directory || item.kind == nil { waiting.append(name) }
            }
        }
        return names
    }

    /// Gives up the watches on `path` and all below it.
    mutating func removeAll(below path: Path) {
        let prefix = path.bytes + [UInt8(ascii: "/")]
        for (watch, watched) in paths where watched == path || watched.bytes.starts(with: prefix) {
            _ = inotify_rm_watch(queue.descriptor.number, watch)
            paths[watch] = nil
        }
    }

    /// The kernel gave up a watch.
    mutating func forget(_ watch: Int32) { paths[watch] = nil }

    private mutating func add(_ path: Path) throws(SystemError) -> Bool {
        let mask =
            IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF
            | IN_MOVE_SELF | IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK
        let base = Path("/proc/self/fd/\(directory.descriptor.number)/")
        let watch = unsafe base.appending(path.bytes.isEmpty ? "." : path).withCString { name in
            unsafe inotify_add_watch(queue.descriptor.number, name, UInt32(mask))
        }
        if watch >= 0 {
            paths[watch] = path
            return true
        }
        let error = SystemError.last("watch", directory.path.appending(path))
        guard Self.isAbsence(error) else { throw error }
        return false
    }

    private func list(_ path: Path) throws(SystemError) -> [DirectoryItem] {
        do {
            let name: Path = path.bytes.isEmpty ? "." : path
            return try directory.openFile(name, [.read, .directory]).list()
        } catch {
            guard Self.isAbsence(error) else { throw error }
            return []
        }
    }

    private static func isAbsence(_ error: SystemError) -> Bool {
        [ErrorCode.noEntry, ErrorCode.notDirectory, ErrorCode.link].contains(error.code)
    }
}

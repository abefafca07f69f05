import StrongroomSystem
import Synchronization

/// A staged payload on the disk: a file without a name, which the kernel drops with its last descriptor.
///
/// Where the disk has none it is a file in a folder for such, locked by who writes it: one that is not locked is
/// left by a killed process, and swept.
final class StagedFile: StagedPayload {
    private struct State {
        var byteCount: Int64 = 0
        var isTaken = false
    }
    let file: OpenFile
    /// The folder and its name in it, if it has one.
    private let place: (folder: OpenFile, name: Path, base: OpenFile)?
    /// The folder's name.
    private let folderName: Path
    private let state = Mutex(State())

    /// An empty file on the disk of `base`; one with a name lies in its folder `folderName`.
    init(in base: OpenFile, folder folderName: Path = StoreName.staged) throws(StoreError) {
        self.folderName = folderName
        do {
            file = try base.openFile(".", [.read, .write, .unnamed])
            place = nil
        } catch {
            let lacking = [ErrorCode.notSupported, ErrorCode.isDirectory, ErrorCode.invalid]
            guard lacking.contains(error.code) else { throw StoreError(error) }
            let named = try Self.makeNamed(in: base, folderName)
            file = named.file
            place = (named.folder, named.name, base)
        }
    }

    deinit {
        guard let place else { return }
        do {
            try place.folder.unlink(place.name)
            try place.base.removeDirectory(folderName)
        } catch {
            // Others are staging, or the next writer sweeps it.
        }
    }

    var byteCount: Int64 { state.withLock { $0.byteCount } }

    func write(_ bytes: Span<UInt8>, at offset: Int64) throws(StoreError) {
        let state = state.withLock { $0 }
        guard !state.isTaken, offset >= 0, offset <= state.byteCount else {
            throw .system(
                operation: "write", path: file.path.description, code: ErrorCode.invalid)
        }
        try system(try file.write(bytes, at: offset))
        let end = offset + Int64(bytes.count)
        self.state.withLock { $0.byteCount = max($0.byteCount, end) }
    }

    func read(at offset: Int64, count: Int) throws(StoreError) -> [UInt8] {
        let bytes = try system(try file.read(at: offset, count: count))
        guard bytes.count == count else {
            throw .system(operation: "read", path: file.path.description, code: ErrorCode.io)
        }
        return bytes
    }

    /// Takes no more from now on: a commit has taken it up.
    func close() { state.withLock { $0.isTaken = true } }

    /// Gives the file a name for a commit; false if that cannot be, and then it has to be copied: on another disk, or
    /// after a commit that failed, since a file that has lost its last name cannot be named again.
    func link(as name: Path, in folder: OpenFile) -> Bool {
        // From here on it may be an entry's file.
        state.withLock { $0.isTaken = true }
        do {
            try folder.link(file, as: name)
            return true
        } catch {
            return false
        }
    }

    private static func makeNamed(
        in base: OpenFile, _ folderName: Path
    ) throws(StoreError) -> (file: OpenFile, folder: OpenFile, name: Path) {
        for _ in 0..<100 {
            do {
                let folder = try openFolder(in: base, folderName)
                let name = Path(String(UInt64.random(in: 0 ... .max), radix: 36))
                let file = try folder.openFile(name, [.read, .write, .create, .exclusive])
                try file.lock(.exclusive, waits: false)
                // A sweeper may have come before the lock.
                if try file.status().linkCount > 0 { return (file, folder, name) }
            } catch {
                let passing = [ErrorCode.noEntry, ErrorCode.exists, ErrorCode.wouldBlock]
                guard passing.contains(error.code) else { throw StoreError(error) }
            }
        }
        throw .busy(path: base.path.appending(folderName).description)
    }

    private static func openFolder(
        in base: OpenFile, _ folderName: Path
    ) throws(SystemError) -> OpenFile {
        do {
            return try base.openFile(folderName, [.read, .directory])
        } catch {
            guard error.code == ErrorCode.noEntry else { throw error }
        }
        return try base.makeDirectory(folderName)
    }

    /// Removes staged files whose writers are gone.
    ///
    /// What cannot be removed stays.
    static func sweep(in base: OpenFile, folder folderName: Path = StoreName.staged) {
        do {
            let folder = try base.openFile(folderName, [.read, .directory])
            for item in try folder.list() {
                let file = try folder.openFile(item.name, [.read, .nonBlocking])
                do {
                    try file.lock(.exclusive, waits: false)
                } catch {
                    continue
                }
                try folder.unlink(item.name)
            }
            try base.removeDirectory(folderName)
        } catch {
            // There is none, nearly always; else somebody is staging.
        }
    }
}

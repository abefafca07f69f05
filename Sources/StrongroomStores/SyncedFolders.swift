import StrongroomSystem
import Synchronization

/// Folders whose names this process knows to outlast a crash, since it synced the folder above after it saw them.
///
/// Whoever makes a folder syncs the one above before he lets go of the lock; so what is known here stays true though
/// another process removes the folder and makes it again.
final class SyncedFolders: Sendable {
    /// A folder under its names.
    struct Folder: Hashable {
        let names: [Path]
        let device: UInt64
        let inode: UInt64
    }
    private let known = Mutex<Set<Folder>>([])

    func contains(_ folder: Folder) -> Bool { known.withLock { $0.contains(folder) } }

    func insert(_ folder: Folder) { known.withLock { _ = $0.insert(folder) } }

    /// After a writer was killed, nothing that he should have synced is known.
    func forgetAll() { known.withLock { $0.removeAll() } }
}

import StrongroomSystem
import Synchronization

/// Folders whose names this process knows to outlast a crash, since it synced the folder above after it saw them.
///
/// Whoever makes a folder syncs the one above before he lets go of the lock, and forgets what he knew of that name: so
/// what is known stays true though a folder is removed and another one made, perhaps with the same number.
final class SyncedFolders: Sendable {
    private struct Folder {
        let device: UInt64
        let inode: UInt64
    }
    private let known = Mutex<[[Path]: Folder]>([:])

    /// True if the folder of that status is known under its names.
    func contains(_ names: [Path], _ status: FileStatus) -> Bool {
        guard let folder = known.withLock({ $0[names] }) else { return false }
        return folder.device == status.device && folder.inode == status.inode
    }

    /// The folder's name was synced.
    func insert(_ names: [Path], _ status: FileStatus) {
        known.withLock { $0[names] = Folder(device: status.device, inode: status.inode) }
    }

    /// A folder was made under these names.
    func forget(_ names: [Path]) { known.withLock { $0[names] = nil } }

    /// After a writer was killed, nothing that he should have synced is known.
    func forgetAll() { known.withLock { $0.removeAll() } }
}

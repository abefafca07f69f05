import StrongroomStores
import StrongroomSystem

extension PlainArea {
    /// The area of the files below `directory`.
    ///
    /// - Parameters:
    ///   - directory: Need not be there; the first write makes it.
    ///   - isDurable: False where nothing has to outlast a crash of the machine.
    ///   - waitSeconds: How long a lock is waited for.
    ///   - isShared: True where anybody may make files beside the directory.
    ///   - fileSystem: Where it is.
    init(
        _ directory: Path, isDurable: Bool, waitSeconds: Double, isShared: Bool = false,
        _ fileSystem: any FileSystem
    ) {
        let store = DirectoryStore(
            areaAt: directory, durable: isDurable, waitSeconds: waitSeconds, fileSystem: fileSystem)
        if isShared {
            self.init(PrivateStore(store, at: directory, fileSystem: fileSystem))
        } else {
            self.init(store)
        }
    }
}

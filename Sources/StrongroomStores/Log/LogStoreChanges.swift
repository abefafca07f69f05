import StrongroomSystem
import Synchronization

// Telling readers what changes: whoever brings the view up to date over a commit tells what it changed, once.
extension LogStore {
    /// Ids that change from now on, by whatever process: ``Store/changes()``.
    ///
    /// A reader holds the store. If the kernel cannot tell any more, the stream ends.
    package func changes() throws(StoreError) -> AsyncStream<[EntryID]> {
        // What was committed before is no change.
        _ = try owner()
        state.withLock { state in
            state.watch.readerCount += 1
            state.reader.isWatched = true
        }
        do {
            if state.withLock({ $0.watch.watcher == nil }) { try watch() }
        } catch {
            endReader()
            throw error
        }
        return feed.stream { self.endReader() }
    }

    private func endReader() {
        let ended = state.withLock { state -> DirectoryWatcher? in
            state.watch.readerCount -= 1
            guard state.watch.readerCount == 0 else { return nil }
            let watcher = state.watch.watcher
            state.watch = LogWatch()
            state.reader.isWatched = false
            state.reader.news = []
            return watcher
        }
        ended?.cancel()
    }

    private func watch() throws(StoreError) {
        for _ in 0..<100 {
            let directory = try place.openDirectory()
            let watcher = try system(
                try DirectoryWatcher(directory, isDeep: false) { [weak self] event in
                    self?.take(event)
                })
            let status = try system(try directory.status())
            let isWanted = state.withLock { state in
                guard state.watch.readerCount > 0 else { return false }
                state.watch.watcher = watcher
                state.watch.directory = status
                return true
            }
            guard isWanted else { return watcher.cancel() }
            // It may have been replaced between the look and the watch.
            if try isWatchingTheRightOne() { return }
        }
        throw .busy(path: place.path.description)
    }

    private func isWatchingTheRightOne() throws(StoreError) -> Bool {
        let directory = try place.openDirectory()
        let now = try system(try directory.status())
        let watched = state.withLock { $0.watch.directory }
        return watched?.inode == now.inode && watched?.device == now.device
    }

    private func take(_ event: DirectoryWatcher.Event) {
        do throws(StoreError) {
            if case .failed = event { return feed.finish() }
            if case .anything = event, try !isWatchingTheRightOne() {
                try watch()
                feed.send([])
            }
            // Looking tells what is new.
            _ = try owner()
        } catch {
            // Nobody could be told any more, and the end says that.
            feed.finish()
        }
    }
}

import StrongroomSystem
import Synchronization

// What a writer does after a commit was acknowledged: nothing of it is needed, and nothing of it fails a commit.
extension LogStore {
    /// Writes the index if much came since the last one, and compacts if more than half of the log is garbage.
    func tidyUp() {
        do throws(StoreError) {
            let (view, isGarbage) = state.withLock { state -> (LogView?, Bool) in
                guard let view = state.reader.view else { return (nil, false) }
                let size = view.position.end
                let isGarbage =
                    compactsByItself && !view.index.hasLoss
                    && view.garbageByteCount > max(256 << 10, size / 2)
                let since = size - view.indexedEnd
                return (since > max(1 << 20, view.indexByteCount) ? view : nil, isGarbage)
            }
            if isGarbage, try compactIfFree() { return }
            if let view { try writeIndex(view) }
        } catch {
            // The next writer tries again.
        }
    }

    /// Compacts if nobody holds `job`.
    private func compactIfFree() throws(StoreError) -> Bool {
        let directory = try openForWriting()
        let job = FileLock(directory: directory, name: LogName.job, gate: nil)
        guard let held = try system(try job.tryAcquire()) else { return false }
        defer { held.release() }
        try compact()
        return true
    }

    /// Writes the file `index` for a view.
    func writeIndex(_ view: LogView) throws(StoreError) {
        var view = view
        let rows: LogRows
        switch try view.index.allRows() {
        case .success(let all?): rows = all
        case .success(nil), .failure: return
        }
        guard view.position.sequence > 0 else { return }
        let bytes = try LogIndexFile.encode(
            rows, liveByteCount: view.index.liveByteCount, view.position, view.log.block,
            keys: place.keys)
        let directory = try openForWriting()
        try replaceIndex(bytes, in: directory)
        let log = view.log.block.log
        let end = view.position.end
        state.withLock { state in
            guard state.reader.view?.log.block.log == log else { return }
            state.reader.view?.indexedEnd = end
            state.reader.view?.indexByteCount = Int64(bytes.count)
        }
    }

    /// A temporary file of a name of its own, since several may write at once, and a rename; nothing is synced.
    private func replaceIndex(_ bytes: [UInt8], in directory: OpenFile) throws(StoreError) {
        let number = String(UInt64.random(in: 0 ... .max), radix: 36)
        let name = Path(LogName.nextIndex.description + "." + number)
        let file = try system(
            try directory.openFile(name, [.write, .create, .exclusive]))
        do {
            try file.write(bytes.span, at: 0)
            try directory.rename(name, to: LogName.index)
        } catch {
            // The error in hand says more than one of tidying up.
            try? directory.unlink(name)
            throw StoreError(error)
        }
    }
}

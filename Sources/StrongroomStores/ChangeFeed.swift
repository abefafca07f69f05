import Synchronization

/// Hands batches of changed ids to every stream that was asked for.
///
/// A reader that falls 1,024 batches behind loses the oldest and gets an empty batch, which says so. All streams
/// end with the feed.
final class ChangeFeed: Sendable {
    private struct State {
        var nextNumber = 0
        var readers: [Int: AsyncStream<[EntryID]>.Continuation] = [:]
    }
    private let state = Mutex(State())

    deinit { finish() }

    /// Ends all streams.
    func finish() {
        for reader in state.withLock({ Array($0.readers.values) }) { reader.finish() }
    }

    /// A stream of the batches from now on; `onEnd` is called once when its reader ends.
    func stream(onEnd: @escaping @Sendable () -> Void) -> AsyncStream<[EntryID]> {
        let (stream, reader) = AsyncStream.makeStream(
            of: [EntryID].self, bufferingPolicy: .bufferingNewest(1024))
        let number = state.withLock { state in
            state.nextNumber += 1
            state.readers[state.nextNumber] = reader
            return state.nextNumber
        }
        reader.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.readers.removeValue(forKey: number) }
            onEnd()
        }
        return stream
    }

    /// Sends a batch; an empty one means that any entry may have changed.
    func send(_ ids: [EntryID]) {
        // Outside the mutex: a reader's end comes back into it.
        for reader in state.withLock({ Array($0.readers.values) }) {
            if case .dropped = reader.yield(ids) { reader.yield([]) }
        }
    }
}

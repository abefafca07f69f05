import Glibc

/// Reads the kernel's events and turns them into the watcher's.
struct WatchLoop {
    var tree: WatchTree
    let wake: OpenFile
    let isCancelled: Monitor<Bool>

    /// Runs until it is cancelled or fails.
    mutating func run(_ onEvent: (DirectoryWatcher.Event) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let event: DirectoryWatcher.Event?
            var isLast = false
            do throws(SystemError) {
                try waitForEvents()
                event = try next(&buffer)
            } catch {
                event = .failed(error)
                isLast = true
            }
            if isCancelled.change({ $0 }) { return }
            if let event { onEvent(event) }
            if isLast { return }
        }
    }

    private func waitForEvents() throws(SystemError) {
        var requests = [
            pollfd(fd: tree.queue.descriptor.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake.descriptor.number, events: Int16(POLLIN), revents: 0),
        ]
        while unsafe poll(&requests, 2, -1) < 0 {
            guard errno == EINTR else { throw .last("watch", tree.directory.path) }
        }
    }

    /// What one batch of the kernel's events comes to; nil for nothing.
    private mutating func next(_ buffer: inout [UInt8]) throws(SystemError) -> DirectoryWatcher
        .Event?
    {
        var span = buffer.mutableSpan
        let count: Int
        do {
            count = try tree.queue.readStream(into: &span)
        } catch {
            if error.code == ErrorCode.wouldBlock { return nil }
            throw error
        }
        var changes = WatchChanges()
        var offset = 0
        while let event = KernelEvent(buffer, at: offset, end: count) {
            offset += event.byteCount
            try take(event, into: &changes)
        }
        return changes.event
    }

    private mutating func take(
        _ event: KernelEvent, into changes: inout WatchChanges
    ) throws(SystemError) {
        if event.has(IN_Q_OVERFLOW) {
            // Directories may have come whose making was lost: watches that are there already stay as they are.
            _ = try tree.addAll(below: Path(bytes: []))
            changes.areUnknown = true
            return
        }
        if event.has(IN_IGNORED) {
            tree.forget(event.watch)
            return
        }
        if event.has(IN_DELETE_SELF) || event.has(IN_MOVE_SELF) || event.has(IN_UNMOUNT) {
            // Below the top its parent says the same with a name.
            if tree.path(of: event.watch)?.bytes.isEmpty == true { changes.areUnknown = true }
            return
        }
        guard let parent = tree.path(of: event.watch) else { return }
        let name = parent.appending(event.name)
        guard event.has(IN_ISDIR) else {
            changes.add(name)
            return
        }
        changes.add(name)
        if event.has(IN_CREATE) || event.has(IN_MOVED_TO) {
            // What was made in it before the watch was there is told too.
            for found in try tree.addAll(below: name) { changes.add(found) }
        } else {
            if event.has(IN_MOVED_FROM) { tree.removeAll(below: name) }
            changes.areUnknown = true
        }
    }
}

/// What a batch of events comes to.
private struct WatchChanges {
    var areUnknown = false
    private var names: [Path] = []
    private var seen: Set<Path> = []

    mutating func add(_ name: Path) {
        if seen.insert(name).inserted { names.append(name) }
    }

    var event: DirectoryWatcher.Event? {
        if areUnknown { return .anything }
        return names.isEmpty ? nil : .changed(names)
    }
}

/// One event as the kernel writes it: watch, mask, cookie, length of the name (32 bits each), name, zeros.
private struct KernelEvent {
    let watch: Int32
    let mask: UInt32
    let name: Path
    let byteCount: Int

    init?(_ buffer: [UInt8], at offset: Int, end: Int) {
        guard offset + 16 <= end else { return nil }
        func word(_ index: Int) -> UInt32 {
            var value: UInt32 = 0
            // The kernel writes in the machine's own order, which on every Linux that Swift runs on is little-endian.
            for byte in 0..<4 {
                value |= UInt32(buffer[offset + index * 4 + byte]) << (8 * UInt32(byte))
            }
            return value
        }
        let nameByteCount = Int(word(3))
        guard offset + 16 + nameByteCount <= end else { return nil }
        watch = Int32(bitPattern: word(0))
        mask = word(1)
        name = Path(
            bytes: Array(buffer[(offset + 16)..<(offset + 16 + nameByteCount)].prefix { $0 != 0 }))
        byteCount = 16 + nameByteCount
    }

    func has(_ flag: Int32) -> Bool { mask & UInt32(bitPattern: flag) != 0 }
}

import StrongroomSystem
import Testing

/// What a watcher says of changes below a directory.
@Suite struct DirectoryWatcherTests {
    let temporary: TemporaryDirectory
    let seen = Monitor<[DirectoryWatcher.Event]>([])

    init() throws { temporary = try TemporaryDirectory() }

    private func watch() throws -> DirectoryWatcher {
        try DirectoryWatcher(temporary.directory) { [seen] event in
            seen.change { $0.append(event) }
        }
    }

    /// Waits until `name` was said to have changed.
    private func sees(_ name: Path) -> Bool {
        seen.wait(until: Clock.deadline(afterSeconds: 20)) { events in
            events.contains { event in
                if case .changed(let names) = event { names.contains(name) } else { false }
            } ? true : nil
        } ?? false
    }

    /// Waits until it was said that anything may have changed, and forgets all.
    private func seesAnything() -> Bool {
        seen.wait(until: Clock.deadline(afterSeconds: 20)) { events in
            guard events.contains(.anything) else { return nil }
            events = []
            return true
        } ?? false
    }

    @Test func `files that are made, written, renamed and removed are named`() throws {
        try temporary.write("old", to: "old")
        let watcher = try watch()
        try temporary.write("new", to: "made")
        #expect(sees("made"))
        seen.change { $0 = [] }
        try temporary.write("more", to: "old")
        #expect(sees("old"))
        try temporary.directory.rename("made", to: "renamed")
        #expect(sees("renamed") && sees("made"))
        seen.change { $0 = [] }
        try temporary.directory.unlink("old")
        #expect(sees("old"))
        watcher.cancel()
    }

    @Test func `a shallow watcher names what is made in the directory and nothing below`() throws {
        let below = try temporary.directory.makeDirectory("there")
        let watcher = try DirectoryWatcher(temporary.directory, isDeep: false) { [seen] event in
            seen.change { $0.append(event) }
        }
        _ = try below.openFile("unseen", [.write, .create])
        let made = try temporary.directory.makeDirectory("made")
        #expect(sees("made"))
        _ = try made.openFile("unseen", [.write, .create])
        try temporary.write("last", to: "last")
        #expect(sees("last"))
        #expect(
            !seen.change { events in
                events.contains { event in
                    guard case .changed(let names) = event else { return false }
                    return names.contains("there/unseen") || names.contains("made/unseen")
                }
            })
        watcher.cancel()
    }

    @Test func `directories that were there and that come are watched, at any depth`() throws {
        try temporary.directory.makeDirectory("a").makeDirectory("b")
        let watcher = try watch()
        try temporary.write("1", to: "a/b/deep")
        #expect(sees("a/b/deep"))
        let made = try temporary.directory.makeDirectory("c").makeDirectory("d")
        try temporary.write("2", to: "c/d/first")
        #expect(sees("c/d/first"))
        seen.change { $0 = [] }
        let file = try made.openFile("second", [.write, .create])
        withExtendedLifetime(file) {}
        #expect(sees("c/d/second"))
        watcher.cancel()
    }

    @Test func `what a directory brings with it is named`() throws {
        let outside = try TemporaryDirectory()
        try outside.directory.makeDirectory("full").makeDirectory("inner")
        try outside.write("x", to: "full/inner/file")
        let watcher = try watch()
        try outside.directory.rename("full", to: "arrived", in: temporary.directory)
        #expect(sees("arrived/inner/file"))
        watcher.cancel()
    }

    @Test func `a directory that is moved or removed may have changed anything`() throws {
        try temporary.directory.makeDirectory("moved").makeDirectory("inner")
        try temporary.directory.makeDirectory("removed")
        let watcher = try watch()
        try temporary.directory.rename("moved", to: "there")
        #expect(seesAnything())
        // Under its new name it is watched on.
        try temporary.write("x", to: "there/inner/file")
        #expect(sees("there/inner/file"))
        try temporary.directory.removeDirectory("removed")
        #expect(seesAnything())
        watcher.cancel()
    }

    @Test func `a flood that the kernel cannot keep is told as anything`() throws {
        let (isBlocked, isFree) = (Monitor(false), Monitor(false))
        let watcher = try DirectoryWatcher(temporary.directory) { [seen] event in
            seen.change { $0.append(event) }
            isBlocked.change { $0 = true }
            _ = isFree.wait(until: nil) { $0 ? true : nil }
        }
        try temporary.write("x", to: "first")
        _ = isBlocked.wait(until: nil) { $0 ? true : nil }
        // The kernel keeps so many events and no more; two names in turn, so that none are merged.
        let limit = try Self.queueLimit()
        try temporary.write("x", to: "a")
        for _ in 0...(limit / 4) {
            try temporary.directory.rename("a", to: "b")
            try temporary.directory.rename("b", to: "a")
        }
        isFree.change { $0 = true }
        #expect(seesAnything())
        try temporary.write("x", to: "after")
        #expect(sees("after"))
        watcher.cancel()
    }

    @Test func `after cancelling nothing is said`() throws {
        let watcher = try watch()
        watcher.cancel()
        try temporary.write("x", to: "file")
        let other = try watch()
        try temporary.write("x", to: "other")
        #expect(sees("other"))
        #expect(seen.change { $0 }.allSatisfy { $0 != .changed(["file"]) })
        other.cancel()
    }

    @Test func `a watcher that is let go ends`() throws {
        do { _ = try watch() }
        try temporary.write("x", to: "file")
        let other = try watch()
        try temporary.write("x", to: "other")
        #expect(sees("other"))
        other.cancel()
    }

    @Test func `a link to a directory is not followed`() throws {
        let outside = try TemporaryDirectory()
        try temporary.link(to: outside.path, as: "link")
        let watcher = try watch()
        try outside.write("x", to: "file")
        try temporary.write("x", to: "inside")
        #expect(sees("inside"))
        #expect(
            !seen.change { $0 }.contains { event in
                if case .changed(let names) = event { names.contains("link/file") } else { false }
            })
        watcher.cancel()
    }

    private static func queueLimit() throws -> Int {
        let file = try OpenFile.open(
            "/proc/sys/fs/inotify/max_queued_events", [.read], fileSystem: RealFileSystem())
        let text = String(decoding: try file.read(at: 0, count: 32), as: UTF8.self)
        return try #require(Int(text.prefix { $0 != "\n" }))
    }
}

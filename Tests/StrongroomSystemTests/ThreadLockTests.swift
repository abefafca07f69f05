import StrongroomSystem
import Synchronization
import Testing

extension LockTests {
    /// Locks between the threads of one process, and between two locks on one file.
    @Suite struct BetweenThreads {
        let temporary: TemporaryDirectory

        init() throws { temporary = try TemporaryDirectory() }

        private func makeLock() -> FileLock {
            FileLock(directory: temporary.directory, name: "lock", gate: "gate")
        }

        @Test func `a lock makes its files 0600 and leaves them`() throws {
            let held = try makeLock().acquire(waitSeconds: 0)
            held.release()
            #expect(try temporary.names() == ["gate", "lock"])
            for name: Path in ["gate", "lock"] {
                #expect(try temporary.directory.status(of: name)?.mode == 0o600)
            }
        }

        @Test func `a held lock is busy for others until it is released, and at once after`() throws
        {
            let (first, second) = (makeLock(), makeLock())
            let held = try first.acquire(waitSeconds: 0)
            #expect(try second.tryAcquire() == nil)
            #expect(try first.tryAcquire() == nil)
            #expect(throws: SystemError.self) { try second.acquire(waitSeconds: 0.02) }
            #expect(throws: SystemError.self) { try first.acquire(waitSeconds: 0.02) }
            held.release()
            held.release()
            let again = try second.acquire(waitSeconds: 5)
            #expect(try first.tryAcquire() == nil)
            again.release()
            #expect(try first.tryAcquire() != nil)
        }

        @Test func `the last reference releases the lock`() throws {
            let lock = makeLock()
            do { _ = try lock.acquire(waitSeconds: 0) }
            #expect(try lock.tryAcquire() != nil)
        }

        @Test func `who gives up says so with the lock's path`() throws {
            let held = try makeLock().acquire(waitSeconds: 0)
            defer { held.release() }
            let error = #expect(throws: SystemError.self) {
                try makeLock().acquire(waitSeconds: 0.01)
            }
            #expect(error?.code == ErrorCode.wouldBlock)
            #expect(error?.path == temporary.path.appending("lock").description)
        }

        @Test func `a lock that somebody gave up waiting for is not kept when it comes`() throws {
            let (holder, loser) = (makeLock(), makeLock())
            let held = try holder.acquire(waitSeconds: 0)
            #expect(throws: SystemError.self) { try loser.acquire(waitSeconds: 0.01) }
            held.release()
            // The thread that was left behind takes the lock and lets go of it.
            let again = try holder.acquire(waitSeconds: 5)
            again.release()
        }

        @Test func `who waits again after giving up gets the lock of the thread left behind`()
            throws
        {
            let (holder, loser) = (makeLock(), makeLock())
            let held = try holder.acquire(waitSeconds: 0)
            for _ in 0..<20 {
                #expect(throws: SystemError.self) { try loser.acquire(waitSeconds: 0.001) }
            }
            #expect(try Self.lockThreadCount() == 1)
            held.release()
            let mine = try loser.acquire(waitSeconds: 5)
            #expect(try holder.tryAcquire() == nil)
            mine.release()
        }

        @Test func `a lock file that was replaced while it was waited for is taken anew`() throws {
            let (first, second) = (makeLock(), makeLock())
            let held = try first.acquire(waitSeconds: 0)
            let done = Monitor<Bool?>(nil)
            let directory = temporary.directory
            try Threads.start(name: "waiter") {
                do {
                    let mine = try second.acquire(waitSeconds: 5)
                    let named = try directory.status(of: "lock")
                    let isNamed = try mine.file.status().inode == named?.inode
                    done.change { $0 = isNamed }
                } catch {
                    done.change { $0 = false }
                }
            }
            #expect(try eventually { try Self.lockThreadCount() == 1 })
            try temporary.directory.unlink("lock")
            try temporary.write("", to: "lock")
            held.release()
            #expect(done.wait(until: Clock.deadline(afterSeconds: 10)) { $0 } == true)
        }

        @Test func `threads get the lock in the order in which they came, one at a time`() throws {
            let lock = makeLock()
            let order = Monitor<[Int]>([])
            let inside = Mutex(0)
            let held = try lock.acquire(waitSeconds: 0)
            for number in 0..<8 {
                try Threads.start(name: "waiter") {
                    do {
                        let mine = try lock.acquire(waitSeconds: 20)
                        let count = inside.withLock { inside in
                            inside += 1
                            return inside
                        }
                        order.change { $0.append(count == 1 ? number : -1) }
                        inside.withLock { $0 -= 1 }
                        mine.release()
                    } catch {
                        order.change { $0.append(-2) }
                    }
                }
                #expect(eventually { lock.waitingCount == number + 1 })
            }
            held.release()
            let seen = order.wait(until: Clock.deadline(afterSeconds: 20)) {
                $0.count == 8 ? $0 : nil
            }
            #expect(seen == Array(0..<8))
        }

        /// How many threads of this process wait in the kernel for a file lock.
        private static func lockThreadCount() throws -> Int {
            let system = RealFileSystem()
            let tasks = try OpenFile.open(
                "/proc/self/task", [.read, .directory], fileSystem: system)
            var count = 0
            for task in try tasks.list() {
                do throws(SystemError) {
                    let file = try tasks.openFile(task.name.appending("comm"), [.read])
                    if try file.read(at: 0, count: 32) == Array("file lock\n".utf8) { count += 1 }
                } catch {
                    // A thread that ended meanwhile.
                    #expect([ErrorCode.noEntry, ErrorCode.noProcess].contains(error.code))
                }
            }
            return count
        }
    }
}

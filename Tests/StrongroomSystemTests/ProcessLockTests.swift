import Glibc
import StrongroomSystem
import Testing

extension LockTests {
    /// Locks between processes (CASES C069).
    @Suite struct BetweenProcesses {
        let temporary: TemporaryDirectory

        init() throws { temporary = try TemporaryDirectory() }

        private func makeLock() -> FileLock {
            FileLock(directory: temporary.directory, name: "lock", gate: "gate")
        }

        @Test func `a lock of another process is busy until that lets go`() throws {
            let child = try ChildProcess.probe("lock", temporary.path.description)
            #expect(try child.readLine() == "held")
            let lock = makeLock()
            #expect(try lock.tryAcquire() == nil)
            let error = #expect(throws: SystemError.self) { try lock.acquire(waitSeconds: 0.05) }
            #expect(error?.code == ErrorCode.wouldBlock)
            child.closeInput()
            try lock.acquire(waitSeconds: 20).release()
            #expect(try child.readLine() == "released")
        }

        @Test func `a deadline passes in time while another process holds on`() throws {
            let child = try ChildProcess.probe("lock", temporary.path.description)
            #expect(try child.readLine() == "held")
            let start = Clock.monotonic()
            #expect(throws: SystemError.self) { try makeLock().acquire(waitSeconds: 0.25) }
            let seconds = Double(Clock.monotonic() - start) / 1e9
            #expect(seconds >= 0.25 && seconds < 10)
            child.closeInput()
        }

        @Test func `a lock whose holder was killed is free (C069)`() throws {
            for _ in 0..<20 {
                let child = try ChildProcess.probe("lock", temporary.path.description)
                #expect(try child.readLine() == "held")
                child.signal(SIGKILL)
                // The kernel lets go when the process is gone, not when the signal is sent.
                try makeLock().acquire(waitSeconds: 5).release()
                #expect(child.wait() == .signal(SIGKILL))
            }
        }

        @Test func `a waiter that was killed holds up nobody`() throws {
            let held = try makeLock().acquire(waitSeconds: 0)
            // It stands at the gate, and dies there.
            let waiter = try ChildProcess.probe("lock", temporary.path.description)
            #expect(try eventually { try isGateHeld() })
            waiter.signal(SIGKILL)
            #expect(waiter.wait() == .signal(SIGKILL))
            held.release()
            try makeLock().acquire(waitSeconds: 5).release()
        }

        @Test func `who is asked to stop waits for no other process's lock`() throws {
            let held = try makeLock().acquire(waitSeconds: 0)
            let waiter = try ChildProcess.probe("lock-watched", temporary.path.description)
            #expect(try eventually { try isGateHeld() })
            waiter.signal(SIGTERM)
            #expect(try waiter.readLine()?.hasPrefix("error \(ErrorCode.interrupted) ") == true)
            #expect(waiter.wait() == .status(1))
            held.release()
            try makeLock().acquire(waitSeconds: 5).release()
        }

        @Test func `nor for one of its own process`() throws {
            let child = try ChildProcess.probe("lock-twice", temporary.path.description)
            #expect(try child.readLine() == "held")
            child.signal(SIGINT)
            #expect(try child.readLine()?.hasPrefix("error \(ErrorCode.interrupted) ") == true)
        }

        @Test func `who was asked to stop still gets a lock that is free`() throws {
            let held = try makeLock().acquire(waitSeconds: 0)
            let child = try ChildProcess.probe("lock-stopping", temporary.path.description)
            #expect(try child.readLine() == "ready")
            held.release()
            child.signal(SIGTERM)
            #expect(try child.readLine() == "held")
        }

        @Test func `a process that notes no signals dies of them while it waits`() throws {
            let held = try makeLock().acquire(waitSeconds: 0)
            let waiter = try ChildProcess.probe("lock", temporary.path.description)
            #expect(try eventually { try isGateHeld() })
            waiter.signal(SIGTERM)
            #expect(waiter.wait() == .signal(SIGTERM))
            held.release()
        }

        @Test func `two processes that want it all the time share evenly`() throws {
            // On a machine that does much else one of them may not get to run: then they are asked again. Without the
            // turnstile one has nearly all of it, every time.
            var shares: [(low: Int, high: Int)] = []
            repeat {
                shares.append(try shareForOneSecond())
            } while shares.count < 5 && !shares.contains { $0.high <= 2 * $0.low }
            #expect(shares.contains { $0.low > 10 && $0.high <= 2 * $0.low }, "\(shares)")
        }

        private func shareForOneSecond() throws -> (low: Int, high: Int) {
            let children = [
                try ChildProcess.probe("share", temporary.path.description, "1"),
                try ChildProcess.probe("share", temporary.path.description, "1"),
            ]
            for child in children { #expect(try child.readLine() == "ready") }
            for child in children { child.closeInput() }
            var counts: [Int] = []
            for child in children {
                let line = try #require(try child.readLine())
                counts.append(try #require(Int(line)))
            }
            return (counts.min() ?? 0, counts.max() ?? 0)
        }

        @Test func `a forked child neither has its parent's lock nor lets go of it`() throws {
            let child = try ChildProcess.probe("fork", temporary.path.description)
            #expect(try child.readLine() == "child 0")
            #expect(try child.readLine() == "held")
            #expect(try child.readLine() == "free")
        }

        @Test func `a child that outlives its parent's hold does not keep the lock`() throws {
            let child = try ChildProcess.probe("fork-stay", temporary.path.description)
            #expect(try child.readLine() == "released")
            try makeLock().acquire(waitSeconds: 5).release()
            child.closeInput()
        }

        /// True while somebody has the gate.
        private func isGateHeld() throws -> Bool {
            let gate = try temporary.directory.openFile("gate", [.read])
            do {
                try gate.lock(.exclusive, waits: false)
                return false
            } catch {
                return error.code == ErrorCode.wouldBlock
            }
        }
    }
}

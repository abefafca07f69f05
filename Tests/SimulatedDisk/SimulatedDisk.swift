package import StrongroomSystem
import Synchronization

/// A disk in memory that can be copied as it is after each call, and as a crash would leave it.
///
/// There are no symbolic links and no permissions on it; everything belongs to who runs. `/proc` knows the boot's id.
package final class SimulatedDisk: FileSystem {
    /// A moment of a disk's life.
    package struct Moment: Sendable {
        let state: DiskState
        let boot: Int

        /// The same of two moments with the same files and directories.
        package var fingerprint: Int { state.fingerprint }
    }

    struct Memory: Sendable {
        var state: DiskState
        var boot: Int
        var moments: [Moment] = []
        var isRecording = false
    }

    static let bootPath: [Path] = ["proc", "sys", "kernel", "random"]
    let memory: Mutex<Memory>

    /// A disk with nothing on it but `/proc`.
    package init() {
        memory = Mutex(Memory(state: DiskState(), boot: 1))
        memory.withLock { Self.makeBootID(&$0) }
    }

    /// Another disk that is now as this one was at that moment; nothing is open on it.
    package init(goingOnFrom moment: Moment) {
        var state = moment.state
        state.descriptors = [:]
        state.locks = [:]
        memory = Mutex(Memory(state: state, boot: moment.boot))
    }

    /// The disk as a crash at that moment leaves it, after the next boot.
    package init(
        crashedAt moment: Moment, losing loss: Loss, _ random: inout some RandomNumberGenerator
    ) {
        let state = moment.state.crashed(loss, &random)
        memory = Mutex(Memory(state: state, boot: moment.boot + 1))
        memory.withLock { Self.makeBootID(&$0) }
    }

    /// The disk at that moment, when whoever used it was killed: all that he did is seen, durable or not, and his
    /// descriptors and locks are gone.
    package init(killedAt moment: Moment) {
        var state = moment.state
        state.descriptors = [:]
        state.locks = [:]
        memory = Mutex(Memory(state: state, boot: moment.boot))
    }

    /// The power goes and comes back: for the whole machine, or for the disk alone, and then it is the same boot.
    package func losePower(
        _ loss: Loss, isNewBoot: Bool = true, _ random: inout some RandomNumberGenerator
    ) {
        let before = now
        let state = before.state.crashed(loss, &random)
        memory.withLock { memory in
            memory.state = state
            guard isNewBoot else { return }
            memory.boot += 1
            Self.makeBootID(&memory)
        }
    }

    /// Syncs a file, which fails: nobody can tell what of it is on the disk, and no other sync mends that.
    package func failSync(_ file: Descriptor, _ random: inout some RandomNumberGenerator) {
        var state = now.state
        guard let node = state.descriptors[file.number] else { return }
        state.failSync(node, &random)
        memory.withLock { [state] in $0.state = state }
    }

    /// This moment.
    package var now: Moment {
        memory.withLock { Moment(state: $0.state, boot: $0.boot) }
    }

    /// Starts to keep the moment after each call that changes something.
    package func record() {
        memory.withLock { memory in
            memory.isRecording = true
            memory.moments = []
        }
    }

    /// The moments since `record`.
    package var moments: [Moment] { memory.withLock { $0.moments } }

    /// Makes what is there durable, all of it.
    package func syncAll() {
        memory.withLock { memory in
            for node in memory.state.nodes.indices { memory.state.sync(node) }
        }
    }

    private static func makeBootID(_ memory: inout Memory) {
        var directory = 0
        for name in bootPath {
            if let next = memory.state.nodes[directory].names[name] {
                directory = next
                continue
            }
            let made = memory.state.makeNode(isDirectory: true, mode: 0o700, parent: directory)
            memory.state.change([(directory, name, made)])
            directory = made
        }
        let file = memory.state.makeNode(isDirectory: false, mode: 0o600, parent: directory)
        let text = "00000000-0000-0000-0000-" + String(100_000_000_000 + memory.boot) + "\n"
        memory.state.change(file, .write(Array(text.utf8), at: 0))
        memory.state.change([(directory, "boot_id", file)])
        for node in memory.state.nodes.indices { memory.state.sync(node) }
    }

    /// Makes a call that changes something, and keeps the moment after it.
    func change<Result: Sendable>(
        _ call: (inout DiskState) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        try memory.withLock { (memory) throws(SystemError) -> Result in
            let result = try call(&memory.state)
            if memory.isRecording {
                memory.moments.append(Moment(state: memory.state, boot: memory.boot))
            }
            return result
        }
    }

    /// Makes a call that changes nothing on the disk.
    func look<Result: Sendable>(
        _ call: (inout DiskState) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        try memory.withLock { (memory) throws(SystemError) -> Result in try call(&memory.state) }
    }
}

import Foundation
import StrongroomSystem
import Testing

/// A process of its own that works on a store; killed and reaped with its last reference.
final class Probe {
    private let process = Process()
    private let output = Pipe()
    private let errors = Pipe()
    private var pending: [UInt8] = []

    /// Starts it: what it does is told in `Tests/StoreProbe`.
    init(_ kind: StoreKind, _ temporary: TemporaryDirectory, _ arguments: String...) throws {
        let executable = try #require(ProcessArguments.executable)
        let probe = executable.parent.appending("StoreProbe").description
        process.executableURL = URL(fileURLWithPath: probe)
        let directory = temporary.path.appending("store").description
        let name =
            switch kind {
            case .vault: "vault"
            case .log: "log"
            default: "area"
            }
        process.arguments = [name, directory] + arguments
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    deinit { kill() }

    /// The next line that it prints, without its end; nil at the end.
    func line() -> String? {
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                defer { pending.removeFirst(end + 1) }
                return String(decoding: pending[..<end], as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            pending += more
        }
    }

    /// Kills it with SIGKILL and waits for its end.
    func kill() {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// Waits for its end: its status, and what it said on standard error.
    func end() -> (status: Int32, errors: String) {
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: said, as: UTF8.self))
    }
}

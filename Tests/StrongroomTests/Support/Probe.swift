import Foundation
import Testing

/// Runs `AreaProbe`, which lies beside the tests.
enum Probe {
    /// The user whom nothing belongs to.
    static let nobody = "65534"

    /// Where the probe is.
    static var path: String {
        get throws {
            let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return URL(fileURLWithPath: tests).deletingLastPathComponent().path + "/AreaProbe"
        }
    }

    /// A probe that was started, with what it says.
    static func start(
        _ arguments: [String], environment: [String: String]? = nil, directory: String? = nil,
        script: String? = nil
    ) throws -> (process: Process, output: FileHandle) {
        let process = Process()
        let pipe = Pipe()
        if let script {
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", script, "sh", try path] + arguments
        } else {
            process.executableURL = URL(fileURLWithPath: try path)
            process.arguments = arguments
        }
        if let environment { process.environment = environment }
        if let directory { process.currentDirectoryURL = URL(fileURLWithPath: directory) }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        try process.run()
        return (process, pipe.fileHandleForReading)
    }

    /// The lines that a probe says until it ends.
    ///
    /// - Parameters:
    ///   - arguments: Root, command and its arguments.
    ///   - environment: Its whole environment; nil: ours.
    ///   - directory: Its working directory.
    ///   - script: A shell script that runs it, as `"$@"`.
    /// - Returns: The lines.
    /// - Throws: What starting it threw.
    @discardableResult
    static func run(
        _ arguments: [String], environment: [String: String]? = nil, directory: String? = nil,
        script: String? = nil
    ) throws -> [String] {
        let (process, output) = try start(
            arguments, environment: environment, directory: directory, script: script)
        let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit, "the probe died: \(arguments)")
        return text.split(separator: "\n").map(String.init)
    }

    /// Our environment with some variables more.
    static func environment(_ more: [String: String]) -> [String: String] {
        ProcessInfo.processInfo.environment.merging(more) { _, new in new }
    }

    /// Whether this user may mount, in a namespace of its own; says so if not.
    static func mayMount() throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "exec unshare -m mount -t tmpfs none /mnt 2>/dev/null"]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 {
            print("not tried: this user may not mount (unshare -m mount)")
        }
        return process.terminationStatus == 0
    }
}

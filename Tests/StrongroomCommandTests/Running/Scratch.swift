import Foundation
import Glibc
import Testing

/// A directory of a test's own, gone with its last reference.
final class Scratch {
    /// The directory that commands run in.
    let path: String
    /// Where their streams are kept, so that a listing of `path` shows only what they made.
    let streams: String
    private let base: String
    private var count = 0

    /// Makes one.
    init(below parent: String = "/tmp") throws {
        var template = Array("\(parent)/strongroom-test-XXXXXX".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) }
                .map { unsafe String(cString: $0) }
        }
        base = try #require(made, "no temporary directory")
        path = base + "/root"
        streams = base + "/streams"
        for directory in [path, streams, path + "/home"] { unsafe mkdir(directory, 0o700) }
    }

    deinit {
        let status = unsafe Glibc.system("chmod -R u+rwX '\(base)' 2>/dev/null; rm -rf '\(base)'")
        if status != 0 { Issue.record("\(base) is left behind") }
    }

    /// A number that no other run in this directory has.
    func nextNumber() -> Int {
        count += 1
        return count
    }

    /// Variables of a run: a home in here, and nothing of the test runner's own.
    var environment: [String: String] {
        [
            "HOME": path + "/home", "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "ROOT": path, "V": BuiltCommand.path,
            "TOOLS": TranscriptFile.directory.appending(path: "Tools").path(percentEncoded: false),
        ]
    }

    /// Runs the built command with `arguments`.
    func run(
        _ arguments: String..., environment: [String: String] = [:], input: [UInt8] = []
    ) throws -> Finished {
        try start(arguments, environment: environment, input: input).wait()
    }

    /// Starts the built command with `arguments`.
    func start(
        _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = []
    ) throws -> Running {
        try Running(
            [Array(BuiltCommand.path.utf8)] + arguments.map { Array($0.utf8) }, in: self,
            environment: self.environment.merging(environment) { $1 }, input: input)
    }

    /// Runs `script` in a shell, where `V` is the built command and `ROOT` this directory.
    func shell(
        _ script: String, environment: [String: String] = [:], input: [UInt8] = []
    ) throws -> Finished {
        try Running(
            ["sh", "-c", script].map { Array($0.utf8) }, in: self,
            environment: self.environment.merging(environment) { $1 }, input: input
        ).wait()
    }

    /// Writes a file, mode 0600.
    func write(_ bytes: [UInt8], to path: String) throws {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        try #require(file >= 0, "\(path) cannot be written")
        defer { close(file) }
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes[written...].withUnsafeBytes {
                unsafe Glibc.write(file, $0.baseAddress, $0.count)
            }
            try #require(count > 0)
            written += count
        }
    }

    /// The bytes of a file.
    static func read(_ path: String) throws -> [UInt8] {
        let file = unsafe open(path, O_RDONLY)
        try #require(file >= 0, "\(path) cannot be read")
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe Glibc.read(file, &piece, piece.count)
            try #require(count >= 0)
            if count == 0 { return bytes }
            bytes += piece[..<count]
        }
    }
}

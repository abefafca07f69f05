import Foundation
import Testing

/// A transcript of a session with other programs, and the programs that it needs.
struct ProgramSession: CustomTestStringConvertible, Sendable {
    var name: String
    var programs: [String]
    var testDescription: String { name }

    static let all = [
        ProgramSession(name: "git", programs: ["git", "python3"]),
        ProgramSession(name: "docker", programs: ["docker", "docker-registry"]),
    ]

    /// The first of the programs that is not there.
    func missing(in scratch: Scratch) throws -> String? {
        for program in programs where try scratch.shell("command -v \(program)").status != 0 {
            return program
        }
        return nil
    }
}

/// The judges of the credential helpers: the programs that call them.
@Suite struct `Sessions with real programs` {
    @Test("come out as written", arguments: ProgramSession.all)
    func replay(_ session: ProgramSession) throws {
        if let missing = try session.missing(in: Scratch()) {
            print("NOT TESTED: \(session.name), because \(missing) is not installed")
            return
        }
        try TranscriptFile(name: "Programs/\(session.name).txt").replay()
    }

    @Test func `are all of those that are written`() throws {
        let directory = TranscriptFile.directory.appending(path: "Programs")
        let files = try FileManager.default.contentsOfDirectory(
            atPath: directory.path(percentEncoded: false))
        #expect(files.sorted() == ProgramSession.all.map { $0.name + ".txt" }.sorted())
    }
}

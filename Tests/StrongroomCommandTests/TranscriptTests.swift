import Foundation
import Testing

/// A file of transcripts.
struct TranscriptFile: CustomTestStringConvertible, Sendable {
    var name: String
    var testDescription: String { name }

    static let directory = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Transcripts")

    /// Every file, by name.
    static let all: [TranscriptFile] = {
        let names =
            (try? FileManager.default.contentsOfDirectory(
                atPath: directory.path(percentEncoded: false)))
            ?? []
        return names.filter { $0.hasSuffix(".txt") }.sorted().map(TranscriptFile.init)
    }()

    func text() throws -> String {
        try String(contentsOf: Self.directory.appending(path: name), encoding: .utf8)
    }
}

@Suite struct `Transcripts of the built command` {
    @Test func `are there`() {
        #expect(TranscriptFile.all.count > 10)
    }

    @Test("come out as written", arguments: TranscriptFile.all)
    func replay(_ file: TranscriptFile) throws {
        try file.replay()
    }
}

extension TranscriptFile {
    /// Runs each step and compares what it says with what is written.
    func replay() throws {
        let scratch = try Scratch()
        for step in try Transcript(parsing: text()).steps {
            let found =
                step.isShell
                ? try scratch.shell(
                    step.command, environment: step.variables(in: scratch), input: step.input)
                : try Running(
                    [Array(BuiltCommand.path.utf8)]
                        + ShellWords.split(step.command, root: scratch.path),
                    in: scratch,
                    environment: scratch.environment.merging(step.variables(in: scratch)) { $1 },
                    input: step.input
                ).wait()
            let place = "\(name):\(step.line): \(step.command)"
            let output = ExpectedText(text: step.output, root: scratch.path)
            let error = ExpectedText(text: step.error, root: scratch.path)
            #expect(
                output.matches(found.outputText),
                "\(place)\nstandard output was:\n\(found.outputText)")
            #expect(
                error.matches(found.errorText),
                "\(place)\nstandard error was:\n\(found.errorText)")
            #expect(
                found.status == step.status,
                "\(place): status \(found.status)\n\(found.errorText)")
        }
    }
}

extension Transcript.Step {
    /// Its variables, with the test's directory put in.
    fileprivate func variables(in scratch: Scratch) -> [String: String] {
        variables.mapValues { $0.replacing("$ROOT", with: scratch.path) }
    }
}

import StrongroomCommand
import Synchronization
import Testing

/// Says yes from the n-th question on.
private final class Countdown: Sendable {
    private let count: Mutex<Int>
    init(_ count: Int) { self.count = Mutex(count) }
    func tick() -> Bool {
        count.withLock { count in
            count -= 1
            return count < 0
        }
    }
}

/// Is raised at the n-th look after the last wait for input: the first comes before that read, the second after it.
private final class AfterLastWait: Sendable {
    private let state: Mutex<(waits: Int, looks: Int)>
    private let look: Int
    init(waits: Int, look: Int) {
        state = Mutex((waits, 0))
        self.look = look
    }
    /// How many waits are left.
    var waits: Int { state.withLock { $0.waits } }
    func wait() { state.withLock { $0.waits -= 1 } }
    func isRaised() -> Bool {
        state.withLock { state in
            if state.waits <= 0 { state.looks += 1 }
            return state.waits <= 0 && state.looks >= look
        }
    }
}

/// An area, and how much comes into it.
struct IncomingCase: CustomTestStringConvertible, Sendable {
    var area: String
    var byteCount: Int
    var testDescription: String { "\(byteCount) bytes into \(area)" }

    static let all: [IncomingCase] = ["vault", "storage"].flatMap { area in
        [1, 70_000, 3_000_000].map { IncomingCase(area: area, byteCount: $0) }
    }
}

@Suite struct `A command that is interrupted` {
    /// D14, at every place where a rotation looks whether it is to stop.
    @Test(
        "stops a rotation cleanly, and the next call goes on",
        arguments: [["rotate"], ["rotate", "--rewrap-only"]])
    func rotation(_ arguments: [String]) throws {
        var stopCount = 0
        for count in 0..<1000 {
            let scratch = try Scratch()
            var command = InProcess(scratch: scratch)
            for key in ["a", "b", "c"] {
                #expect(try command.run("set", key, "-q", input: key).outcome == .status(.done))
            }
            let countdown = Countdown(count)
            command.isInterrupted = { countdown.tick() }
            let result =
                arguments.count == 1
                ? try command.run(arguments[0]) : try command.run(arguments[0], arguments[1])
            command.isInterrupted = { false }
            if result.outcome == .status(.done) {
                #expect(count > 0)
                break
            }
            stopCount += 1
            #expect(result.outcome == .interrupted)
            #expect(result.output == "")
            #expect(
                result.error
                    == "strongroom: the rotation stopped between two steps, and every entry can be "
                    + "read; run strongroom \(arguments.joined(separator: " ")) to go on\n")
            let isUnfinished = try command.run("status").output.contains("rotation    unfinished")
            let check = try command.run("check")
            #expect(check.outcome == .status(.done))
            #expect(check.output.contains("unfinished: ") == isUnfinished)
            #expect(check.output.hasSuffix("sound: 3 entries\n"))
            let json = try command.run("check", "--json")
            #expect(json.output.hasPrefix("{\"sound\":true,\"entryCount\":3,"))
            for key in ["a", "b", "c"] {
                let got = try command.run("get", key)
                #expect(got.output == key)
                let note = "strongroom: a rotation is unfinished; strongroom rotate finishes it\n"
                #expect(got.error == (isUnfinished ? note : ""))
            }
            #expect(try command.run("set", "d", input: "d").outcome == .status(.done))
            let again = try command.run("rotate")
            #expect(again.outcome == .status(.done), "\(again.error)")
            for key in ["a", "b", "c", "d"] { #expect(try command.run("get", key).output == key) }
            #expect(try command.run("get", "a").error == "")
            #expect(try command.run("check", "--json").output.contains("\"findings\":[]"))
        }
        #expect(stopCount > (arguments.count == 1 ? 3 : 0))
    }

    @Test func `stores nothing of a value that was not all there`() throws {
        let scratch = try Scratch()
        var command = InProcess(scratch: scratch)
        _ = try command.run("set", "k", "-q", input: "old")
        let large = String(repeating: "x", count: 3_000_000)
        for count in [0, 1, 20] {
            let countdown = Countdown(count)
            command.isInterrupted = { countdown.tick() }
            #expect(try command.run("set", "k", input: large).outcome == .interrupted)
            command.isInterrupted = { false }
            #expect(try command.run("get", "k").output == "old")
        }
        #expect(try command.run("check", "--json").output.contains("\"sound\":true"))
    }

    /// An end of input may be the writer's death of the same signal.
    @Test("stores nothing when the end of its input comes first", arguments: IncomingCase.all)
    func end(_ incoming: IncomingCase) throws {
        let scratch = try Scratch()
        var command = InProcess(scratch: scratch)
        _ = try command.run("set", "k", "-q", "--area", incoming.area, input: "old")
        let value = String(repeating: "x", count: incoming.byteCount)
        let counter = AfterLastWait(waits: 1_000_000, look: 1)
        command.waitsForInput = { counter.wait() }
        _ = try command.run("set", "other", "--area", incoming.area, input: value)
        let count = 1_000_000 - counter.waits
        // After the end was read, and as the last thing before the commit.
        for look in 2...3 {
            let raised = AfterLastWait(waits: count, look: look)
            command.waitsForInput = { raised.wait() }
            command.isInterrupted = { raised.isRaised() }
            let result = try command.run("set", "k", "--area", incoming.area, input: value)
            #expect(result.outcome == .interrupted, "at look \(look)")
            #expect(result.error == "")
            command.isInterrupted = { false }
            #expect(try command.run("get", "k", "--area", incoming.area).output == "old")
        }
    }

    @Test func `leaves an output file as it was`() throws {
        let scratch = try Scratch()
        var command = InProcess(scratch: scratch)
        let large = String(repeating: "x", count: 3_000_000)
        _ = try command.run("set", "k", "-q", input: large)
        let path = scratch.path + "/out"
        try scratch.write(Array("before".utf8), to: path)
        let countdown = Countdown(5)
        command.isInterrupted = { countdown.tick() }
        #expect(try command.run("get", "k", "--output", path).outcome == .interrupted)
        #expect(try Scratch.read(path) == Array("before".utf8))
        #expect(try scratch.shell("find . -name '.strongroom-*'").outputText == "")
    }

    @Test func `leaves a copy of a large value undone`() throws {
        let scratch = try Scratch()
        var command = InProcess(scratch: scratch)
        let large = String(repeating: "x", count: 3_000_000)
        _ = try command.run("set", "k", "-q", input: large)
        let countdown = Countdown(5)
        command.isInterrupted = { countdown.tick() }
        #expect(try command.run("move", "k", "moved").outcome == .interrupted)
        command.isInterrupted = { false }
        #expect(try command.run("list").output == "k\n")
    }
}

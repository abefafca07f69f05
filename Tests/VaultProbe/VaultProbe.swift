import Glibc
import StrongroomSystem

/// A process of its own with a vault open: `VaultProbe COMMAND ROOT [ARGUMENT…]`.
///
/// The vault is in `ROOT/vault`, its key in `ROOT/master.key`. What a command does it says line by line on standard
/// output; an error is a line `error …` and status 1.
///
/// `VaultProbe as USER UMASK COMMAND …` does it as another user, by number, under that umask (octal).
@main struct VaultProbe {
    static func main() {
        var arguments = ProcessArguments.all.map(\.description)
        if arguments.count > 4, arguments[1] == "as" {
            become(arguments[2], umask: arguments[3])
            arguments.removeSubrange(1...3)
        }
        guard arguments.count >= 3 else { ProcessExit.exit(64) }
        let vault = ProbeVault(root: Path(arguments[2]))
        do {
            try run(arguments[1], vault, Array(arguments[3...]))
        } catch {
            say("error \(error)")
            ProcessExit.exit(1)
        }
    }

    private static func become(_ user: String, umask mask: String) {
        let number = uid_t(user) ?? 65_534
        umask(mode_t(mask, radix: 8) ?? 0o022)
        if getuid() == 0 {
            guard setgroups(0, nil) == 0, setgid(number) == 0, setuid(number) == 0 else {
                ProcessExit.exit(65)
            }
        }
    }

    private static func run(_ command: String, _ vault: ProbeVault, _ arguments: [String]) throws {
        switch command {
        // KEY: waits for a line, then sets KEY to a text that names it.
        case "first-open": try vault.firstOpen(arguments[0])
        // PREFIX COUNT: sets keys PREFIX/0 … COUNT-1 in turns to rising numbers until standard input ends.
        case "set-loop": try vault.setLoop(arguments[0], count: Int(arguments[1]) ?? 1)
        // PREFIX COUNT: reads keys in no order until standard input ends; each must be there, and none may go back.
        case "get-loop": try vault.getLoop(arguments[0], count: Int(arguments[1]) ?? 1)
        // One call each.
        case "rotate": try vault.rotate()
        case "rewrap": try vault.rewrap()
        case "get": try vault.get(arguments[0])
        case "set": try vault.set(arguments[0], arguments[1])
        case "keys": try vault.keys()
        // Sets KEY each time a line comes, to that line, in one and the same process.
        case "follow": try vault.follow(arguments[0])
        // KEYS OPERATIONS WRITES TURNS SEED WORKER THREADS DIRECTORY: works and records it.
        case "history": try ProbeHistory.run(vault, arguments)
        // COUNT: how long work on that many entries takes, in a place without a vault.
        case "measure":
            try ProbeMeasure(root: vault.root, count: Int(arguments[0]) ?? 10_000).run()
        default: ProcessExit.exit(64)
        }
    }

    /// One line, in one write.
    static func say(_ line: String) {
        do {
            try StandardStream.output.write(Array((line + "\n").utf8).span)
        } catch {
            ProcessExit.exit(2)
        }
    }
}

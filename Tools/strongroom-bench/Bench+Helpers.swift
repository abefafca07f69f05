import StrongroomSystem

// The credential helpers: they are to answer as fast as `get`, however many entries there are.
extension Bench {
    mutating func measureGit(_ vault: BenchVault) throws {
        guard let command = programs.command else { return }
        let asked = "protocol=https\nhost=example.com\n"
        @Sendable func run(_ arguments: [String], _ input: String) throws -> Double {
            let (output, nanoseconds) = try Self.run(
                command, ["--root", vault.root] + arguments, input: input)
            guard arguments.last == "store" || output.contains("password-of-user") else {
                throw BenchFailure("the command printed something else than the password")
            }
            return nanoseconds
        }
        _ = try run(
            ["git-credential", "store"], asked + "username=user\npassword=password-of-user\n")
        let rounds = try Turns.take(
            [
                Turns.Trial { try run(["git-credential", "get"], asked) },
                Turns.Trial { try run(["get", "git/https/example.com/user"], asked) },
            ], roundCount: scale.someRounds)
        add(
            "git", "git's helper, whole process", entryCount: vault.count, byteCount: 16,
            rounds: rounds, floor: "get of the password", .atMost(1.2))
    }

    /// Runs a program with `input` on standard input, which a shell gives that it takes the place of.
    private static func run(
        _ program: Path, _ arguments: [String], input: String
    ) throws -> (output: String, nanoseconds: Double) {
        try Programs.run(
            "/bin/sh",
            ["-c", "exec \"$0\" \"$@\" <<'END'\n\(input)END\n", program.description] + arguments)
    }
}

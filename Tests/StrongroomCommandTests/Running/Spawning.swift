import Glibc
import Testing

/// Starting a process with nothing of the test runner's own.
enum Spawning {
    /// Starts `arguments` in `directory` with `environment` alone and the three files as its streams.
    static func start(
        _ arguments: [[UInt8]], in directory: Scratch, environment: [String: String],
        streams: (input: String, output: String, error: String)
    ) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, streams.input, O_RDWR | O_NOCTTY, 0)
        let writing = O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY
        unsafe posix_spawn_file_actions_addopen(&actions, 1, streams.output, writing, 0o600)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, streams.error, writing, 0o600)

        // What the test runner has open is no business of the command's.
        for number in Int32(3)..<256 { unsafe posix_spawn_file_actions_addclose(&actions, number) }

        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // The test runner may block signals or ignore SIGPIPE; a shell does neither.
        var all = sigset_t()
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        let words = ["env", "-C", directory.path].map { Array($0.utf8) } + arguments
        var argv: [UnsafeMutablePointer<CChar>?] = unsafe []
        for argument in words { unsafe argv.append(Self.copy(argument)) }
        unsafe argv.append(nil)
        var envp: [UnsafeMutablePointer<CChar>?] = unsafe []
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) {
            unsafe envp.append(Self.copy(Array("\(name)=\(value)".utf8)))
        }
        unsafe envp.append(nil)
        defer {
            for index in unsafe argv.indices { unsafe free(argv[index]) }
            for index in unsafe envp.indices { unsafe free(envp[index]) }
        }
        var process: pid_t = 0
        let code = unsafe posix_spawnp(&process, "env", &actions, &attributes, argv, envp)
        try #require(code == 0, "env cannot be started: errno \(code)")
        return process
    }

    @unsafe private static func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
        unsafe strdup((bytes + [0]).map { CChar(bitPattern: $0) })
    }
}

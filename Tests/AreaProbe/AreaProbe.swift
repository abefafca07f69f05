import Glibc
import Strongroom

/// What the tests of `Strongroom` need a process of its own for: `AreaProbe ROOT COMMAND
/// [ARGUMENT…]`, the root `-` being the platform's directories.
///
/// `PROBE_UMASK` is the umask (octal), `PROBE_USER` the number of the user that it becomes before
/// it makes its container, `PROBE_APP` the app, `PROBE_KEY` its key file. Each answer is a line on standard output; an error
/// is `error CASE: DESCRIPTION`.
@main struct AreaProbe {
    static func main() {
        do {
            try becomeUser()
            let arguments = Array(CommandLine.arguments.dropFirst())
            let app = try AppContainer(
                variable("PROBE_APP") ?? "com.example.probe",
                root: arguments[0] == "-" ? nil : arguments[0],
                masterKey: variable("PROBE_KEY").map { .file($0) } ?? .standard, waitSeconds: 60)
            try run(arguments[1], Array(arguments.dropFirst(2)), app)
        } catch { say(error) }
    }

    private static func run(_ command: String, _ arguments: [String], _ app: AppContainer) throws {
        let area = try area(arguments[0], of: app)
        let key = arguments.count > 1 ? arguments[1] : ""
        switch command {
        case "set": try area.set(arguments[2], forKey: key)
        case "get": say(try area.get(key, as: String.self).map { "value \($0)" } ?? "nil")
        case "contains": say("\(try area.contains(key))")
        case "del": say("\(try area.del(key))")
        case "keys": say("keys \(try area.keys().joined(separator: " "))")
        case "clear": say("cleared \(try area.delAll())")
        case "hold":
            // Exits at once, without anything that flushes.
            try area.set(arguments[2], forKey: key)
            _exit(0)
        case "many":
            for index in 0..<(Int(arguments[2]) ?? 0) {
                try area.set(index, forKey: "\(key)/\(index)")
            }
        case "count":
            for _ in 0..<(Int(arguments[2]) ?? 0) { try area.update(key, default: 0) { $0 += 1 } }
        case "overwrite": try ValueLoop.overwrite(area, key)
        case "alternate": try ValueLoop.alternate(area, key, count: Int(arguments[2]) ?? 0)
        case "watch": try ValueLoop.watch(area, key, count: Int(arguments[2]) ?? 0)
        case "large": try LargeValue.roundTrip(area, key, mebibyteCount: Int(arguments[2]) ?? 0)
        case "full": try FullDisk.run(area, root: arguments[1])
        case "rotate": say("rotated \(try app.vault.rotate().entryCount)")
        default: exit(64)
        }
        say("done")
    }

    static func area(_ name: String, of app: AppContainer) throws -> any Area {
        switch name {
        case "storage": app.storage
        case "cache": app.cache
        case "temporary": app.temporary
        default: app.vault
        }
    }

    private static func becomeUser() throws {
        if let mask = variable("PROBE_UMASK") { umask(mode_t(mask, radix: 8) ?? 0o077) }
        guard let user = variable("PROBE_USER").flatMap({ uid_t($0) }) else { return }
        guard setgroups(0, nil) == 0, setgid(user) == 0, setuid(user) == 0 else { exit(65) }
    }

    private static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    static func say(_ error: any Error) {
        let label = Mirror(reflecting: error).children.first?.label
        say("error \(label ?? "\(error)"): \(error)")
    }
}

import Glibc
import Testing

/// The built command, found beside the test bundle, or named by `STRONGROOM_COMMAND`.
enum BuiltCommand {
    /// Its path.
    static let path: String = {
        if let named = unsafe getenv("STRONGROOM_COMMAND") { return unsafe String(cString: named) }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let running = String(
            decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let places = [testBundlePath, running].compactMap { $0 }
        for place in places {
            let candidate =
                place.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
                + "/strongroom"
            if unsafe access(candidate, X_OK) == 0 { return candidate }
        }
        return "strongroom"
    }()

    /// The test bundle, if it is an argument of whoever runs it.
    private static var testBundlePath: String? {
        CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    }
}

/// What a process left behind.
struct Finished: Equatable {
    /// The exit status; 128 + n if signal n ended it, as a shell says it.
    var status: Int32
    /// Standard output.
    var output: [UInt8]
    /// Standard error.
    var error: [UInt8]

    /// Standard output as text.
    var outputText: String { String(decoding: output, as: UTF8.self) }
    /// Standard error as text.
    var errorText: String { String(decoding: error, as: UTF8.self) }
}

import CLinux
import Glibc

/// What the process was started with, as bytes.
package enum ProcessArguments {
    /// Every argument, the name of the program first.
    package static var all: [Path] {
        // Those that the program was entered with: to find them takes no descriptor.
        if let given = unsafe strongroom_arguments() {
            return unsafe paths(given, count: Int(strongroom_argument_count()))
        }
        return unsafe paths(CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    }

    private static func paths(
        _ texts: UnsafePointer<UnsafeMutablePointer<CChar>?>, count: Int
    ) -> [Path] {
        var arguments: [Path] = []
        for index in 0..<count {
            guard let text = unsafe texts[index] else { break }
            unsafe arguments.append(
                Path(bytes: Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))))
        }
        return arguments
    }

    /// The path of the program's file (`/proc/self/exe`), nil where that does not say.
    package static var executable: Path? {
        do {
            let path = try RealFileSystem().readLink("/proc/self/exe", at: nil)
            return path.isAbsolute ? path : nil
        } catch {
            return nil
        }
    }
}

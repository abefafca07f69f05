import Glibc

/// What the process was started with, as bytes.
package enum ProcessArguments {
    /// Every argument, the name of the program first.
    package static var all: [Path] {
        var arguments: [Path] = []
        for index in 0..<Int(CommandLine.argc) {
            guard let text = unsafe CommandLine.unsafeArgv[index] else { break }
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

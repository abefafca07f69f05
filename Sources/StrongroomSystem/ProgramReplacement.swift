import CLinux
import Glibc

/// Becoming another program.
package enum ProgramReplacement {
    /// A file in memory with these bytes, which nobody can change, for the program that comes: its descriptor, which stays
    /// open.
    package static func sealedFile(of bytes: Span<UInt8>) throws(SystemError) -> Int32 {
        let number = unsafe bytes.withUnsafeBytes { bytes in
            unsafe strongroom_sealed_file(bytes.baseAddress, bytes.count)
        }
        guard number >= 0 else { throw .last("make a file in memory", "") }
        return number
    }

    /// Runs `arguments`, its own name first, in the place of this process (execve(2)); a return is not possible.
    ///
    /// A name without a slash is looked for in the `PATH` of `environment`, as execvp(3) does: a file that is no program is
    /// run by `sh`. Whatever is open and not closed on exec stays open; signals that are ignored stay ignored.
    ///
    /// - Throws: `ErrorCode.noEntry` if there is no such program, `ErrorCode.listTooLong` if arguments and environment are
    ///   more than the kernel takes, another error if it cannot be run. The process goes on then.
    package static func run(
        _ arguments: [Path], environment: Environment
    ) throws(SystemError) -> Never {
        let name = arguments.first ?? ""
        guard !arguments.contains(where: { $0.bytes.contains(0) }) else {
            throw SystemError(operation: "run", path: name.description, code: EINVAL)
        }
        let candidates = candidates(name, environment)
        let code = unsafe environment.withCStrings { environment in
            unsafe CStrings.with(arguments) { arguments in
                var refusal: Int32?
                for path in candidates {
                    let code = unsafe replace(path, arguments, environment)
                    switch code {
                    case ENOENT, ENOTDIR, ENODEV, ESTALE, ETIMEDOUT: continue
                    // Another one further on may be allowed.
                    case EACCES: refusal = code
                    default: return code
                    }
                }
                return refusal ?? ENOENT
            }
        }
        throw SystemError(operation: "run", path: name.description, code: code)
    }

    /// The files that `name` may mean, in the order in which they are tried.
    private static func candidates(_ name: Path, _ environment: Environment) -> [Path] {
        let slash = UInt8(ascii: "/")
        if name.bytes.isEmpty || name.bytes.contains(slash) { return [name] }
        let path = environment.value("PATH") ?? "/bin:/usr/bin"
        return path.bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map
        {
            // An empty part is the working directory.
            $0.isEmpty
                ? Path(bytes: Array("./".utf8) + name.bytes)
                : Path(bytes: Array($0)).appending(name)
        }
    }

    /// Tries one file; the errno of the failure.
    private static func replace(
        _ path: Path, _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>,
        _ environment: UnsafePointer<UnsafeMutablePointer<CChar>?>
    ) -> Int32 {
        unsafe path.withCString { path in _ = unsafe execve(path, arguments, environment) }
        let code = errno
        guard code == ENOEXEC else { return code }
        var script: [Path] = ["sh", path]
        var next = unsafe arguments
        while let argument = unsafe next.pointee {
            let bytes = unsafe UnsafeRawBufferPointer(start: argument, count: strlen(argument))
            if unsafe next != arguments { unsafe script.append(Path(bytes: Array(bytes))) }
            unsafe next += 1
        }
        unsafe CStrings.with(script) { script in
            _ = unsafe execve("/bin/sh", script, environment)
        }
        return errno
    }
}

import Glibc

/// A system call that failed: which, on what, and its `errno` (errno(3)).
package struct SystemError: Error, Equatable, Sendable {
    /// What was tried, as a verb: `open`, `write`, `sync`.
    package let operation: String
    /// The file or directory, for messages.
    package let path: String
    /// The number that the call left in `errno`.
    package let code: Int32

    /// An error of `operation` on `path`.
    package init(operation: String, path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    /// What the number means, as strerror(3) says it.
    package var meaning: String { unsafe String(cString: strerror(code)) }
}

extension SystemError {
    /// The error that the call just made left in `errno`.
    static func last(_ operation: String, _ path: Path) -> SystemError {
        let code = errno
        return SystemError(operation: operation, path: path.description, code: code)
    }

    /// The same error, on `path`: who knows the whole path says it.
    package func on(_ path: Path) -> SystemError {
        SystemError(operation: operation, path: path.description, code: code)
    }
}

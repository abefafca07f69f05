import CLinux
import Glibc

/// Environment variables, names and values as bytes, in their order.
///
/// A value: changing one changes nothing in the process. Tests make their own.
package struct Environment: Equatable, Sendable {
    /// One variable.
    package struct Variable: Equatable, Sendable {
        /// Bytes without `=` and NUL.
        package var name: Path
        /// Bytes without NUL.
        package var value: Path
        /// A variable.
        package init(name: Path, value: Path) {
            self.name = name
            self.value = value
        }
    }

    /// Every variable; of two of one name the first counts, as for getenv(3).
    package private(set) var variables: [Variable]

    /// An environment of these variables.
    package init(_ variables: [Variable]) { self.variables = variables }

    /// An environment of text, sorted by name.
    package init(_ variables: [String: String]) {
        self.variables = variables.sorted { $0.key < $1.key }.map {
            Variable(name: Path($0.key), value: Path($0.value))
        }
    }

    /// The environment of the process as it is now.
    package static var current: Environment {
        var variables: [Variable] = []
        guard var entry = unsafe strongroom_environment() else { return Environment([]) }
        while let text = unsafe entry.pointee {
            // An entry without `=` is no variable.
            if let split = unsafe strchr(text, CInt(UInt8(ascii: "="))) {
                unsafe variables.append(
                    Variable(name: bytes(text, split - text), value: bytes(split + 1)))
            }
            unsafe entry += 1
        }
        return Environment(variables)
    }

    private static func bytes(_ text: UnsafePointer<CChar>, _ count: Int? = nil) -> Path {
        unsafe Path(bytes: Array(UnsafeRawBufferPointer(start: text, count: count ?? strlen(text))))
    }

    /// The value of `name`, which may be empty; nil if it is not set.
    package func value(_ name: Path) -> Path? {
        variables.first { $0.name == name }?.value
    }

    /// The value of `name` where it is an absolute path, else nil: as the XDG specification wants it.
    package func absolutePath(_ name: Path) -> Path? {
        guard let value = value(name), value.isAbsolute else { return nil }
        return value
    }

    /// Sets a variable; whatever had its name is gone.
    package mutating func set(_ name: Path, to value: Path) {
        remove { $0 == name }
        variables.append(Variable(name: name, value: value))
    }

    /// Removes every variable whose name is one of those meant.
    package mutating func remove(where isMeant: (Path) -> Bool) {
        variables.removeAll { isMeant($0.name) }
    }
}

extension Environment {
    /// Runs `body` with the variables as execve(2) takes them.
    @unsafe func withCStrings<Result>(
        _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        let texts = variables.map {
            Path(bytes: $0.name.bytes + [UInt8(ascii: "=")] + $0.value.bytes)
        }
        return unsafe CStrings.with(texts, body)
    }
}

/// A file path as Linux has it: any bytes but NUL.
///
/// Text goes in as UTF-8; `description` is for messages.
package struct Path: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The bytes, without a final NUL.
    package let bytes: [UInt8]

    /// A path of raw bytes.
    package init(bytes: [UInt8]) { self.bytes = bytes }
    /// A path of text.
    package init(_ text: String) { bytes = Array(text.utf8) }
    /// A path of text.
    package init(stringLiteral text: String) { self.init(text) }

    /// The text, or nil if the bytes are not UTF-8.
    package var text: String? { String(validating: bytes, as: UTF8.self) }
    /// The text for messages; bytes that are not UTF-8 show as U+FFFD.
    package var description: String { String(decoding: bytes, as: UTF8.self) }
    /// True if it starts at the root.
    package var isAbsolute: Bool { bytes.first == UInt8(ascii: "/") }
    /// True without bytes, or with a NUL in them: no path for the kernel.
    package var isInvalid: Bool { bytes.isEmpty || bytes.contains(0) }

    /// The path of `name` below this one.
    package func appending(_ name: Path) -> Path {
        if bytes.isEmpty { return name }
        let slash: [UInt8] = bytes.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
        return Path(bytes: bytes + slash + name.bytes)
    }

    /// What stands after the last slash.
    package var lastComponent: Path {
        var trimmed = bytes[...]
        while trimmed.count > 1, trimmed.last == UInt8(ascii: "/") { trimmed.removeLast() }
        guard let slash = trimmed.lastIndex(of: UInt8(ascii: "/")) else {
            return Path(bytes: Array(trimmed))
        }
        return Path(bytes: Array(trimmed[(slash + 1)...]))
    }

    /// The last component, as the name of a regular file.
    ///
    /// A path that ends in a slash means a directory: `ErrorCode.isDirectory`, as open(2) says it of a file to be made.
    package func fileName() throws(SystemError) -> Path {
        guard bytes.last != UInt8(ascii: "/") else {
            throw SystemError(
                operation: "open", path: description, code: ErrorCode.isDirectory)
        }
        return lastComponent
    }

    /// What stands before the last slash: "." without one, "/" for a name at the root.
    package var parent: Path {
        var trimmed = bytes[...]
        while trimmed.count > 1, trimmed.last == UInt8(ascii: "/") { trimmed.removeLast() }
        guard let slash = trimmed.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == trimmed.startIndex
            ? "/" : Path(bytes: Array(trimmed[..<slash]))
    }
}

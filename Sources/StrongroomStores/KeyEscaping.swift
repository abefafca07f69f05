package import StrongroomSystem

/// How a key becomes a path that a person recognises, and back (STORE.md, "Keys to paths").
///
/// The key is split at `/`. In each component these are written `%XX` (upper-case hex, a byte each): `%`, control
/// characters, `\ : * ? " < > |`, a leading `.`, `#` or `~`, and a trailing `~`, space or dot. An empty component is
/// `%00`. A component of more than 240 bytes is cut into nested folders of at most 240 bytes, each but the last
/// ending in a bare `%`, which escaping never yields; each of them is escaped as if it were a component's beginning.
///
/// Every key has one path, and a path belongs to a key only if it is exactly that one: all else in the directory
/// is somebody else's, or a file of the store's own, whose names hold a bare `%`.
package struct KeyEscaping: Hashable, Sendable {
    /// The longest name of a file or folder, in bytes.
    static let nameByteCountLimit = 240

    /// True on a disk that takes two names for one that differ by case only; then what folds is escaped too.
    package let foldsCase: Bool

    /// The mapping for a disk.
    package init(foldsCase: Bool = false) { self.foldsCase = foldsCase }

    /// The names of the folders, and last of the file, that keep `key`.
    package func names(of key: KeyText) -> [Path] {
        var names: [Path] = []
        let slash = UInt8(ascii: "/")
        for component in key.bytes.split(separator: slash, omittingEmptySubsequences: false) {
            if isPlain(component) {
                names.append(Path(bytes: Array(component)))
            } else {
                let text = String(decoding: component, as: UTF8.self)
                names += Self.names(of: Array(text.unicodeScalars), foldsCase)
            }
        }
        return names
    }

    /// The key whose names these are, or nil if they are no key's.
    package func key(of names: [Path]) -> KeyText? {
        if !names.isEmpty, names.allSatisfy({ isPlain($0.bytes[...]) }) {
            let bytes = Array(names.map(\.bytes).joined(separator: [UInt8(ascii: "/")]))
            return KeyText(String(decoding: bytes, as: UTF8.self))
        }
        var bytes: [UInt8] = []
        var continues = false
        for (index, name) in names.enumerated() {
            if index > 0 && !continues { bytes.append(UInt8(ascii: "/")) }
            continues = name.bytes.last == UInt8(ascii: "%")
            guard let part = Self.unescaped(continues ? name.bytes.dropLast() : name.bytes[...])
            else { return nil }
            bytes += part
        }
        // What was read leniently counts only if it is written the same way.
        guard let text = String(validating: bytes, as: UTF8.self), let key = KeyText(text),
            key.bytes == bytes, self.names(of: key) == names
        else { return nil }
        return key
    }

    /// True for a component, or name, in which nothing is escaped: most are.
    private func isPlain(_ name: ArraySlice<UInt8>) -> Bool {
        guard let first = name.first, let last = name.last, name.count <= Self.nameByteCountLimit
        else { return false }
        switch first {
        case UInt8(ascii: "."), UInt8(ascii: "#"), UInt8(ascii: "~"): return false
        default: break
        }
        switch last {
        case UInt8(ascii: "."), UInt8(ascii: " "), UInt8(ascii: "~"): return false
        default: break
        }
        for byte in name {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: " "):
                continue
            case UInt8(ascii: "A")...UInt8(ascii: "Z") where !foldsCase: continue
            default: return false
            }
        }
        return true
    }

    private static func names(of component: [Unicode.Scalar], _ foldsCase: Bool) -> [Path] {
        if component.isEmpty { return ["%00"] }
        let last = component.count - 1
        var whole: [UInt8] = []
        for (index, scalar) in component.enumerated() {
            whole += escaped(scalar, isFirst: index == 0, isLast: index == last, foldsCase)
        }
        if whole.count <= nameByteCountLimit { return [Path(bytes: whole)] }
        var names: [Path] = []
        var name: [UInt8] = []
        for (index, scalar) in component.enumerated() {
            let isLast = index == last
            var piece = escaped(scalar, isFirst: name.isEmpty, isLast: isLast, foldsCase)
            if name.count + piece.count >= nameByteCountLimit {
                names.append(Path(bytes: name + [UInt8(ascii: "%")]))
                name.removeAll(keepingCapacity: true)
                piece = escaped(scalar, isFirst: true, isLast: isLast, foldsCase)
            }
            name += piece
        }
        return names + [Path(bytes: name)]
    }

    private static func escaped(
        _ scalar: Unicode.Scalar, isFirst: Bool, isLast: Bool, _ foldsCase: Bool
    ) -> [UInt8] {
        let bytes = Array(String(scalar).utf8)
        let isEscaped =
            switch scalar {
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}": true
            case "%", "\\", ":", "*", "?", "\"", "<", ">", "|": true
            case ".": isFirst || isLast
            case "#": isFirst
            case "~": isFirst || isLast
            case " ": isLast
            default: foldsCase && scalar.folds
            }
        guard isEscaped else { return bytes }
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for byte in bytes {
            text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return text
    }

    /// The bytes that `name` stands for; nil at a `%` without two hex digits.
    ///
    /// `%00` stands for nothing.
    private static func unescaped(_ name: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = name
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexDigit, let low = rest.popFirst()?.hexDigit else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes == [0] ? [] : bytes
    }
}

extension UInt8 {
    /// The value of an upper-case hex digit.
    fileprivate var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension Unicode.Scalar {
    /// True if a disk that folds case may take another scalar, or none, for this one, and this one is not the
    /// form that all of them fold to.
    fileprivate var folds: Bool {
        if isASCII { return ("A"..."Z").contains(self) }
        return properties.changesWhenCaseFolded || properties.isDefaultIgnorableCodePoint
            || properties.uppercaseMapping.lowercased() != String(self)
    }
}

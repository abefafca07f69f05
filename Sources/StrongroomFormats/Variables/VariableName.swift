/// The name of an environment variable: ASCII letters, digits and underscores, not beginning with a digit (POSIX.1-2017,
/// Base Definitions, 8.1, with lower-case letters too).
public struct VariableName: Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let text: String

    /// The name `text`, or nil if it is none.
    public init?(_ text: String) {
        guard let first = text.utf8.first, !Self.isDigit(first),
            text.utf8.allSatisfy({
                Self.isUpper($0) || Self.isLower($0) || Self.isDigit($0) || $0 == 0x5F
            })
        else { return nil }
        self.text = text
    }

    /// The name that `key` gives: its ASCII letters upper-cased, each run of other characters than `A` to `Z` and `0` to
    /// `9` as one underscore.
    ///
    /// `db.password` gives `DB_PASSWORD`. Nil if that begins with a digit, or is empty. Different keys may give one name.
    public init?(mapping key: String) {
        var name = ""
        for byte in key.utf8 {
            let upper = Self.isLower(byte) ? byte - 0x20 : byte
            if Self.isUpper(upper) || Self.isDigit(upper) {
                name.unicodeScalars.append(Unicode.Scalar(upper))
            } else if name.utf8.last != 0x5F {
                name += "_"
            }
        }
        self.init(name)
    }

    /// The text.
    public var description: String { text }

    /// True for a variable that tells the loader, a shell, an interpreter, git or Strongroom itself what to do.
    ///
    /// Where names come from data, as with ``init(mapping:)``, such a one is refused, as a guard against accidents: an
    /// entry that happens to be called `path` is not to decide which programs run.
    public var isReserved: Bool {
        Self.reserved.contains(text) || text.hasSuffix("_PROXY")
            || Self.reservedPrefixes.contains { text.hasPrefix($0) }
    }

    /// True for what Strongroom itself reads: no program gets it from `strongroom exec`.
    public var isOwn: Bool { text.hasPrefix("STRONGROOM_") }

    private static let reservedPrefixes = [
        "LD_", "DYLD_", "PYTHON", "PERL5", "GIT_", "STRONGROOM_",
    ]
    private static let reserved = [
        "GLIBC_TUNABLES", "GCONV_PATH", "PATH", "HOME", "SHELL", "IFS", "ENV", "BASH_ENV",
        "SHELLOPTS",
        "PS4", "PROMPT_COMMAND", "ZDOTDIR", "RUBYOPT", "RUBYLIB", "NODE_OPTIONS",
        "JAVA_TOOL_OPTIONS",
        "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH", "EDITOR", "VISUAL", "PAGER", "BROWSER",
        "TMPDIR",
    ]

    private static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
    private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

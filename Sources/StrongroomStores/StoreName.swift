import StrongroomSystem

/// Names of the store's own files beside the entries.
///
/// Each holds a bare `%`, so none is an entry's.
enum StoreName {
    /// A plain area's lock.
    static let lock: Path = "%lock"
    /// The turnstile before it.
    static let gate: Path = "%gate"
    /// The record of a commit of several changes.
    static let record: Path = "%commit"
    /// The folder of staged payloads where the disk has no unnamed files.
    static let staged: Path = "%staged"

    /// A vault's lock.
    static let vaultLock: Path = "lock"
    /// The turnstile before it.
    static let vaultGate: Path = "gate"
    /// A vault's file that names the current generation.
    static let generationFile: Path = "entries"
    /// Its successor, being written.
    static let nextGenerationFile: Path = "%entries"

    /// The directory of a vault's generation.
    static func generation(_ number: UInt64) -> Path { Path("entries." + String(number)) }

    /// The generation that a directory is of, nil if it is of none.
    static func generation(of name: Path) -> UInt64? {
        guard let text = name.text, text.hasPrefix("entries."),
            let number = UInt64(text.dropFirst(8)), generation(number) == name
        else { return nil }
        return number
    }

    /// The temporary file number `index` of a commit.
    static func temporary(_ commit: UInt64, _ index: Int) -> Path {
        Path("%new." + String(commit, radix: 36) + "." + String(index))
    }

    /// True if `name` is a temporary file of some commit.
    static func isTemporary(_ name: Path) -> Bool { name.bytes.starts(with: Array("%new.".utf8)) }
}

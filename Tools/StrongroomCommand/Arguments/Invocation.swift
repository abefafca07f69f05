import StrongroomSystem

/// What the command line asks for, taken apart and checked against the table, but with no word judged yet.
struct Invocation {
    /// The command; nil if only the version, or help on everything, is asked for.
    var command: CommandName?
    /// The operands, as bytes.
    var operands: [[UInt8]] = []
    /// The options that were given, with their values.
    var options = GivenOptions()

    /// True if `option` was given.
    func has(_ option: OptionName) -> Bool { options[option] != nil }

    /// The value of `option` as a path: any bytes but NUL.
    func path(_ option: OptionName) throws(Failure) -> Path? {
        guard let bytes = options[option] else { return nil }
        return try Self.path(bytes, named: option.written)
    }

    /// The value of `option` as text.
    func text(_ option: OptionName) throws(Failure) -> String? {
        guard let bytes = options[option] else { return nil }
        return try Self.text(bytes, named: option.written)
    }

    /// Bytes that are a path, from the option or variable `name`.
    static func path(_ bytes: [UInt8], named name: String) throws(Failure) -> Path {
        let path = Path(bytes: bytes)
        guard !path.isInvalid else {
            throw Failure(.usage, name, "is empty", advice: "name a file")
        }
        return path
    }

    /// Bytes that are text, from the option or variable `name`.
    static func text(_ bytes: [UInt8], named name: String) throws(Failure) -> String {
        guard !bytes.isEmpty else {
            throw Failure(.usage, name, "is empty", advice: "give it a value")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.usage, name, "is not UTF-8")
        }
        return text
    }

    /// A whole number of decimal digits from `range`, from the option or variable `name`.
    static func number(
        _ bytes: [UInt8], named name: String, in range: ClosedRange<Int>
    ) throws(Failure) -> Int {
        guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty,
            text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(text),
            range.contains(number)
        else {
            throw Failure(
                .usage, name, "takes a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}

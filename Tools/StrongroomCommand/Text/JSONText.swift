/// Writes JSON (RFC 8259) in UTF-8, fields in the order they are added.
struct JSONText {
    /// What was written so far.
    private(set) var text = ""
    private var needsComma = false

    /// Nothing yet.
    init() {}

    /// An array or object between `open` and `close`.
    private mutating func nest(_ open: String, _ close: String, _ body: (inout JSONText) -> Void) {
        separate()
        text += open
        needsComma = false
        body(&self)
        text += close
        needsComma = true
    }

    /// An array of what `body` adds.
    mutating func array(_ body: (inout JSONText) -> Void) { nest("[", "]", body) }
    /// An object of the fields that `body` adds.
    mutating func object(_ body: (inout JSONText) -> Void) { nest("{", "}", body) }

    /// The name of the field whose value comes next.
    mutating func name(_ name: String) {
        separate()
        text += Self.quoted(name) + ":"
        needsComma = false
    }

    /// A string, or null.
    mutating func string(_ value: String?) { raw(value.map(Self.quoted) ?? "null") }
    /// An integer, or null.
    mutating func integer(_ value: (some BinaryInteger)?) {
        raw(value.map { String($0) } ?? "null")
    }
    /// True or false, or null.
    mutating func boolean(_ value: Bool?) { raw(value.map { $0 ? "true" : "false" } ?? "null") }

    /// A field that is a string.
    mutating func field(_ name: String, _ value: String?) {
        self.name(name)
        string(value)
    }
    /// A field that is an integer.
    mutating func field(_ name: String, _ value: (some BinaryInteger)?) {
        self.name(name)
        integer(value)
    }
    /// A field that is true or false.
    mutating func field(_ name: String, _ value: Bool?) {
        self.name(name)
        boolean(value)
    }

    /// `text` between quotes.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if Escaping.isControl(scalar) {
                    let digits = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }

    private mutating func raw(_ value: String) {
        separate()
        text += value
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { text += "," }
        needsComma = false
    }
}

/// Where in a value its encoding or decoding failed, without anything that may be part of the
/// value.
///
/// Field names and positions are shown (`scores.3.name`). The keys of dictionaries are values
/// themselves, so they show as `*`; a field name is known by its coding key being a case of an
/// enum, as the compiler makes them.
struct CodingPlace: CustomStringConvertible {
    /// The place, empty for the value as a whole.
    let description: String

    /// Where `error` says it happened; empty for an error that does not say.
    init(_ error: any Error) {
        description = Self.path(of: error).map(Self.text).joined(separator: ".")
    }

    private static func path(of error: any Error) -> [any CodingKey] {
        switch error {
        case EncodingError.invalidValue(_, let context): context.codingPath
        case DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            context.codingPath
        case DecodingError.keyNotFound(let key, let context): context.codingPath + [key]
        default: []
        }
    }

    private static func text(_ key: any CodingKey) -> String {
        if let position = key.intValue { return String(position) }
        let mirror = Mirror(reflecting: key)
        return mirror.displayStyle == .enum && mirror.children.isEmpty ? key.stringValue : "*"
    }
}

import Testing

/// An argument of a test under a name that the log can show.
struct Named<Value: Sendable>: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let value: Value

    init(_ name: String, _ value: Value) {
        testDescription = name
        self.value = value
    }
}

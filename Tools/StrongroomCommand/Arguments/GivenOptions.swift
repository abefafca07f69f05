/// The options of a command line with their values; a flag's is empty.
///
/// There are a few at most, so they are searched one by one: a dictionary would cost more to set up than the rest of the
/// parsing.
struct GivenOptions: Equatable {
    private struct Given: Equatable {
        let name: OptionName
        let value: [UInt8]
    }

    private var given: [Given] = []

    /// The value of an option, or nil if it was not given.
    subscript(name: OptionName) -> [UInt8]? {
        for option in given where option.name == name { return option.value }
        return nil
    }

    /// The names, in the order of the command line.
    var names: [OptionName] { given.map(\.name) }

    /// Every value of an option that may be given several times.
    func all(_ name: OptionName) -> [[UInt8]] {
        given.filter { $0.name == name }.map(\.value)
    }

    /// The first option that is there twice.
    var repeated: OptionName? {
        for (index, option) in given.enumerated()
        where given[..<index].contains(where: { $0.name == option.name }) {
            return option.name
        }
        return nil
    }

    /// Adds an option.
    mutating func add(_ name: OptionName, _ value: [UInt8]) {
        given.append(Given(name: name, value: value))
    }
}

/// Text that a command must print, with holes for what differs from run to run.
struct ExpectedText {
    /// What was written in the transcript.
    let text: String
    /// The test's directory, for `$ROOT`.
    let root: String

    /// True if `found` is this text.
    func matches(_ found: String) -> Bool {
        Self.match(
            Array(text.replacing("$ROOT", with: root).utf8)[...], Array(found.utf8)[...])
    }

    private enum Hole: String, CaseIterable {
        case id = "{id}"
        case entry = "{entry}"
        case time = "{time}"
        case exact = "{exact}"
        case number = "{number}"
        case any = "{…}"

        /// The bytes that it takes at the front of `found`, shortest first; nil if it does not fit.
        func lengths(_ found: ArraySlice<UInt8>) -> [Int] {
            switch self {
            case .id: fits(found, pattern: String(repeating: "h", count: 32))
            case .entry: fits(found, pattern: String(repeating: "h", count: 40))
            case .time: fits(found, pattern: "dddd-dd-ddTdd:dd:ddZ")
            case .exact: fits(found, pattern: "dddd-dd-ddTdd:dd:dd.dddddddddZ")
            case .number:
                [found.prefix { (48...57).contains($0) }.count].filter { $0 > 0 }
            case .any: Array(0...found.prefix { $0 != 10 }.count)
            }
        }

        private func fits(_ found: ArraySlice<UInt8>, pattern: String) -> [Int] {
            guard found.count >= pattern.utf8.count else { return [] }
            for (byte, wanted) in zip(found, pattern.utf8) {
                let isDigit = (48...57).contains(byte)
                switch wanted {
                case UInt8(ascii: "h"):
                    guard isDigit || (97...102).contains(byte) else { return [] }
                case UInt8(ascii: "d"): guard isDigit else { return [] }
                default: guard byte == wanted else { return [] }
                }
            }
            return [pattern.utf8.count]
        }
    }

    private static func match(_ expected: ArraySlice<UInt8>, _ found: ArraySlice<UInt8>) -> Bool {
        var expected = expected
        var found = found
        while let next = expected.first {
            if next == UInt8(ascii: "{") {
                for hole in Hole.allCases where expected.starts(with: hole.rawValue.utf8) {
                    let rest = expected.dropFirst(hole.rawValue.utf8.count)
                    return hole.lengths(found).contains { match(rest, found.dropFirst($0)) }
                }
            }
            guard found.first == next else { return false }
            expected.removeFirst()
            found.removeFirst()
        }
        return found.isEmpty
    }
}

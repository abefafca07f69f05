/// Numbers in place of random ones that take every choice in turn.
///
/// Each is one of three which decide a `Bool` both ways and a number below three all three ways: so between
/// `advance()` and `advance()` whoever draws goes one way down the tree of his choices, and all of them in the end.
struct ChoiceTree: RandomNumberGenerator {
    private var choices: [Int] = []
    private var depth = 0
    private static let numbers: [UInt64] = [4, 1 << 63 | 1 << 17, .max ^ 1 << 17]

    mutating func next() -> UInt64 {
        if depth == choices.count { choices.append(0) }
        depth += 1
        return Self.numbers[choices[depth - 1]]
    }

    /// Turns to the next way; false after the last.
    mutating func advance() -> Bool {
        choices.removeLast(choices.count - depth)
        depth = 0
        while let last = choices.popLast() {
            guard last == Self.numbers.count - 1 else {
                choices.append(last + 1)
                return true
            }
        }
        return false
    }
}

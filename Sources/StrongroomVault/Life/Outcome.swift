/// What came of an attempt.
///
/// Not a `Result`: that its failure is an `Error` the runtime would look up in the whole program before the first one is
/// made, which is a twentieth of what a command takes.
enum Outcome<Success, Failure> {
    /// What was wanted.
    case success(Success)
    /// What came instead.
    case failure(Failure)
}

extension Outcome: Sendable where Success: Sendable, Failure: Sendable {}

import Glibc

/// What should not be.
enum Finding {
    /// Says what it is and ends the process, so that the fuzzer keeps the input.
    static func stop(_ what: String) -> Never {
        print("finding: " + what)
        fflush(nil)
        abort()
    }
}

/// Ends the process unless that holds.
func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { Finding.stop(what()) }
}

/// What `body` answers; nil if it throws an error that its caller is told to expect.
func allowing<Failure, Answer>(
    _ isExpected: (Failure) -> Bool, _ body: () throws -> Answer
) throws -> Answer? {
    do {
        return try body()
    } catch let error as Failure where isExpected(error) {
        return nil
    }
}

import StrongroomSystem

/// Asks again and again, at most for `seconds`, until `condition` holds; false if it never did.
func eventually(seconds: Double = 20, _ condition: () throws -> Bool) rethrows -> Bool {
    let nap = Monitor(false)
    let deadline = Clock.deadline(afterSeconds: seconds) ?? .max
    while try !condition() {
        if Clock.monotonic() >= deadline { return false }
        _ = nap.wait(until: Clock.monotonic() + 1_000_000) { _ -> Bool? in nil }
    }
    return true
}

import Dispatch

/// Runs `body` on `count` threads at once and waits for all of them.
func inParallel(_ count: Int, _ body: @Sendable (Int) -> Void) {
    DispatchQueue.concurrentPerform(iterations: count) { index in body(index) }
}

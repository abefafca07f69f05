package import StrongroomSystem

/// How a command notices that somebody wants it to stop.
package struct Interruption: Sendable {
    /// Starts to note signals instead of dying from them; until then they have their usual effect.
    package var watch: @Sendable () -> Void
    /// True once one came.
    package var isRaised: @Sendable () -> Bool
    /// Waits until a descriptor can be read, or one came.
    package var waitForInput: @Sendable (Descriptor) -> Void

    /// An interruption that these tell.
    package init(
        watch: @escaping @Sendable () -> Void, isRaised: @escaping @Sendable () -> Bool,
        waitForInput: @escaping @Sendable (Descriptor) -> Void = { _ in }
    ) {
        self.watch = watch
        self.isRaised = isRaised
        self.waitForInput = waitForInput
    }

    /// The signals of the process.
    package static let process = Interruption(
        watch: { InterruptFlag.watch() }, isRaised: { InterruptFlag.isRaised },
        waitForInput: { InterruptFlag.waitForInput($0) })

    /// Throws `.interrupted` once a signal came.
    func check() throws(Failure) {
        if isRaised() { throw Failure.interrupted }
    }
}

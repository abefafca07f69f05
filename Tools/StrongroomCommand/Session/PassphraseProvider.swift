import StrongroomCrypto
import StrongroomSystem
import Synchronization

/// Gives the vault its passphrase, when it asks: from the source that was named, else from the controlling terminal.
final class PassphraseProvider: Sendable {
    /// How often a person is asked.
    static let tryLimit = 3

    private struct State {
        var tryCount = 0
        var read: SecretKey?
        var failure: Failure?
    }

    private let source: SecretSource?
    private let reader: SecretReader
    private let prompt: String
    private let state = Mutex(State())

    /// A provider; what comes from a descriptor is read at once, since it can be read only once and by nobody else.
    init(
        _ source: SecretSource?, _ reader: SecretReader,
        prompt: String = "Passphrase of the master key: "
    ) throws(Failure) {
        self.source = source
        self.reader = reader
        self.prompt = prompt
        guard let source, source.kind == .descriptor else { return }
        let passphrase = try PassphraseText.read(source, reader)
        state.withLock { $0.read = passphrase }
    }

    /// True if a person is asked.
    var asksPeople: Bool { source == nil }

    /// True if a wrong passphrase may be typed again.
    var canAskAgain: Bool {
        source == nil && state.withLock { $0.tryCount < Self.tryLimit }
    }

    /// Why there was none, when the vault says so; nil if nothing more is known.
    var failure: Failure? { state.withLock { $0.failure } }

    /// The passphrase, or nil if there is none to be had.
    @Sendable func ask() throws -> SecretKey? {
        do throws(Failure) {
            return try passphrase()
        } catch {
            state.withLock { $0.failure = error }
            throw error
        }
    }

    private func passphrase() throws(Failure) -> SecretKey? {
        if let read = state.withLock({ $0.read }) { return read }
        if let source {
            let passphrase = try PassphraseText.read(source, reader)
            state.withLock { $0.read = passphrase }
            return passphrase
        }
        let tryCount = state.withLock { state in
            state.tryCount += 1
            return state.tryCount
        }
        guard tryCount <= Self.tryLimit else { return nil }
        return try PassphraseText.typed(prompt, reader)
    }
}

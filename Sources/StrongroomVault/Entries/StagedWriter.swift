import StrongroomStores

/// A value being sealed into a staged payload, piece by piece.
final class StagedWriter: VaultWriter {
    let payload: any StagedPayload
    private var sealing: EntrySealing?

    init(_ sealing: consuming EntrySealing, into payload: any StagedPayload) {
        self.sealing = consume sealing
        self.payload = payload
    }

    func write(_ bytes: Span<UInt8>) throws(VaultError) {
        guard sealing != nil else {
            throw .notPossible(what: "the value was finished already")
        }
        try sealing?.append(bytes)
    }

    /// The value is complete.
    func finish() throws(VaultError) {
        guard let sealing = sealing.take() else {
            throw .notPossible(what: "the value was finished already")
        }
        try sealing.finish()
    }
}

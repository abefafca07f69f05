/// What one reading of keyring, key and store says of the whole vault, short of having opened it.
struct Verdict: Error, Equatable {
    /// Nil for an untouched place: no keyring, and no store or an empty one.
    let error: VaultError?
    /// How many readings in a row must say so before it is believed: what is read in turn may have been
    /// exchanged in between.
    let readingCount: Int

    static let untouched = Verdict(error: nil, readingCount: 4)

    static func failed(_ error: VaultError, readingCount: Int = 4) -> Verdict {
        Verdict(error: error, readingCount: readingCount)
    }
}

import StrongroomSystem

// Whether the hint that is read is still the one that writers write.
//
// Somebody may remove `lock`, or put a whole directory in the place of another: then the next writer makes a new lock,
// and who has the old one open would read an old hint for ever. To ask for the name at every read would cost a third of
// a small one. So a reader asks when he has not for some time, and who makes a new lock lets that time pass before he
// publishes anything in it: whoever reads after a commit in the new lock was acknowledged has asked since it was made.
extension LogReader {
    /// How long a reader goes on without asking.
    static let lockCheckNanoseconds: Int64 = 10_000_000

    /// Lets go of the hint if its file has not the name `lock` any more; asked at most every ten milliseconds, and true if
    /// it was.
    mutating func checkLockName() throws(StoreError) -> Bool {
        guard place.checksLockName, let hintFile else { return false }
        // Taken before the name is asked for: what is made later is not counted as seen.
        let now = Clock.monotonic()
        guard now >= nextLockCheck else { return false }
        nextLockCheck = now + Self.lockCheckNanoseconds
        let named = try place.status(of: LogName.lock)
        if !hintFile.isSame(named) {
            self.hintFile = nil
            _ = try openHint()
        }
        return true
    }

    /// In a lock that was just made: waits until everybody has asked for the name who could have an older one open.
    func letReadersNotice(_ lockFile: OpenFile) throws(StoreError) {
        guard place.checksLockName, try system(try lockFile.status()).byteCount == 0 else { return }
        let end = Clock.monotonic() + Self.lockCheckNanoseconds + 1_000_000
        _ = Monitor(()).wait(until: end) { (_) -> Void? in nil }
    }
}

import StrongroomCrypto
import Synchronization

/// A master key that lives in memory, for a vault in memory.
final class MemoryKeyPlace: KeyPlace {
    private struct Texts: Sendable {
        var current: SecretKey?
        var next: SecretKey?
    }

    private let texts = Mutex(Texts())

    var name: String { "memory" }
    var isWritable: Bool { true }

    func candidates() throws(VaultError) -> [KeyCandidate] {
        let texts = self.texts.withLock { $0 }
        var found: [KeyCandidate] = []
        for (slot, text) in [(KeyCandidate.Slot.current, texts.current), (.next, texts.next)] {
            guard let text else { continue }
            let copy = SecretBytes(SecretBuffer(copying: text.bytes))
            found.append(KeyCandidate(slot: slot, name: name, text: copy))
        }
        return found
    }

    func holdingLock<Result>(
        making: Bool, waitSeconds: Double, _ body: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        // Nobody but the holder of `job` knows of this place.
        try body()
    }

    func make(_ text: SecretKey) throws(VaultError) {
        let isFree = texts.withLock { texts in
            guard texts.current == nil else { return false }
            texts.current = text
            return true
        }
        guard isFree else { throw .exists(path: name, what: "there is a key already") }
    }

    func replace(_ text: SecretKey) throws(VaultError) {
        texts.withLock { $0.current = text }
    }

    func makeNext(_ text: SecretKey) throws(VaultError) {
        let isFree = texts.withLock { texts in
            guard texts.next == nil else { return false }
            texts.next = text
            return true
        }
        guard isFree else { throw .exists(path: name, what: "there is a successor already") }
    }

    func moveNext() throws(VaultError) {
        texts.withLock { texts in
            texts.current = texts.next ?? texts.current
            texts.next = nil
        }
    }

    func removeNext() throws(VaultError) {
        texts.withLock { $0.next = nil }
    }

    func checkMaking() throws(VaultError) {}
    func sync() throws(VaultError) {}
    func sweep() throws(VaultError) {}
}

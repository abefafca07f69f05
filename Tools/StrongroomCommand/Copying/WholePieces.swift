import Strongroom
import StrongroomCrypto
import StrongroomStores
import StrongroomVault

/// A value in memory, as one piece.
final class WholePieces: EntryPieces {
    private let value: EntryValue
    private var isRead = false

    /// The pieces of `value`.
    init(_ value: EntryValue) { self.value = value }

    var byteCount: UInt64 { UInt64(value.bytes.buffer.byteCount) }
    var attributes: [String: String] { value.attributes }

    func version() throws(Failure) -> Version {
        throw Failure(.failed, "a value in memory has no version")
    }

    func times() throws(Failure) -> EntryTimes? { value.times }

    func next() throws(Failure) -> SecretBytes? {
        guard !isRead else { return nil }
        isRead = true
        return value.bytes
    }
}

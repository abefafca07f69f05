import StrongroomCrypto
import StrongroomStores
package import StrongroomVault

/// An entry as it was read: its bytes, and the version that tells this content from another.
///
/// It cannot be copied, and its memory is wiped when it is released. Versions are for
/// ``Changes/expect(_:ofKey:)``: of one entry, equal versions mean equal contents; their order
/// means nothing.
public struct Entry: ~Copyable, Sendable {
    private enum Storage: ~Copyable, Sendable {
        case buffer(SecretBuffer)
        case opened(OpenedEntry)
    }

    private let storage: Storage
    /// Which content this is.
    public let version: UInt64

    /// An entry of a copy of `bytes`, for who writes an area.
    public init(copying bytes: Span<UInt8>, version: UInt64) {
        storage = .buffer(SecretBuffer(copying: bytes))
        self.version = version
    }

    /// An entry that the vault opened.
    package init(_ opened: consuming OpenedEntry) {
        version = opened.version.number
        storage = .opened(opened)
    }

    /// How many bytes there are.
    public var byteCount: Int {
        switch storage {
        case .buffer(let buffer): buffer.byteCount
        case .opened(let opened): opened.value.byteCount
        }
    }

    /// Calls `body` with the bytes, which it must not keep.
    ///
    /// - Parameter body: Called once.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch storage {
        case .buffer(let buffer): try body(buffer.bytes)
        case .opened(let opened): try body(opened.value.bytes)
        }
    }

    /// A plain copy of the bytes, which nobody wipes.
    public func copyBytes() -> [UInt8] {
        switch storage {
        case .buffer(let buffer): buffer.copyToArray()
        case .opened(let opened): opened.value.copyToArray()
        }
    }
}

/// Who a generation of a store belongs to: for a vault, the id of the one data key that seals it.
public struct OwnerID: Hashable, Sendable {
    /// 8 bytes.
    public let bytes: [UInt8]
    /// An owner id of 8 bytes.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }
}

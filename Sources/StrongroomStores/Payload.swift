/// What a put puts.
public enum Payload: Sendable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// Bytes that were staged in the store itself (``Store/stage()``), larger than memory perhaps.
    case staged(any StagedPayload)
}

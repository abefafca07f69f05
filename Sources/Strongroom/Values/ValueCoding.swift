/// A way to turn values of one type into bytes and back, for a ``TypedKey`` that wants another one
/// than its type's own.
///
/// Whatever the two functions throw becomes ``StrongroomError/cannotEncode(key:at:)`` or
/// ``StrongroomError/cannotDecode(key:at:)``; what they threw is left out, since it might quote the
/// value.
public protocol ValueCoding<Value>: Sendable {
    /// The values it codes.
    associatedtype Value
    /// The bytes of `value`.
    func encode(_ value: Value) throws -> [UInt8]
    /// The value of `bytes`.
    func decode(_ bytes: Span<UInt8>) throws -> Value
}

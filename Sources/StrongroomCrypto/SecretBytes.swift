/// A value in flight that several hold at once: shared without a copy, wiped with its last reference.
@safe package final class SecretBytes: Sendable {
    /// The bytes, owned.
    package let buffer: SecretBuffer

    /// Takes the bytes over.
    package init(_ buffer: consuming SecretBuffer) { self.buffer = buffer }

    /// The bytes, borrowed.
    package var bytes: Span<UInt8> {
        // The compiler lets no span of a class's buffer out; this one lives as long as the class, which never
        // changes its buffer.
        @_lifetime(borrow self) get {
            let base = unsafe buffer.base
            let span = unsafe Span<UInt8>(_unsafeStart: base, count: buffer.byteCount)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }
}

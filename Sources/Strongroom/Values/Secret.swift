package import StrongroomCrypto

/// Bytes that nobody should see: wiped when the last reference is gone, and never printed.
///
/// It is not `Codable` on purpose, so that it cannot slip into a JSON beside other fields; areas
/// take and give it by overloads of their own, as exactly its bytes. ``description``, mirrors and
/// `dump` show no byte and no length. Copies that a caller asks for (``copyBytes()``,
/// ``copyText()``) and the text it was made from are plain memory, which nobody wipes.
public final class Secret: Sendable {
    /// The bytes, as the vault shares them.
    package let contents: SecretBytes

    /// A secret of these bytes, copied.
    public convenience init(_ bytes: [UInt8]) { self.init(copying: bytes.span) }

    /// A secret of the UTF-8 bytes of `text`, copied.
    public convenience init(_ text: String) {
        var bytes = Array(text.utf8)
        self.init(copying: bytes.span)
        wipe(&bytes)
    }

    /// A secret of these bytes, copied.
    public init(copying bytes: Span<UInt8>) {
        contents = SecretBytes(SecretBuffer(copying: bytes))
    }

    /// A secret of bytes that are shared already.
    package init(_ contents: SecretBytes) { self.contents = contents }

    /// How many bytes there are.
    public var byteCount: Int { contents.buffer.byteCount }

    /// Calls `body` with the bytes, which it must not keep.
    ///
    /// - Parameter body: Called once.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try contents.withBytes(body)
    }

    /// A plain copy of the bytes, which nobody wipes.
    public func copyBytes() -> [UInt8] { contents.buffer.copyToArray() }

    /// A plain copy as text, which nobody wipes; nil if the bytes are not UTF-8.
    public func copyText() -> String? {
        String(validating: contents.buffer.copyToArray(), as: UTF8.self)
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always the same text.
    public var description: String { "Secret(redacted)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

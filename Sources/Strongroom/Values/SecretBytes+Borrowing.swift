package import StrongroomCrypto

extension SecretBytes {
    /// Calls `body` with the bytes.
    package func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try buffer.withBytes(body)
    }
}

extension SecretBuffer {
    /// Calls `body` with the bytes.
    fileprivate borrowing func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(bytes)
    }
}

extension Path {
    /// Runs `body` with the bytes and a final NUL, on the stack where they fit.
    @unsafe func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { buffer in
            for index in bytes.indices {
                unsafe buffer[index] = CChar(bitPattern: bytes[index])
            }
            unsafe buffer[bytes.count] = 0
            guard let start = unsafe UnsafePointer(buffer.baseAddress) else {
                preconditionFailure("an allocation of at least one byte has an address")
            }
            return unsafe body(start)
        }
    }
}

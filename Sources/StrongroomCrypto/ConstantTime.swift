import CSodium

/// Comparison whose time does not depend on the contents (libsodium's `sodium_memcmp`), only on the
/// lengths, which are no secret.
package func equalInConstantTime(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    return unsafe left.withUnsafeBufferPointer { left in
        unsafe right.withUnsafeBufferPointer { right in
            guard let a = left.baseAddress, let b = right.baseAddress else { return true }
            return unsafe sodium_memcmp(a, b, left.count) == 0
        }
    }
}

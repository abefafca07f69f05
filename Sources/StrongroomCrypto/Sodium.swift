import CSodium

/// libsodium's start, once a process (`sodium_init`).
///
/// It chooses the code that suits the processor and opens the kernel's randomness.
enum Sodium {
    /// False if libsodium could not start.
    private static let isReady = sodium_init() >= 0

    static func requireReady() throws(CryptoError) {
        guard isReady else { throw .unavailable(operation: "sodium_init") }
    }
}

package import StrongroomCrypto
package import StrongroomStores

/// An opened value, wiped when released.
package struct OpenedEntry: ~Copyable, Sendable {
    /// The value's bytes.
    package let value: SecretBuffer
    /// Which content of the entry this is.
    package let version: Version
}

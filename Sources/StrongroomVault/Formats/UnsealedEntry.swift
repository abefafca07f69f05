package import StrongroomCrypto

/// An entry, header and value, verified.
package struct UnsealedEntry: ~Copyable, Sendable {
    /// What the header says.
    package let header: EntryHeader
    /// The value, wiped when released.
    package let value: SecretBuffer
}

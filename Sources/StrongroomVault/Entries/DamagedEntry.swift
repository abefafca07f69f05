/// An entry that does not open.
package struct DamagedEntry: Sendable, Equatable {
    /// Its id in the store, 40 hexadecimal digits.
    package var id: String
    /// Its key, if the header still opens.
    package var key: String?
    /// What is wrong.
    package var error: VaultError
}

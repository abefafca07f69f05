/// What a rotation did.
package struct RotationReport: Sendable {
    /// Entries sealed anew; 0 of a rewrap, which leaves them as they are.
    package var entryCount: Int
    /// The replaced master key's id, 32 hexadecimal digits; nil if an earlier call had replaced it already.
    package var oldKeyID: String?
    /// The new master key's id, 32 hexadecimal digits.
    package var newKeyID: String
    /// Entries that could not be opened: their bytes are kept, under a data key that is retired.
    package var damaged: [DamagedEntry]
    /// True if this call finished one that was interrupted.
    package var wasResumed: Bool
}

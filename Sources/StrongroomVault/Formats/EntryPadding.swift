/// How long a sealed value is made, so that its size says little of it: Padmé (Nikitin and others,
/// "Reducing Metadata Leakage from Encrypted Files and Communication with PURBs", 2019), at least 64 bytes.
enum EntryPadding {
    /// The largest value: a sealed one of it is still far from the end of a 63-bit file.
    static let valueByteCountLimit: UInt64 = 1 << 60
    /// Bytes of the byte count at the very end.
    static let trailerByteCount: UInt64 = 8

    /// P = max(64, Padmé(byte count + 8)); nil for a value over the limit.
    static func paddedByteCount(of valueByteCount: UInt64) -> UInt64? {
        guard valueByteCount <= valueByteCountLimit else { return nil }
        return max(64, padme(valueByteCount + trailerByteCount))
    }

    /// With E = ⌊log₂ L⌋ and S = ⌊log₂ E⌋ + 1, `length` rounded up to a multiple of 2^(E−S): at
    /// most 12 % more, and only the top S bits of a length can be told.
    ///
    /// `length` is 2 to 2^62.
    static func padme(_ length: UInt64) -> UInt64 {
        let exponent = 63 - length.leadingZeroBitCount
        let kept = Int.bitWidth - exponent.leadingZeroBitCount
        let mask = (1 as UInt64) << (exponent - kept) - 1
        return (length + mask) & ~mask
    }
}

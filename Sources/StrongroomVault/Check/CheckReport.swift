/// What a check found.
package struct CheckReport: Sendable {
    /// One thing that is wrong.
    package struct Finding: Sendable, Equatable {
        /// The kinds.
        package enum Kind: String, Sendable {
            /// Permission bits that let others in, or keep us out.
            case mode
            /// What a writer that was killed, or failed, left; the next writer sweeps it, it is no fault.
            case leftover
            /// Bytes that are not what was written.
            case damaged
            /// Everything is whole and yet does not belong together.
            case tampered
            /// A file that has to be there is not.
            case missing
            /// Older than what was seen before.
            case rolledBack
            /// A rotation that has to be run again; it is no fault.
            case unfinished
        }
        /// Which kind.
        package var kind: Kind
        /// The file, or the entry's id as `id:` and 40 hexadecimal digits.
        package var path: String
        /// The entry's key, if it is known.
        package var key: String?
        /// What is wrong, in words.
        package var what: String
        /// True if a repair has set it right.
        package var repaired: Bool

        /// A finding of these parts.
        package init(kind: Kind, path: String, key: String?, what: String, repaired: Bool) {
            self.kind = kind
            self.path = path
            self.key = key
            self.what = what
            self.repaired = repaired
        }
    }
    /// What is wrong, in the order in which it was found.
    package var findings: [Finding]
    /// Entries that were looked at.
    package var entryCount: Int

    /// A report of these findings.
    package init(findings: [Finding], entryCount: Int) {
        self.findings = findings
        self.entryCount = entryCount
    }
}

/// How to open a file.
///
/// `O_CLOEXEC` is always set.
package struct OpenOptions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The union of `options`; the one of the protocol looks its types up at run time, at every start of the command.
    package init(arrayLiteral options: OpenOptions...) {
        rawValue = options.reduce(0) { $0 | $1.rawValue }
    }
    /// For reading (alone, unless `write` is given too).
    package static let read = OpenOptions(rawValue: 1)
    /// For writing.
    package static let write = OpenOptions(rawValue: 2)
    /// Make it if it is absent.
    package static let create = OpenOptions(rawValue: 4)
    /// Fail if it is there (`O_EXCL`), a dangling link included.
    package static let exclusive = OpenOptions(rawValue: 8)
    /// Only a directory.
    package static let directory = OpenOptions(rawValue: 16)
    /// Follow a symbolic link in the last component; without it such a link is an error
    /// (`ELOOP`; with `directory` it is `ENOTDIR`).
    package static let followLink = OpenOptions(rawValue: 32)
    /// An unnamed file in the directory named (`O_TMPFILE`).
    package static let unnamed = OpenOptions(rawValue: 64)
    /// Do not wait for the other end of a FIFO or a device (`O_NONBLOCK`).
    package static let nonBlocking = OpenOptions(rawValue: 128)
}

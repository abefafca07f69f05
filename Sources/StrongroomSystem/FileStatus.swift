/// What a name, or an open file, is.
package struct FileStatus: Equatable, Sendable {
    /// The kinds that our code tells apart.
    package enum Kind: Sendable { case regular, directory, symbolicLink, other }
    /// What it is.
    package var kind: Kind
    /// Permission bits, 0 to 0o7777.
    package var mode: UInt16
    /// Numbers of owner and group.
    package var owner: UInt32
    package var group: UInt32
    /// Bytes in the file.
    package var byteCount: Int64
    /// Bytes allocated on the disk.
    package var allocatedByteCount: Int64
    /// Names of the file.
    package var linkCount: UInt64
    /// Device and inode, which together identify the file.
    package var device: UInt64
    package var inode: UInt64

    /// A status of all its fields.
    package init(
        kind: Kind, mode: UInt16, owner: UInt32, group: UInt32, byteCount: Int64,
        allocatedByteCount: Int64, linkCount: UInt64, device: UInt64, inode: UInt64
    ) {
        self.kind = kind
        self.mode = mode
        self.owner = owner
        self.group = group
        self.byteCount = byteCount
        self.allocatedByteCount = allocatedByteCount
        self.linkCount = linkCount
        self.device = device
        self.inode = inode
    }
}

/// One name in a directory.
package struct DirectoryItem: Hashable, Sendable {
    /// The name's bytes.
    package let name: Path
    /// What it is, if the file system says so without another call.
    package let kind: FileStatus.Kind?
    /// An item.
    package init(name: Path, kind: FileStatus.Kind?) {
        self.name = name
        self.kind = kind
    }
}

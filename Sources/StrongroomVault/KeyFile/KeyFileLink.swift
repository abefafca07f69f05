import StrongroomSystem

/// The way through the symbolic links in a key file's place.
enum KeyFileLink {
    /// As the kernel counts (path_resolution(7)).
    private static let limit = 40

    /// The path that `path` ends at, which need not be there.
    ///
    /// A link that leads nowhere is `.masterKeyMalformed`: it is no absent key, and nothing is made
    /// through it.
    static func end(of path: Path, fileSystem: any FileSystem) throws(VaultError) -> Path {
        var target = path
        for step in 0...limit {
            do throws(SystemError) {
                let status = try fileSystem.status(ofPath: target, followLink: false)
                guard status.kind == .symbolicLink else { return target }
                let link = try fileSystem.readLink(target, at: nil)
                target = link.isAbsolute ? link : target.parent.appending(link)
            } catch {
                guard error.code == ErrorCode.noEntry else { throw VaultError(error) }
                if step == 0 { return target }
                throw .masterKeyMalformed(
                    path: path.description, reason: "it is a symbolic link that leads nowhere")
            }
        }
        throw .system(operation: "open", path: path.description, code: ErrorCode.link)
    }

    /// True if both paths, which are no links, name one place, whether a file is there or not.
    static func isSame(
        _ left: Path, _ right: Path, fileSystem: any FileSystem
    ) throws(VaultError) -> Bool {
        if left == right { return true }
        guard left.lastComponent == right.lastComponent else { return false }
        do {
            let one = try fileSystem.status(ofPath: left.parent, followLink: true)
            let other = try fileSystem.status(ofPath: right.parent, followLink: true)
            return one.device == other.device && one.inode == other.inode
        } catch {
            if error.code == ErrorCode.noEntry { return false }
            throw VaultError(error)
        }
    }
}

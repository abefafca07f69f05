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
                let status = try fileSystem.status(target, at: nil, followLink: false)
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
}

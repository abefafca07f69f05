package import StrongroomSystem

// Where neither a copy of a key nor a new one may be written.
extension Vault {
    /// Throws `.notPossible` if `path`, through whatever links, is the master key in use, or a file beside it that a
    /// change of the key goes through.
    ///
    /// Nothing is written. Who lets a user name a file for a key calls this first.
    package func refuseKeyInUse(at path: Path) throws(VaultError) {
        guard case .file(let used, _) = configuration.masterKey else { return }
        let fileSystem = configuration.fileSystem
        let target = try KeyFileLink.end(of: path, fileSystem: fileSystem)
        let inUse = try KeyFileLink.end(of: used, fileSystem: fileSystem)
        let taken = [KeyFilePlace.nextSuffix, KeyFilePlace.temporarySuffix].map { inUse.with($0) }
        for place in [inUse] + taken {
            guard try KeyFileLink.isSame(target, place, fileSystem: fileSystem) else { continue }
            throw .notPossible(
                what: "\(path) is the key in use, or where its successor goes; name another file")
        }
    }

    /// The same of the file that a rotation is to put the old key into.
    func refuseKeyInUse(_ options: RotationOptions) throws(VaultError) {
        guard let path = options.keepOldKey else { return }
        do throws(VaultError) {
            try refuseKeyInUse(at: path)
        } catch {
            // A link that leads nowhere is there all the same.
            guard case .masterKeyMalformed(path.description, _) = error else { throw error }
            throw .exists(path: path.description, what: "a file is there already")
        }
    }
}

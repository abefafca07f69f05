import StrongroomSystem

/// Where `copy --all --to` writes: an area of the same container, or the vault below another root.
enum CopyTarget {
    /// The place that `--to` names.
    static func place(
        for session: Session, _ source: any EntryPlace
    ) throws(Failure) -> any EntryPlace {
        guard let bytes = session.invocation.options[.to] else {
            throw Failure(.usage, "--all", "needs --to")
        }
        if let name = String(validating: bytes, as: UTF8.self) {
            if let area = AreaName(rawValue: name) {
                guard source.area != area else {
                    throw Failure(.usage, "--to", "names the area that the entries are in")
                }
                return try session.place(area)
            }
            try refuseURL(name)
        }
        let root = try Invocation.path(bytes, named: "--to")
        try Settings.requireDirectory(root, session.fileSystem)
        try refuseOwn(root, source, session)
        return try session.vaultPlace(below: root, copying: source)
    }

    /// A URL is no directory that somebody forgot to make.
    private static func refuseURL(_ name: String) throws(Failure) {
        guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")),
            name.utf8[colon...].starts(with: "://".utf8), colon != name.utf8.startIndex,
            name.utf8[..<colon].allSatisfy({ !"/.".utf8.contains($0) })
        else { return }
        throw Failure(
            .usage, name, "this version knows no store by a URL",
            advice: "--to takes an area or a directory")
    }

    /// Refuses a root whose vault would be the container's own, or lie in one of its areas, or around one.
    private static func refuseOwn(_ root: Path, _ source: any EntryPlace, _ session: Session)
        throws(Failure)
    {
        let directories = try session.settings().directories
        let vault = root.appending("vault")
        let places = Whereabouts(fileSystem: session.fileSystem)
        let ownRoot = directories.vault.path.parent
        for (name, own) in [(root, ownRoot), (vault, directories.vault.path)] {
            guard try !places.areSame(name, own) else {
                throw Failure(
                    .usage, root.description, "the vault there is the one of this container",
                    advice: source.area == .vault
                        ? "name another directory"
                        : "name another directory, or --to vault to mean that one")
            }
        }
        for place in [
            directories.vault, directories.storage, directories.cache, directories.temporary,
        ] {
            let own = place.path
            for (inner, outer) in [(root, own), (vault, own), (own, vault)] {
                guard try !places.isInside(inner, outer) else {
                    throw Failure(
                        .usage, root.description,
                        "the vault there and \(Escaping.shown(own.description)) would lie in one "
                            + "another", advice: "name a directory outside")
                }
            }
        }
    }
}

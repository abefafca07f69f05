/// Reads the variables that say where an app's directories are.
struct PlaceFinder {
    typealias Place = AppDirectories.Place

    let app: Path
    let environment: Environment
    let homeDirectory: (UInt32) -> Path?

    /// The app's directory by systemd's variable, else by the XDG variable, else by the default below the home
    /// directory.
    func find(
        _ systemd: Path, else xdg: Path, or fallback: Path
    ) throws(DirectoryError) -> Place {
        if let directory = firstPath(systemd) {
            return Place(path: directory.appending(app), rule: "$\(systemd)")
        }
        if let directory = environment.absolutePath(xdg) {
            return Place(path: directory.appending(app), rule: "$\(xdg)")
        }
        if let home = environment.absolutePath("HOME") {
            return Place(
                path: home.appending(fallback).appending(app), rule: "$HOME/\(fallback)")
        }
        let user = Identity.effectiveUser
        guard let home = homeDirectory(user), home.isAbsolute, !home.isInvalid else {
            throw .noHome(user: user)
        }
        return Place(
            path: home.appending(fallback).appending(app),
            rule: "~/\(fallback), home from the user database")
    }

    /// The directory of the session, and whether it lies where anybody may make files.
    func temporary() -> (place: Place, isShared: Bool) {
        if let directory = firstPath("RUNTIME_DIRECTORY") {
            return (Place(path: directory.appending(app), rule: "$RUNTIME_DIRECTORY"), false)
        }
        if let directory = environment.absolutePath("XDG_RUNTIME_DIR") {
            return (Place(path: directory.appending(app), rule: "$XDG_RUNTIME_DIR"), false)
        }
        let name = Path(bytes: app.bytes + Array("-\(Identity.effectiveUser)".utf8))
        if let directory = environment.absolutePath("TMPDIR") {
            return (Place(path: directory.appending(name), rule: "$TMPDIR"), true)
        }
        return (Place(path: Path("/tmp").appending(name), rule: "/tmp"), true)
    }

    /// The master key that systemd gave, if it did.
    func credential(_ fileSystem: any FileSystem) -> Place? {
        guard let directory = environment.absolutePath("CREDENTIALS_DIRECTORY") else { return nil }
        let file = directory.appending("strongroom.key")
        do {
            _ = try fileSystem.status(ofPath: file, followLink: true)
        } catch {
            // One that is there and cannot be looked at is the one meant: opening it says what is wrong.
            let isAbsent = error.code == ErrorCode.noEntry || error.code == ErrorCode.notDirectory
            if isAbsent { return nil }
        }
        return Place(path: file, rule: "$CREDENTIALS_DIRECTORY")
    }

    /// The first path of one of systemd's variables, which hold several split at colons.
    private func firstPath(_ name: Path) -> Path? {
        guard let value = environment.value(name) else { return nil }
        let first = Path(bytes: Array(value.bytes.prefix { $0 != UInt8(ascii: ":") }))
        return first.isAbsolute ? first : nil
    }
}

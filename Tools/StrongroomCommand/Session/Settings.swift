import StrongroomSystem

/// Which container is meant: the options, else their variables, else the defaults.
struct Settings {
    /// The app.
    var app: String
    /// False where only a root was given: then a vault of any app opens.
    let checksApp: Bool
    /// The one directory of the whole container, if it was given.
    let root: Path?
    /// Where everything is.
    let directories: AppDirectories
    /// How long a lock is waited for.
    let waitSeconds: Double

    /// The settings of a run.
    init(_ session: Session) throws(Failure) {
        try Self.refuseOtherStores(session.environment)
        let given = try Self.given(.app, "STRONGROOM_APP", session)
        app =
            try given.map { given throws(Failure) in
                try Invocation.text(given.bytes, named: given.name)
            } ?? "strongroom"
        let root = try Self.given(.root, "STRONGROOM_ROOT", session)
        self.root = root.map { Path(bytes: $0.bytes) }
        checksApp = given != nil || root == nil
        if let root = self.root, session.invocation.command != .initialize {
            try Self.requireDirectory(root, session.fileSystem)
        }
        let wait = try Self.given(.wait, "STRONGROOM_WAIT", session)
        waitSeconds =
            try wait.map { wait throws(Failure) in
                try Self.seconds(wait.bytes, named: wait.name)
            } ?? 10
        do {
            directories = try AppDirectories.resolve(
                app: app, root: self.root, environment: session.environment,
                executable: session.executable, fileSystem: session.fileSystem)
        } catch {
            throw Failure(error)
        }
    }

    /// The value of an option, else of its variable, which may not be empty, and what to call it.
    private static func given(
        _ option: OptionName, _ variable: String, _ session: Session
    ) throws(Failure) -> (bytes: [UInt8], name: String)? {
        if let bytes = session.invocation.options[option] { return (bytes, option.written) }
        guard let value = session.environment.value(Path(variable)) else { return nil }
        guard !value.bytes.isEmpty else {
            throw Failure(
                .usage, variable, "is set but empty", advice: "unset it or give it a value")
        }
        return (value.bytes, variable)
    }

    /// Entries that somebody wants in another store are not to land in the container without a word.
    private static func refuseOtherStores(_ environment: Environment) throws(Failure) {
        let variable = "STRONGROOM_STORE"
        guard let store = environment.value(Path(variable)) else { return }
        guard !store.bytes.isEmpty else {
            throw Failure(
                .usage, variable, "is set but empty", advice: "unset it or give it a value")
        }
        throw Failure(
            .usage, variable, "names a store that this version does not know",
            advice: "unset it: entries are in the container's own directory")
    }

    /// That the root is a directory; only `init` makes one.
    static func requireDirectory(
        _ root: Path, _ fileSystem: any FileSystem
    ) throws(Failure) {
        do {
            let found = try fileSystem.status(root, at: nil, followLink: true)
            guard found.kind == .directory else {
                throw Failure(.usage, root.description, "the root is not a directory")
            }
        } catch let failure as Failure {
            throw failure
        } catch let error as SystemError {
            guard error.code == ErrorCode.noEntry || error.code == ErrorCode.notDirectory else {
                throw Failure(error)
            }
            throw Failure(
                .usage, root.description, "there is no such directory",
                advice: "make it, or use strongroom init")
        } catch {
            throw Failure(.failed, root.description, "the root cannot be looked at")
        }
    }

    /// Digits, and perhaps a fraction; at most a year.
    static func seconds(_ bytes: [UInt8], named name: String) throws(Failure) -> Double {
        let isPlain = bytes.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
        guard isPlain, let text = String(validating: bytes, as: UTF8.self),
            let seconds = Double(text), seconds <= 31_536_000
        else { throw Failure(.usage, name, "takes a number of seconds, such as 10 or 0.5") }
        return seconds
    }
}

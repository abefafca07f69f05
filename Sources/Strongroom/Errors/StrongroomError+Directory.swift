package import StrongroomSystem

extension StrongroomError {
    /// Why a container has no directories.
    package init(_ error: DirectoryError) {
        self =
            switch error {
            case .invalidApp(let app): .invalidApp(app: app)
            case .invalidRoot(let root): .notPossible(what: "\"\(root)\" is no place for a root")
            case .noHome(let user):
                .notPossible(
                    what: "user \(user) has no home directory: set HOME, or give a root")
            }
    }
}

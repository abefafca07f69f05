import StrongroomSystem

extension StoreError {
    /// The store's error for a failed call.
    init(_ error: SystemError) {
        self = .system(operation: error.operation, path: error.path, code: error.code)
    }

    /// The store's error for a lock that could not be had.
    init(lock error: SystemError) {
        switch error.code {
        case ErrorCode.wouldBlock: self = .busy(path: error.path)
        case ErrorCode.interrupted: self = .cancelled
        default: self.init(opening: error)
        }
    }

    /// What a failure to open a file of the store's own says: a link or a directory in its place is damage.
    init(opening error: SystemError) {
        switch error.code {
        case ErrorCode.link, ErrorCode.isDirectory, ErrorCode.noDevice:
            self = .storeDamaged(path: error.path, what: Self.noFile)
        default: self.init(error)
        }
    }

    /// Throws unless `status` is that of a regular file that has one name, before it is written where it lies.
    ///
    /// A second name (a hard link) is somebody's, who would find his file changed.
    static func checkWritable(_ status: FileStatus, _ path: Path) throws(StoreError) {
        guard status.kind == .regular else {
            throw .storeDamaged(path: path.description, what: noFile)
        }
        guard status.linkCount <= 1 else {
            throw .unsuitable(
                path: path.description,
                what:
                    "this file has another name too, a hard link, which a write would change as well; "
                    + "put a copy in its place")
        }
    }

    /// What is said of something else in the place of a file.
    static let noFile = "it is no regular file"

    /// The number of a failed call.
    var code: Int32? {
        if case .system(_, _, let code) = self { code } else { nil }
    }
}

/// The result of `call`, a failure of it as the store's error.
func system<Result>(
    _ call: @autoclosure () throws(SystemError) -> Result
) throws(StoreError) -> Result {
    do {
        return try call()
    } catch {
        throw StoreError(error)
    }
}

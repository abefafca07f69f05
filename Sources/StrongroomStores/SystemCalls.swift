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
        default: self.init(error)
        }
    }

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

package import StrongroomSystem

extension StrongroomError {
    /// What the failure of a system call means to a caller.
    package init(_ error: SystemError) {
        self.init(operation: error.operation, path: error.path, code: error.code)
    }

    /// The same, of its parts: the numbers that have a case of their own get it.
    init(operation: String, path: String, code: Int32) {
        self =
            switch code {
            case ErrorCode.noSpace, ErrorCode.quota: .noSpace(path: path)
            case ErrorCode.accessDenied, ErrorCode.notPermitted: .noPermission(path: path)
            case ErrorCode.readOnly: .readOnly(path: path)
            default: .system(operation: operation, path: path, code: code)
            }
    }
}

import StrongroomSystem

extension VaultError {
    /// What a failed system call is for a vault.
    init(_ error: SystemError) {
        self =
            switch (error.operation, error.code) {
            case ("lock", ErrorCode.wouldBlock): .busy(path: error.path)
            case ("lock", ErrorCode.interrupted): .cancelled
            default: .system(operation: error.operation, path: error.path, code: error.code)
            }
    }

    /// The refusal to change a key that comes from a source which is not written.
    static func keyIsNotWritable(_ name: String) -> VaultError {
        .notPossible(
            what: "the master key comes from \(name), which is not written here; "
                + "rotate in two calls, with --begin --new-key-file and --finish")
    }

    /// True of a disk or a directory that takes no file of ours.
    var isRefusal: Bool {
        switch self {
        case .notOwner: true
        case .system(_, _, let code):
            code == ErrorCode.accessDenied || code == ErrorCode.notPermitted
                || code == ErrorCode.readOnly
        default: false
        }
    }
}

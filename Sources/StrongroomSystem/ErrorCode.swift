import Glibc

/// The `errno` numbers that our code tells apart, named, so that no other module imports the C library.
package enum ErrorCode {
    package static let noEntry = ENOENT
    package static let exists = EEXIST
    package static let notDirectory = ENOTDIR
    package static let isDirectory = EISDIR
    package static let notEmpty = ENOTEMPTY
    package static let link = ELOOP
    package static let nameTooLong = ENAMETOOLONG
    package static let noSpace = ENOSPC
    package static let quota = EDQUOT
    package static let fileTooLarge = EFBIG
    package static let readOnly = EROFS
    package static let accessDenied = EACCES
    package static let notPermitted = EPERM
    package static let wouldBlock = EWOULDBLOCK
    package static let interrupted = EINTR
    package static let notSupported = EOPNOTSUPP
    package static let invalid = EINVAL
    package static let tooManyOpen = EMFILE
    package static let io = EIO
    package static let crossDevice = EXDEV
    package static let noDevice = ENXIO
    package static let noCall = ENOSYS
    package static let noSeek = ESPIPE
    package static let brokenPipe = EPIPE
    package static let notTerminal = ENOTTY
    package static let timedOut = ETIMEDOUT
    package static let noProcess = ESRCH
    package static let tooManyLinks = EMLINK
    package static let badDescriptor = EBADF
    package static let noLocks = ENOLCK
    package static let noMemory = ENOMEM
    package static let listTooLong = E2BIG
}

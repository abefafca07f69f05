import Glibc

/// Who runs, and in which process.
package enum Identity {
    /// The number of the effective user, for whom files are opened.
    package static var effectiveUser: UInt32 { geteuid() }
    /// The number of the effective group.
    package static var effectiveGroup: UInt32 { getegid() }
    /// The number of the user who started the process.
    package static var realUser: UInt32 { getuid() }
    /// True if the effective user is root.
    package static var isRoot: Bool { geteuid() == 0 }
    /// The number of this process.
    ///
    /// A forked child has another than its parent.
    package static var process: Int32 { getpid() }

    /// What names this boot of the machine (`/proc/sys/kernel/random/boot_id`): 36 characters, nil where the kernel
    /// does not say.
    package static func bootID(fileSystem: any FileSystem) throws(SystemError) -> String? {
        let bytes: [UInt8]
        do {
            let file = try OpenFile.open(
                "/proc/sys/kernel/random/boot_id", [.read], fileSystem: fileSystem)
            bytes = try file.read(at: 0, count: 128)
        } catch {
            switch error.code {
            case ErrorCode.noEntry, ErrorCode.notDirectory, ErrorCode.accessDenied,
                ErrorCode.notPermitted:
                return nil
            default: throw error
            }
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let id = text.prefix { $0 != "\n" }
        return id.utf8.count == 36 ? String(id) : nil
    }
}

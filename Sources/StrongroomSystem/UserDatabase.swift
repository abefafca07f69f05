import Glibc

/// What the system knows of its users.
package enum UserDatabase {
    /// The home directory of a user, nil if there is no such user or he has none (getpwuid_r(3)).
    ///
    /// It may ask a directory server, so it is asked only where `HOME` does not say.
    package static func homeDirectory(of user: UInt32) -> Path? {
        var byteCount = 1024
        while byteCount <= 1 << 20 {
            var entry = unsafe passwd()
            var found: UnsafeMutablePointer<passwd>?
            var buffer = [CChar](repeating: 0, count: byteCount)
            let (code, home) = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
                guard let start = buffer.baseAddress else { return (EIO, Path(bytes: [])) }
                let code = unsafe getpwuid_r(user, &entry, start, buffer.count, &found)
                // The entry's text lies in the buffer: it is copied before that goes.
                guard code == 0, unsafe found != nil, let text = unsafe entry.pw_dir else {
                    return (code, Path(bytes: []))
                }
                return unsafe (
                    code,
                    Path(bytes: Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
                )
            }
            if code == ERANGE {
                byteCount *= 4
            } else if code != EINTR {
                return home.bytes.isEmpty ? nil : home
            }
        }
        return nil
    }
}

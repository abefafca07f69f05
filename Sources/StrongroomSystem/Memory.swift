import CLinux

/// Wiping of what passed through this module on its way to locked memory.
enum Memory {
    /// Overwrites with zeros in a way that the compiler cannot leave out.
    static func wipe(_ bytes: inout MutableSpan<UInt8>) {
        unsafe bytes.withUnsafeMutableBytes { buffer in
            if let start = buffer.baseAddress { unsafe strongroom_wipe(start, buffer.count) }
        }
    }

    /// Overwrites an array with zeros; its length stays.
    static func wipe(_ bytes: inout [UInt8]) {
        var span = bytes.mutableSpan
        wipe(&span)
    }
}

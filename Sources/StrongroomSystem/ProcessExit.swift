import Glibc

/// The end of the process.
package enum ProcessExit {
    /// Ends the process with `status`, 0 to 255.
    package static func exit(_ status: Int32) -> Never { Glibc.exit(status) }
}

/// Why no directories can be found for an app.
package enum DirectoryError: Error, Equatable, Sendable {
    /// The app's id is not `[A-Za-z0-9][A-Za-z0-9._-]*` of at most 128 characters.
    case invalidApp(String)
    /// The root is empty, or holds a NUL, or is relative to a working directory that is gone.
    case invalidRoot(String)
    /// `HOME` is not an absolute path and the user database knows no home directory for this user.
    case noHome(user: UInt32)
}

import StrongroomSystem

/// The program that runs.
enum Executable {
    /// Where it is; nil where the kernel does not say.
    static func path(_ fileSystem: any FileSystem) -> Path? {
        do { return try fileSystem.readLink("/proc/self/exe", at: nil) } catch { return nil }
    }
}

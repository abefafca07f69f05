import Foundation

/// A directory of a test's own, removed with its last reference.
final class TemporaryDirectory: Sendable {
    /// Where it is.
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "strongroom-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    }

    deinit {
        // A directory that stays behind in the temporary directory fails no test.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of `name` below it.
    func appending(_ name: String) -> String { path + "/" + name }

    /// The relative path of everything below it, sorted.
    func names() -> [String] { Self.names(below: path) }

    /// The relative path of everything below `path`, sorted.
    static func names(below path: String) -> [String] {
        (FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []).sorted()
    }

    /// Makes a file, and its directories.
    func write(_ bytes: [UInt8], to name: String) throws {
        let file = URL(fileURLWithPath: appending(name))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    /// The bytes of a file.
    func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: appending(name))))
    }

    /// The permission bits of a file or directory.
    func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: appending(name))
        return (attributes[.posixPermissions] as? Int) ?? -1
    }
}

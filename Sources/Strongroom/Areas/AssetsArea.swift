import StrongroomStores
import StrongroomSystem

/// The files that were shipped with the app, to be read: `get("images/a.png")` reads `images/a.png`
/// in the assets directory.
///
/// Here a key is the file's path as it is: nothing is escaped, so only a key that is a plain path
/// can have a file. Links are not followed; a missing file, and a missing directory, are nil. It is
/// a ``ReadableArea`` only: setting does not compile.
public struct AssetsArea: ReadableArea {
    private enum Source: Sendable {
        case directory(AssetTree)
        case memory([String: [UInt8]])
    }

    private let source: Source

    /// The files below `directory`; none if its place is not known.
    init(_ directory: Path?, fileSystem: any FileSystem) {
        if let directory {
            source = .directory(AssetTree(directory: directory, fileSystem: fileSystem))
        } else {
            source = .memory([:])
        }
    }

    /// The files given, by their keys.
    init(_ files: [String: [UInt8]]) throws(StrongroomError) {
        var byKey: [String: [UInt8]] = [:]
        for (key, bytes) in files {
            guard let text = KeyText(key) else { throw .invalidKey(key: key) }
            byKey[text.text] = bytes
        }
        source = .memory(byKey)
    }

    /// The file of a key, or nil if there is none.
    public func entry(_ key: String) throws(StrongroomError) -> Entry? {
        guard let bytes = try bytes(key) else { return nil }
        do throws(StoreError) {
            let version = try ContentHash.version(of: bytes)
            return Entry(copying: bytes.span, version: version.number)
        } catch { throw StrongroomError(error) }
    }

    /// Whether there is a file of a key.
    public func contains(_ key: String) throws(StrongroomError) -> Bool {
        let text = try Self.text(key)
        switch source {
        case .memory(let files): return files[text.text] != nil
        case .directory(let tree): return try tree.open(text) != nil
        }
    }

    /// The keys below a folder, or every key if that is nil.
    public func keys(under folder: String?) throws(StrongroomError) -> [String] {
        let filter = try KeyFolder(folder)
        let all: [String]
        switch source {
        case .memory(let files): all = Array(files.keys)
        case .directory(let tree): all = try tree.keys()
        }
        var held: [String] = []
        for key in all where filter.holds(Array(key.utf8)) { held.append(key) }
        return held.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Hands out a file in pieces of at most 64 KiB, however large it is.
    public func readPieces(
        _ key: String, while body: (Span<UInt8>) -> Bool
    ) throws(StrongroomError) -> Bool {
        let text = try Self.text(key)
        switch source {
        case .memory(let files):
            guard let bytes = files[text.text] else { return false }
            return ByteSource.hand(bytes.span, to: body)
        case .directory(let tree):
            guard let file = try tree.open(text) else { return false }
            do throws(SystemError) {
                var offset: Int64 = 0
                while true {
                    let piece = try file.read(at: offset, count: 65_536)
                    guard !piece.isEmpty, body(piece.span) else { return true }
                    offset += Int64(piece.count)
                }
            } catch { throw StrongroomError(error) }
        }
    }

    private func bytes(_ key: String) throws(StrongroomError) -> [UInt8]? {
        let text = try Self.text(key)
        switch source {
        case .memory(let files): return files[text.text]
        case .directory(let tree):
            guard let file = try tree.open(text) else { return nil }
            do throws(SystemError) { return try file.readAll(limit: 1 << 40) } catch {
                throw StrongroomError(error)
            }
        }
    }

    private static func text(_ key: String) throws(StrongroomError) -> KeyText {
        guard let text = KeyText(key) else { throw .invalidKey(key: key) }
        return text
    }
}

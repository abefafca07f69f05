import StrongroomStores
import StrongroomSystem

/// The plain files below a directory, by their paths.
///
/// No link below the directory is followed.
struct AssetTree: Sendable {
    /// The directory, which itself may be reached through links.
    let directory: Path
    /// Where it is.
    let fileSystem: any FileSystem

    /// The file of a key, open; nil if there is none, or it is no plain file.
    func open(_ key: KeyText) throws(StrongroomError) -> OpenFile? {
        var parts: [Path] = []
        for part in key.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        {
            let name = Path(bytes: Array(part))
            if part.isEmpty || name == "." || name == ".." { return nil }
            parts.append(name)
        }
        do throws(SystemError) {
            guard let name = parts.popLast(), var place = try root() else { return nil }
            for part in parts {
                guard let next = try Self.open(part, in: place, [.read, .directory]) else {
                    return nil
                }
                place = next
            }
            guard let file = try Self.open(name, in: place, [.read, .nonBlocking]),
                try file.status().kind == .regular
            else { return nil }
            return file
        } catch { throw StrongroomError(error) }
    }

    /// The key of every plain file, in normal form C, in no order.
    func keys() throws(StrongroomError) -> [String] {
        var keys: Set<String> = []
        do throws(SystemError) {
            guard let root = try root() else { return [] }
            var pending = [(place: root, prefix: "")]
            while let (place, prefix) = pending.popLast() {
                for item in try place.list() {
                    guard let name = item.name.text else { continue }
                    var kind = item.kind
                    if kind == nil { kind = try place.status(of: item.name)?.kind }
                    switch kind {
                    case .directory:
                        if let next = try Self.open(item.name, in: place, [.read, .directory]) {
                            pending.append((next, prefix + name + "/"))
                        }
                    case .regular:
                        if let key = KeyText(prefix + name) { keys.insert(key.text) }
                    default: continue
                    }
                }
            }
        } catch { throw StrongroomError(error) }
        return Array(keys)
    }

    private func root() throws(SystemError) -> OpenFile? {
        do throws(SystemError) {
            return try OpenFile.open(
                directory, [.read, .directory, .followLink], fileSystem: fileSystem)
        } catch {
            if error.code == ErrorCode.noEntry { return nil }
            throw error
        }
    }

    /// Opens what `name` is in `place`, or what has the same normal form; nil if there is no such
    /// thing.
    private static func open(
        _ name: Path, in place: OpenFile, _ options: OpenOptions
    ) throws(SystemError) -> OpenFile? {
        if let found = try openExactly(name, in: place, options) { return found }
        // A name of ASCII alone is in normal form, whoever wrote it.
        guard name.bytes.contains(where: { $0 >= 0x80 }) else { return nil }
        for item in try place.list() where item.name != name {
            guard let text = item.name.text, KeyText(text)?.bytes == name.bytes else { continue }
            return try openExactly(item.name, in: place, options)
        }
        return nil
    }

    private static func openExactly(
        _ name: Path, in place: OpenFile, _ options: OpenOptions
    ) throws(SystemError) -> OpenFile? {
        do throws(SystemError) {
            return try place.openFile(name, options)
        } catch {
            switch error.code {
            case ErrorCode.noEntry, ErrorCode.notDirectory, ErrorCode.link, ErrorCode.nameTooLong,
                ErrorCode.noDevice:
                return nil
            default: throw error
            }
        }
    }
}

import Glibc

/// Files that the tests read, also those of `/proc`, whose sizes the kernel does not tell.
enum TextFile {
    struct Unreadable: Error {
        let path: String
    }

    static func contents(_ path: String) throws -> String {
        guard let stream = unsafe fopen(path, "re") else { throw Unreadable(path: path) }
        defer { unsafe fclose(stream) }
        var contents: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe fread(&piece, 1, piece.count, stream)
            guard count > 0 else { break }
            contents += piece[..<count]
        }
        return String(decoding: contents, as: UTF8.self)
    }
}

/// Bytes in memory, handed out as an area hands out those of a file.
enum ByteSource {
    /// Hands `bytes` to `body` in pieces of at most 64 KiB until it says false.
    ///
    /// - Returns: True, there being an entry.
    static func hand(_ bytes: Span<UInt8>, to body: (Span<UInt8>) -> Bool) -> Bool {
        var start = 0
        while start < bytes.count {
            let end = min(start + 65_536, bytes.count)
            guard body(bytes.extracting(start..<end)) else { break }
            start = end
        }
        return true
    }
}

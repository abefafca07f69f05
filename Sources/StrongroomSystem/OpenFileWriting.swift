// Writing: loops over short writes.
extension OpenFile {
    /// Writes all of `bytes` at `offset`.
    ///
    /// A throw leaves some of them written, perhaps.
    package func write(_ bytes: Span<UInt8>, at offset: Int64) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(written..<bytes.count)
            let count: Int
            do {
                count = try fileSystem.write(descriptor, rest, at: offset + Int64(written))
            } catch {
                if error.code == ErrorCode.interrupted { continue }
                throw error.on(path)
            }
            guard count > 0 else { throw nothingWritten }
            written += count
        }
    }

    /// Writes all of `bytes` to a stream: a pipe, a terminal.
    package func writeStream(_ bytes: Span<UInt8>) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(written..<bytes.count)
            let count: Int
            do {
                count = try fileSystem.writeStream(descriptor, rest)
            } catch {
                if error.code == ErrorCode.interrupted { continue }
                throw error.on(path)
            }
            guard count > 0 else { throw nothingWritten }
            written += count
        }
    }

    // A disk that takes no byte and names no error would be tried for ever.
    private var nothingWritten: SystemError {
        SystemError(operation: "write", path: path.description, code: ErrorCode.io)
    }
}

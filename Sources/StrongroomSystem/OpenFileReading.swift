// Reading: loops over short reads.
extension OpenFile {
    /// Fills `buffer` from `offset` on as far as the file goes, and returns how many bytes that were.
    package func read(
        into buffer: inout MutableSpan<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count: Int
            do {
                var rest = buffer._mutatingExtracting(filled..<buffer.count)
                count = try fileSystem.read(
                    descriptor, into: &rest, at: offset + Int64(filled))
            } catch {
                if error.code == ErrorCode.interrupted { continue }
                throw error.on(path)
            }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// The `count` bytes at `offset`; fewer only where the file ends.
    package func read(at offset: Int64, count: Int) throws(SystemError) -> [UInt8] {
        // A count that came out of a damaged file must not take memory that the file has not.
        var room = count
        if count > 1 << 20 {
            room = min(count, max(1 << 20, Int(try status().byteCount - offset)))
        }
        var failure: SystemError?
        // Not zeroed first: that would take a tenth of the time of reading it.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
            do throws(SystemError) {
                var span = unsafe MutableSpan(_unsafeElements: buffer)
                filled = try read(into: &span, at: offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// The whole file, which may have at most `limit` bytes; a larger one is `ErrorCode.fileTooLarge`.
    package func readAll(limit: Int) throws(SystemError) -> [UInt8] {
        let byteCount = try status().byteCount
        guard byteCount <= Int64(limit) else { throw tooLarge }
        // One byte more than there should be: a file that grew meanwhile is read on.
        var bytes = try read(at: 0, count: Int(byteCount) + 1)
        if bytes.count > byteCount {
            let rest = limit - min(bytes.count, limit)
            bytes += try read(at: Int64(bytes.count), count: rest + 1)
        }
        guard bytes.count <= limit else { throw tooLarge }
        return bytes
    }

    /// Some bytes of a stream (a pipe, a terminal) into the front of `buffer`: how many; 0 at its end.
    package func readStream(into buffer: inout MutableSpan<UInt8>) throws(SystemError) -> Int {
        while true {
            do {
                return try fileSystem.readStream(descriptor, into: &buffer)
            } catch {
                if error.code == ErrorCode.interrupted { continue }
                throw error.on(path)
            }
        }
    }

    /// Fills `buffer` from a stream as far as that goes, and returns how many bytes that were.
    package func readStreamFully(into buffer: inout MutableSpan<UInt8>) throws(SystemError) -> Int {
        var filled = 0
        while filled < buffer.count {
            var rest = buffer._mutatingExtracting(filled..<buffer.count)
            let count = try readStream(into: &rest)
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    private var tooLarge: SystemError {
        SystemError(operation: "read", path: path.description, code: ErrorCode.fileTooLarge)
    }
}

import SimulatedDisk
package import StrongroomSystem

/// A simulated disk that takes no byte behind the first 32 KiB of a file, as every disk has its limit.
package struct LimitedDisk: FileSystemWrapper {
    static let byteCountLimit: Int64 = 32 << 10

    let disk = SimulatedDisk()
    package var inner: any FileSystem { disk }

    package func write(
        _ file: Descriptor, _ bytes: Span<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        try check(offset, bytes.count)
        return try disk.write(file, bytes, at: offset)
    }

    package func read(
        _ file: Descriptor, into buffer: inout MutableSpan<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        // What no file can be long enough for: EINVAL of pread(2).
        expect(offset >= 0, "a read before the beginning")
        return offset < Self.byteCountLimit ? try disk.read(file, into: &buffer, at: offset) : 0
    }

    package func truncate(_ file: Descriptor, to byteCount: Int64) throws(SystemError) {
        try check(byteCount, 0)
        try disk.truncate(file, to: byteCount)
    }

    private func check(_ offset: Int64, _ count: Int) throws(SystemError) {
        expect(offset >= 0, "a write before the beginning")
        guard offset <= Self.byteCountLimit - Int64(count) else {
            throw SystemError(operation: "write", path: "", code: ErrorCode.fileTooLarge)
        }
    }

    /// Puts a file there, past everybody.
    func put(_ bytes: [UInt8], at path: Path) throws {
        let file = try OpenFile.open(path, [.write, .create], fileSystem: self)
        try file.write(bytes.span, at: 0)
        try file.sync()
    }

    /// All of a file.
    func get(_ path: Path) throws -> [UInt8] {
        try OpenFile.open(path, [.read], fileSystem: self).readAll(limit: 1 << 30)
    }
}

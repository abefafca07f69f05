import Glibc

/// The memory of this process, as the kernel shows it.
enum ProcessMemory {
    /// A line of `/proc/self/smaps` with the flags below it (`proc_pid_smaps(5)`).
    struct Mapping {
        let addresses: Range<UInt>
        let permissions: Substring
        var flags: [Substring] = []

        init?(heading line: Substring) {
            let words = line.split(separator: " ")
            guard let first = words.first, words.count > 1 else { return nil }
            let ends = first.split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard ends.count == 2 else { return nil }
            addresses = ends[0]..<ends[1]
            permissions = words[1]
        }
    }

    struct Unreadable: Error {}

    static func mappings() throws -> [Mapping] {
        var mappings: [Mapping] = []
        for line in try TextFile.contents("/proc/self/smaps").split(separator: "\n") {
            if let mapping = Mapping(heading: line) {
                mappings.append(mapping)
            } else if line.hasPrefix("VmFlags:"), let last = mappings.indices.last {
                mappings[last].flags = line.split(separator: " ").dropFirst().map { $0 }
            }
        }
        return mappings
    }

    /// How many times the bytes at `needle` are anywhere in writable memory but there.
    static func copies(of needle: UnsafeRawBufferPointer) throws -> Int {
        let descriptor = unsafe open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Unreadable() }
        defer { close(descriptor) }
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer {
            unsafe piece.initializeMemory(as: UInt8.self, repeating: 0)
            unsafe piece.deallocate()
        }
        // What is read here must not be counted again.
        let ours = unsafe [needle, UnsafeRawBufferPointer(piece)].map { buffer in
            let start = UInt(bitPattern: buffer.baseAddress)
            return start..<start + UInt(buffer.count)
        }
        var count = 0
        for mapping in try mappings() where mapping.permissions.hasPrefix("rw") {
            var position = mapping.addresses.lowerBound
            while position < mapping.addresses.upperBound {
                let want = min(piece.count, Int(mapping.addresses.upperBound - position))
                let got = unsafe pread(descriptor, piece.baseAddress, want, Int(position))
                guard got >= needle.count else { break }
                for offset in unsafe offsets(of: needle, in: UnsafeRawBufferPointer(piece), got) {
                    let address = position + UInt(offset)
                    if !ours.contains(where: { $0.contains(address) }) { count += 1 }
                }
                // Pieces overlap by a byte less than the needle: none is missed or found twice.
                position += UInt(got - needle.count + 1)
                if position + UInt(needle.count) > mapping.addresses.upperBound { break }
            }
        }
        return count
    }

    private static func offsets(
        of needle: UnsafeRawBufferPointer, in haystack: UnsafeRawBufferPointer, _ count: Int
    ) -> [Int] {
        guard let start = haystack.baseAddress, let wanted = needle.baseAddress else { return [] }
        var offsets: [Int] = []
        var from = 0
        let first = unsafe Int32(needle[0])
        while let hit = unsafe memchr(start + from, first, count - from) {
            let offset = unsafe UnsafeRawPointer(hit) - start
            guard offset + needle.count <= count else { break }
            if unsafe memcmp(hit, wanted, needle.count) == 0 { offsets.append(offset) }
            from = offset + 1
        }
        return offsets
    }
}

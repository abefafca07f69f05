import Glibc

/// What lies in this process's memory (`/proc/self/maps`, `/proc/self/mem`; proc(5)).
enum ProcessMemory {
    struct Unreadable: Error {}

    /// How often the bytes whose complements are given lie in memory that can be read.
    ///
    /// The bytes themselves stand nowhere, so what is searched for is not found in the question.
    static func count(ofComplement needle: [UInt8]) throws -> Int {
        let memory = unsafe open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        guard memory >= 0 else { throw Unreadable() }
        defer { close(memory) }
        var count = 0
        // One buffer, unmapped from the search by its own address.
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let own = unsafe buffer.withUnsafeMutableBytes { UInt(bitPattern: $0.baseAddress) }
        for (start, end) in try regions() {
            var address = start
            while address < end {
                let wanted = min(buffer.count, Int(end - address))
                let read = unsafe pread(memory, &buffer, wanted, off_t(address))
                guard read > 0 else { break }
                for place in occurrences(of: needle, in: buffer, count: read)
                where !(own..<own + UInt(buffer.count)).contains(address + UInt(place)) {
                    count += 1
                }
                // Pages overlap by a needle, so that none is missed between two reads.
                guard read == wanted, address + UInt(read) < end else { break }
                address += UInt(read - needle.count + 1)
            }
        }
        unsafe explicit_bzero(&buffer, buffer.count)
        return count
    }

    private static func occurrences(
        of complement: [UInt8], in buffer: [UInt8], count: Int
    ) -> [Int] {
        var places: [Int] = []
        unsafe buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            var from = 0
            // memchr(3) finds the first byte fast; the rest is compared by complement.
            while from < count,
                let found = unsafe memchr(base + from, Int32(~complement[0]), count - from)
            {
                let place = unsafe base.distance(to: UnsafeRawPointer(found))
                guard place + complement.count <= count else { break }
                var isEqual = true
                for index in complement.indices
                where unsafe bytes[place + index] != ~complement[index] {
                    isEqual = false
                    break
                }
                if isEqual { places.append(place) }
                from = place + 1
            }
        }
        return places
    }

    private static func regions() throws -> [(UInt, UInt)] {
        guard let maps = unsafe fopen("/proc/self/maps", "re") else { throw Unreadable() }
        defer { unsafe fclose(maps) }
        var regions: [(UInt, UInt)] = []
        var line = [CChar](repeating: 0, count: 4096)
        while unsafe fgets(&line, Int32(line.count), maps) != nil {
            let bytes = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
            let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            // Only what this process can have written.
            guard ends.count == 2, fields[1].hasPrefix("rw") else { continue }
            regions.append((ends[0], ends[1]))
        }
        return regions
    }
}

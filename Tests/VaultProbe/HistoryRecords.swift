import Glibc
import StrongroomSystem

/// What one thread did, appended to a file of its own, so that it is whole up to the end of a killed process.
///
/// The file has a record of 40 bytes for each thing that was done to a key. A change has one for each of its keys
/// before it is made and one when it is done, both in the file before the thread goes on; what was read may be lost
/// with the process. Numbers are little-endian, times of the monotonic clock.
///
/// | offset | size | what |
/// |---|---|---|
/// | 0 | 1 | what (``Kind``) |
/// | 1 | 1 | key |
/// | 2 | 6 | zeros |
/// | 8 | 8 | number of the change, or of the change whose value was read, 0 for absent |
/// | 16 | 8 | when it began |
/// | 24 | 8 | when it ended |
/// | 32 | 8 | update: number of the change whose value it replaces, 0 for absent |
struct HistoryRecords {
    /// What a record tells.
    enum Kind: UInt8 {
        case read = 1
        /// One key of a listing; those of one listing follow each other and have the same times.
        case listed = 2
        /// Something is there (number 1), or nothing (0).
        case contained = 3
        /// A change that puts, replaces a value that was read, or removes, is about to be made.
        case put = 4
        case update = 5
        case remove = 6
        /// A change stands; it did not happen; nobody knows.
        case done = 7
        case failed = 8
        case unknown = 9
        /// A value that nobody put.
        case torn = 10
        /// A rotation, a rewrap or a compaction (number 1, 2, 3) that went through.
        case turned = 11
    }

    private let file: Int32
    private var bytes: [UInt8] = []

    init(_ path: Path) throws {
        file = unsafe open(path.description, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw HistoryFailure(what: "no file of records") }
    }

    mutating func add(
        _ kind: Kind, _ key: Int, _ number: UInt64, _ start: Int64, _ end: Int64,
        old: UInt64 = 0
    ) throws {
        bytes += [kind.rawValue, UInt8(key), 0, 0, 0, 0, 0, 0]
        for word in [number, UInt64(start), UInt64(end), old] {
            for index in 0..<8 {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * index)))
            }
        }
        if bytes.count > 65_536 { try flush() }
    }

    /// Writes what is not in the file yet.
    mutating func flush() throws {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe write(file, bytes.baseAddress?.advanced(by: done), bytes.count - done)
            }
            guard count > 0 else { throw HistoryFailure(what: "a record cannot be written") }
            done += count
        }
        bytes.removeAll(keepingCapacity: true)
    }
}

/// What goes wrong with a thread.
struct HistoryFailure: Error {
    let what: String
}

import CBenchFloor
import StrongroomSystem

/// The floor of C in a directory of its own (`BenchFloor.h`).
final class Floor {
    private let number: Int32
    private let directory: OpenFile

    /// A floor of `count` values of `byteCount` bytes.
    init(in directory: OpenFile, count: Int, byteCount: Int) throws {
        self.directory = directory
        number = bench_floor_make(
            directory.descriptor.number, Int64(count), Int64(byteCount))
        guard number >= 0 else { throw BenchFailure("the floor's files cannot be made") }
    }

    deinit { bench_floor_drop(number) }

    /// Nanoseconds of one get, of `repeats`.
    func get(_ repeats: Int) throws -> Double {
        try Self.time(bench_floor_get(number, Int64(repeats)), repeats)
    }

    /// Nanoseconds of one durable set, of `repeats`.
    func set(_ repeats: Int) throws -> Double {
        try Self.time(bench_floor_set(number, Int64(repeats)), repeats)
    }

    /// Nanoseconds to open, get and close.
    func open() throws -> Double { try Self.time(bench_floor_open(number)) }

    /// Nanoseconds to seal all into a new file.
    func batch() throws -> Double { try Self.time(bench_floor_batch(number)) }

    /// Nanoseconds to seal all anew.
    func reseal() throws -> Double { try Self.time(bench_floor_reseal(number)) }

    /// Nanoseconds to replace a small file durably.
    func replace(byteCount: Int) throws -> Double {
        try Self.time(bench_floor_replace(number, Int64(byteCount)))
    }

    /// Nanoseconds to open as many boxes.
    static func boxes(count: Int, byteCount: Int) throws -> Double {
        try time(bench_floor_boxes(Int64(count), Int64(byteCount)))
    }

    private static func time(_ nanoseconds: Int64, _ repeats: Int = 1) throws -> Double {
        guard nanoseconds >= 0 else { throw BenchFailure("a call of the floor failed") }
        return Double(nanoseconds) / Double(repeats)
    }
}

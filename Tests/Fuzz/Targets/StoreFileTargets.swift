@testable import StrongroomStores

/// The small files of a store of files.
///
/// The first byte of an input, if it is odd, sets the sum right.
enum StoreFileTargets {
    /// The file that names a vault's generation.
    static func generation(_ input: [UInt8]) throws {
        let bytes = try summed(input)
        let decoded = try allowing(isExpected) { try GenerationFile(decoding: bytes, path: "p") }
        guard let file = decoded else { return }
        expect(try file.encoded() == bytes, "a file of generations is not canonical")
        expect(file.generation > 0, "a generation before the first is read")
        let name = StoreName.generation(file.generation)
        expect(StoreName.generation(of: name) == file.generation, "a generation's name")
    }

    /// The record of a commit of several changes.
    static func record(_ input: [UInt8]) throws {
        let bytes = try summed(input)
        let decoded = try allowing(isExpected) { try CommitRecord(decoding: bytes, path: "p") }
        guard let record = decoded else { return }
        expect(try record.encoded() == bytes, "a record is not canonical")
        expect(
            Set(record.changes.map(\.id)).count == record.changes.count,
            "an id stands twice in a record")
    }

    private static func isExpected(_ error: StoreError) -> Bool {
        switch error {
        case .storeDamaged(path: "p", _), .newerFormat(path: "p"): true
        default: false
        }
    }

    /// What comes after the first byte, with the sum of it behind it if that is odd.
    static func summed(_ input: [UInt8]) throws -> [UInt8] {
        var bytes = Array(input.dropFirst())
        if let flags = input.first, flags & 1 == 1 {
            bytes.appendLittleEndian(try ContentHash.sum(bytes.span))
        }
        return bytes
    }
}

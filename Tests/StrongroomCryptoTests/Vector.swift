import Testing

/// One case of a vector file, with its own verdict.
///
/// A file is lines of `field: value`, a case begins with its `name`, `#` begins a comment.
struct Vector: Sendable, CustomTestStringConvertible {
    struct Malformed: Error {
        let reason: String
    }

    let name: String
    private var fields: [String: String] = [:]

    /// The name alone: cases are not to fill the log with bytes.
    var testDescription: String { name }

    /// Whether the answer of the case is right; throws if it has no verdict.
    var isValid: Bool {
        get throws {
            switch try text("verdict") {
            case "valid": true
            case "invalid": false
            default: throw Malformed(reason: "\(name): a verdict of its own")
            }
        }
    }

    func text(_ field: String) throws -> String {
        guard let value = fields[field] else {
            throw Malformed(reason: "\(name) has no \(field)")
        }
        return value
    }

    func number<Number: FixedWidthInteger>(_ field: String) throws -> Number {
        guard let number = Number(try text(field)) else {
            throw Malformed(reason: "\(name): \(field) is no number")
        }
        return number
    }

    func bytes(_ field: String) throws -> [UInt8] {
        let digits = Array(try text(field).utf8)
        guard digits.count.isMultiple(of: 2) else {
            throw Malformed(reason: "\(name): half a byte in \(field)")
        }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
            guard let byte = UInt8(pair, radix: 16) else {
                throw Malformed(reason: "\(name): \(field) is not hexadecimal")
            }
            bytes.append(byte)
        }
        return bytes
    }

    /// The bytes 00, 01, 02 …, as many as the field says.
    func counting(_ field: String) throws -> [UInt8] {
        let count: Int = try number(field)
        return (0..<count).map { UInt8($0) }
    }

    /// The cases of `Vectors/<file>.txt`, those with the verdict asked for.
    static func load(_ file: String, valid: Bool? = nil) throws -> [Vector] {
        var vectors: [Vector] = []
        for line in try contents(of: file).split(separator: "\n") where !line.hasPrefix("#") {
            guard let colon = line.firstIndex(of: ":") else {
                throw Malformed(reason: "a line without a colon")
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            if line[..<colon] == "name" {
                vectors.append(Vector(name: String(value)))
            } else {
                guard let last = vectors.indices.last else {
                    throw Malformed(reason: "a field before the first name")
                }
                vectors[last].fields[String(line[..<colon])] = String(value)
            }
        }
        guard let valid else { return vectors }
        var chosen: [Vector] = []
        for vector in vectors where try vector.isValid == valid { chosen.append(vector) }
        return chosen
    }

    private init(name: String) {
        self.name = name
    }

    private static func contents(of file: String) throws -> String {
        let directory = #filePath.split(separator: "/").dropLast().joined(separator: "/")
        return try TextFile.contents("/\(directory)/Vectors/\(file).txt")
    }
}

struct VectorFileTests {
    @Test(
        "a vector file has the cases that its sources have",
        arguments: [
            ("secretbox", 1, 25), ("blake2b-kat", 256, 0), ("blake2b-lengths", 98, 30),
            ("kdf", 59, 32), ("siphash", 64, 71), ("argon2id", 10, 48),
        ])
    func count(file: String, valid: Int, invalid: Int) throws {
        #expect(try Vector.load(file, valid: true).count == valid)
        #expect(try Vector.load(file, valid: false).count == invalid)
        #expect(try Vector.load(file).count == valid + invalid)
    }
}

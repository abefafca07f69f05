import Foundation
import Strongroom

struct Session: Codable, Sendable, Equatable { var user = "ann" }
struct Levels: Codable, Sendable, Equatable { var levels: [Double] }

extension TypedKey<Session> { static var session: Self { Self("session") } }
extension TypedKey<Secret> { static var token: Self { Self("github/token") } }
extension TypedKey<Int> { static var launches: Self { Self("launches", default: 0) } }

/// Numbers as strokes.
struct Tally: ValueCoding {
    struct Failure: Error { let value: String }

    func encode(_ value: Int) throws -> [UInt8] {
        guard value >= 0 else { throw Failure(value: "\(value)") }
        return [UInt8](repeating: UInt8(ascii: "|"), count: value)
    }

    func decode(_ bytes: Span<UInt8>) throws -> Int {
        for index in bytes.indices where bytes[index] != UInt8(ascii: "|") {
            throw Failure(value: "\(bytes[index])")
        }
        return bytes.count
    }
}

/// What a test's own body throws.
struct Boom: Error, Equatable {}

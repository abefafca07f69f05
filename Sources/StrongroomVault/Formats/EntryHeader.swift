import StrongroomCrypto
import StrongroomStores
import StrongroomSystem

/// What box 0 of a sealed entry says of it. Little-endian:
///
/// | offset | size | what |
/// |---|---|---|
/// | 0 | 2 | byte count of the key's text k |
/// | 2 | 2 | byte count of the attributes a, at most 4,096 |
/// | 4 | 8 | created, nanoseconds since 1970, signed |
/// | 12 | 8 | modified, the same |
/// | 20 | 8 | byte count of the value |
/// | 28 | k | the key's text, normal form C, UTF-8 |
/// | 28 + k | a | attributes, sorted by the bytes of their names: for each byte count of the name (2), name, byte count of the value (2), value |
/// | 28 + k + a | … | zeros to a multiple of 64 |
package struct EntryHeader: Sendable, Equatable {
    /// The most bytes that an entry's attributes take, each with 4 bytes of its own.
    package static let attributeByteCountLimit = 4096
    static let unit = 64
    static let fixedByteCount = 28

    /// The entry's name, in normal form C.
    package let key: String
    /// Bytes of the value.
    package let byteCount: UInt64
    /// Nanoseconds since 1970.
    package let created: Int64
    /// Nanoseconds since 1970.
    package let modified: Int64
    /// What else is known of the entry; a name is text as a key is.
    package let attributes: [String: String]

    /// The header's bytes.
    ///
    /// `key` is for errors: `.valueTooLarge` for attributes over 4 KiB, `.notPossible` for one
    /// without a proper name.
    func encoded(key name: String) throws(VaultError) -> SecretBuffer {
        var attributes: [(name: String, value: String)] = []
        var attributeByteCount = 0
        for (name, value) in self.attributes {
            guard let text = KeyText(name) else {
                throw .notPossible(
                    what: "the name of an attribute has 1 to 1,024 bytes of text without NUL")
            }
            attributes.append((text.text, value))
            attributeByteCount += 4 + text.text.utf8.count + value.utf8.count
        }
        guard attributeByteCount <= Self.attributeByteCountLimit else {
            throw .valueTooLarge(key: name, limit: Int64(Self.attributeByteCountLimit))
        }
        attributes.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        let keyByteCount = self.key.utf8.count
        let byteCount = Self.byteCount(key: keyByteCount, attributes: attributeByteCount)
        var writer = SecretWriter(capacity: byteCount)
        writer.append(integer: UInt16(keyByteCount))
        writer.append(integer: UInt16(attributeByteCount))
        writer.append(integer: created)
        writer.append(integer: modified)
        writer.append(integer: self.byteCount)
        writer.append(self.key)
        for attribute in attributes {
            writer.append(integer: UInt16(attribute.name.utf8.count))
            writer.append(attribute.name)
            writer.append(integer: UInt16(attribute.value.utf8.count))
            writer.append(attribute.value)
        }
        writer.padWithZeros(to: byteCount)
        return writer.finish()
    }

    /// Nil if the bytes are anything that `encoded` does not write.
    init?(decoding bytes: Span<UInt8>) {
        var reader = ByteReader(bytes)
        guard let keyByteCount = reader.integer(UInt16.self),
            let attributeByteCount = reader.integer(UInt16.self),
            attributeByteCount <= Self.attributeByteCountLimit,
            let created = reader.integer(Int64.self), let modified = reader.integer(Int64.self),
            let byteCount = reader.integer(UInt64.self),
            let key = reader.text(Int(keyByteCount)), Self.isNormal(key),
            let attributeBytes = reader.take(Int(attributeByteCount)),
            let attributes = Self.attributes(attributeBytes),
            bytes.count
                == Self.byteCount(key: Int(keyByteCount), attributes: Int(attributeByteCount)),
            let padding = reader.take(reader.remaining), padding.isZero
        else { return nil }
        self.init(
            key: key, byteCount: byteCount, created: created, modified: modified,
            attributes: attributes)
    }

    /// A header of its parts; `key` is in normal form C.
    init(
        key: String, byteCount: UInt64, created: Int64, modified: Int64,
        attributes: [String: String]
    ) {
        self.key = key
        self.byteCount = byteCount
        self.created = created
        self.modified = modified
        self.attributes = attributes
    }

    private static func byteCount(key: Int, attributes: Int) -> Int {
        (fixedByteCount + key + attributes + unit - 1) / unit * unit
    }

    private static func isNormal(_ text: String) -> Bool {
        guard let normal = KeyText(text) else { return false }
        return Bytes.areEqual(normal.text.utf8.span, text.utf8.span)
    }

    private static func attributes(_ bytes: Span<UInt8>) -> [String: String]? {
        var reader = ByteReader(bytes)
        var attributes: [String: String] = [:]
        var last: [UInt8] = []
        while reader.remaining > 0 {
            guard let nameByteCount = reader.integer(UInt16.self),
                let name = reader.text(Int(nameByteCount)), isNormal(name),
                let valueByteCount = reader.integer(UInt16.self),
                let value = reader.text(Int(valueByteCount)),
                last.lexicographicallyPrecedes(Array(name.utf8))
            else { return nil }
            last = Array(name.utf8)
            attributes[name] = value
        }
        return attributes
    }
}

extension EntryHeader: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Names the length alone: an attribute may be a secret too.
    package var description: String { "EntryHeader(of \(byteCount) bytes, redacted)" }
    /// The same as `description`.
    package var debugDescription: String { description }
    /// A mirror without children.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Span<UInt8> {
    /// True if every byte is zero.
    var isZero: Bool {
        Bytes.areZero(self)
    }
}

import StrongroomCrypto
import StrongroomStores

/// One slot of an anchor's file, which has four of them, each at the front of a sector of 512 bytes.
///
/// | offset in the file | what |
/// |---|---|
/// | 0, 512 | the keyring's generation, in turn: even ones at 0, odd ones at 512 |
/// | 1,024, 1,536 | the newest commit, in turn: even numbers at 1,024, odd ones at 1,536 |
///
/// | offset in a slot | size | what |
/// |---|---|---|
/// | 0 | 4 | `SRA1` |
/// | 4 | 1 | 1: keyring; 2: commit |
/// | 5 | 3 | zeros |
/// | 8 | 8 | generation of the keyring, or of the log |
/// | 16 | 8 | number of the commit; 0 of a keyring |
/// | 24 | 16 | chain tag of the commit; zeros of a keyring |
/// | 40 | 16 | zeros |
/// | 56 | 8 | SipHash of bytes 0 to 55 under the vault's id |
///
/// Integers are little-endian. Keyrings and commits have slots of their own because they are noted under different
/// locks; and so nothing has to be read before it is written. A slot that is not whole counts as none.
struct AnchorSlot: Equatable, Sendable {
    /// What a slot holds.
    enum Contents: Equatable, Sendable {
        case keyring(generation: UInt64)
        case commit(LogPoint)
    }

    /// Bytes of a slot.
    static let byteCount = 64
    /// Bytes of the file.
    static let fileByteCount = 2048
    /// Where the slots are: of keyrings, then of commits.
    static let offsets = [0, 512, 1024, 1536]

    let contents: Contents

    /// Where it stands.
    var offset: Int64 {
        switch contents {
        case .keyring(let generation): Int64(512 * (generation % 2))
        case .commit(let point): Int64(1024 + 512 * (point.sequence % 2))
        }
    }

    /// The slot's bytes.
    func encoded(vaultID: [UInt8]) throws(VaultError) -> [UInt8] {
        var bytes = Array("SRA1".utf8)
        switch contents {
        case .keyring(let generation):
            bytes += [1, 0, 0, 0] + Self.bytes(of: generation)
            bytes += [UInt8](repeating: 0, count: 40)
        case .commit(let point):
            bytes += [2, 0, 0, 0] + Self.bytes(of: point.generation)
            bytes += Self.bytes(of: point.sequence) + point.tag.bytes
            bytes += [UInt8](repeating: 0, count: 16)
        }
        return bytes + Self.bytes(of: try Self.sum(of: bytes.span, vaultID: vaultID))
    }

    /// Nil if the bytes are no whole slot of that vault.
    static func contents(
        of bytes: Span<UInt8>, vaultID: [UInt8]
    ) throws(VaultError) -> Contents? {
        guard bytes.count == byteCount else { return nil }
        let sum = try sum(of: bytes.extracting(0..<56), vaultID: vaultID)
        guard UInt64(littleEndian: bytes.extracting(56..<64)) == sum else { return nil }
        let generation = UInt64(littleEndian: bytes.extracting(8..<16))
        let contents: Contents
        switch bytes[4] {
        case 1: contents = .keyring(generation: generation)
        case 2:
            contents = .commit(
                LogPoint(
                    generation: generation,
                    sequence: UInt64(littleEndian: bytes.extracting(16..<24)),
                    tag: Bytes16(bytes, at: 24)))
        default: return nil
        }
        let canonical = try AnchorSlot(contents: contents).encoded(vaultID: vaultID)
        return canonical == Array(copying: bytes) ? contents : nil
    }

    /// What the bytes of a whole file say.
    static func mark(of file: [UInt8], vaultID: [UInt8]) throws(VaultError) -> AnchorMark {
        var mark = AnchorMark()
        let bytes = file.span
        for offset in offsets where offset + byteCount <= file.count {
            switch try contents(
                of: bytes.extracting(offset..<offset + byteCount), vaultID: vaultID)
            {
            case .keyring(let generation):
                mark.keyringGeneration = max(mark.keyringGeneration, generation)
            case .commit(let point): mark.raise(to: point)
            case nil: continue
            }
        }
        return mark
    }

    private static func sum(
        of bytes: Span<UInt8>, vaultID: [UInt8]
    ) throws(VaultError) -> UInt64 {
        do {
            return try SipHash.sum(bytes, key: vaultID.span)
        } catch {
            throw VaultError(error, path: "")
        }
    }

    private static func bytes(of number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }
}

import StrongroomCrypto

@testable import StrongroomVault

/// Master-key files, plain and sealed.
///
/// The first byte of an input says what is set right before the text is tried: 1: the checksum; 2: the id of a plain
/// key; 4: a sealed one is opened; 8: its tag is set right first.
enum MasterKeyTarget {
    static func run(_ input: [UInt8]) throws {
        guard let flags = input.first else { return }
        var text = Array(input.dropFirst())
        if flags & 2 != 0 { text = try withRightID(text) }
        if flags & 1 != 0 { text = try withRightSum(lines(of: text)) }
        guard let file = try parsed(text) else { return }
        var right = lines(of: text)
        right.removeLast()
        switch file.contents {
        case .plain(let key):
            expect(key.id == file.keyID, "a key has another id than its file says")
            let written = try MasterKeyFile.text(of: key, vaultID: file.vaultID).array
            expect(right == lines(of: written).dropLast(), "a plain key file is not canonical")
        case .sealed(let sealed):
            expect(
                right == lines(of: Array(copying: sealed.lines.bytes)),
                "a sealed key file is not canonical")
            expect(sealed.cost.isAllowed, "a cost that nobody should pay is read")
            let cheapest = PasswordHash.Cost(passes: 1, memoryByteCount: 8 << 20)
            if flags & 4 != 0, sealed.cost == cheapest { try open(sealed, flags & 8 != 0) }
        }
    }

    private static func parsed(_ text: [UInt8]) throws -> MasterKeyFile? {
        try allowing({ (error: VaultError) in
            switch error {
            case .masterKeyMalformed(path: "k", _), .newerFormat(path: "k"): true
            default: false
            }
        }) { try MasterKeyFile(parsing: text.span, path: "k") }
    }

    /// Opens a sealed key, whose costs are the least that there are.
    private static func open(_ sealed: SealedMasterKey, _ setsTag: Bool) throws {
        let passphrase = try SecretKey(copying: Frozen.passphrase.span)
        var sealed = sealed
        if setsTag {
            let derived = try PasswordHash.derive(
                passphrase.bytes, salt: sealed.salt.span, cost: sealed.cost, byteCount: 64)
            var lines = lines(of: Array(copying: sealed.lines.bytes))
            lines.removeLast()
            let covered = Array(lines.joined(separator: [0x0A])) + [0x0A]
            let tag = try KeyedHash.hash(
                covered.span, key: derived.bytes.extracting(32..<64), byteCount: 32)
            lines.append(Array("tag \(Hexadecimal.text(of: tag))".utf8))
            let text = try withRightSum(lines + [[]])
            guard let file = try parsed(text), case .sealed(let other) = file.contents else {
                Finding.stop("a sealed key with a right tag is none")
            }
            sealed = other
        }
        let opened = try allowing({ (error: VaultError) in
            switch error {
            case .wrongPassphrase: !setsTag
            case .masterKeyMalformed: setsTag
            default: false
            }
        }) { try sealed.open(passphrase: passphrase, path: "k") }
        expect(
            opened.map { $0.id == sealed.keyID } ?? true,
            "a sealed key has another id than its file says")
    }

    /// The lines that count, without what editors add: found by another way than the decoder's.
    private static func lines(of text: [UInt8]) -> [[UInt8]] {
        var text = text[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        var lines: [[UInt8]] = []
        for line in text.split(separator: 0x0A) {
            var line = line
            while let last = line.last, [0x20, 0x09, 0x0D].contains(last) { line.removeLast() }
            if let first = line.first, first != UInt8(ascii: "#") { lines.append(Array(line)) }
        }
        return lines
    }

    /// The text of all lines but the last, and the checksum of them.
    private static func withRightSum(_ lines: [[UInt8]]) throws -> [UInt8] {
        var text: [UInt8] = []
        for line in lines.dropLast() { text += line + [0x0A] }
        let sum = try KeyedHash.hash(
            text.span, key: Array("strongroom:sum:1".utf8).span, byteCount: 16)
        return text + Array("sum \(Hexadecimal.text(of: sum))\n".utf8)
    }

    /// The text with the id that its plain key has, if there is one.
    private static func withRightID(_ text: [UInt8]) throws -> [UInt8] {
        var lines = lines(of: text)
        for line in lines where line.starts(with: Array("key ".utf8)) {
            guard let bytes = Hexadecimal.decode(Array(line.dropFirst(4)).span) else { continue }
            // A key that is none has no id.
            let key = try allowing({ (_: any Error) in true }) {
                try MasterKey(key: try SecretKey(copying: bytes.span))
            }
            for index in lines.indices where lines[index].starts(with: Array("id ".utf8)) {
                if let key { lines[index] = Array("id \(Hexadecimal.text(of: key.id))".utf8) }
            }
        }
        return Array(lines.joined(separator: [0x0A]))
    }
}

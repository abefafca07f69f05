import StrongroomCrypto

@testable import StrongroomVault

/// Keyring files, and what is inside their box.
enum KeyringTargets {
    /// A file as it lies on the disk: no input is a keyring but the frozen ones.
    static func file(_ input: [UInt8]) throws {
        let parsed = try allowing(isExpected) { try KeyringFile(parsing: input.span, path: "k") }
        guard let file = parsed else { return }
        expect(file.bytes == input, "a keyring file is not canonical")
        expect(
            try Keyring.wrapIDs(of: input.span, path: "k") == file.wraps.map(\.masterKeyID),
            "two readings of a keyring's wraps differ")
        for key in [Frozen.master, Frozen.nextMaster] {
            let keyring = try allowing(isExpected) {
                try Keyring(opening: input.span, with: key, path: "k")
            }
            // The box of a wrap for another key is not looked at.
            expect(
                try keyring == nil || Frozen.keyrings.contains { try isSame($0, as: file) },
                "a keyring that nobody sealed opens")
        }
    }

    /// True if that frozen keyring has the same ids and body.
    private static func isSame(_ frozen: [UInt8], as file: KeyringFile) throws -> Bool {
        let other = try KeyringFile(parsing: frozen.span, path: "k")
        return other.id == file.id && other.body == file.body
            && other.wraps.map(\.masterKeyID) == file.wraps.map(\.masterKeyID)
    }

    private static func isExpected(_ error: VaultError) -> Bool {
        switch error {
        case .vaultDamaged(path: "k", _), .newerFormat(path: "k"), .wrongMasterKey(path: "k"): true
        default: false
        }
    }

    /// A body, first alone and then sealed as the file's, with the ids that the file has.
    static func body(_ input: [UInt8]) throws {
        var body = input
        if let read = try KeyringBody(decoding: body.span) {
            expect(read.isSound, "a body is read that would not be written")
            expect(read.encoded().copyToArray() == body, "a keyring's body is not canonical")
        }
        // In a file the ids are those in clear.
        let count = body.count > 28 ? Int(body[28]) : 0
        guard (1...2).contains(count), body.count >= 29 + 16 * count else { return }
        body.replaceSubrange(29..<45, with: Frozen.master.id)
        let keyringKey = [UInt8](repeating: 9, count: 32)
        var wraps: [KeyringFile.Wrap] = []
        for index in 0..<count {
            let key = index == 0 ? Frozen.master : Frozen.nextMaster
            wraps.append(
                KeyringFile.Wrap(
                    masterKeyID: Array(body[29 + 16 * index..<45 + 16 * index]),
                    box: try SecretBox.seal(keyringKey.span, key: key.wrapKey.bytes)))
        }
        let box = try SecretBox.seal(body.span, key: keyringKey.span)
        let file = KeyringFile(id: Array(body[..<28]), wraps: wraps, body: box).bytes
        let opened = try allowing(isExpected) {
            try Keyring(opening: file.span, with: Frozen.master, path: "k")
        }
        guard let keyring = opened else { return }
        let again = KeyringBody(keyringID: Array(body[..<28]), keyring: keyring)
        expect(again.encoded().copyToArray() == body, "a keyring opens as another one")
    }
}

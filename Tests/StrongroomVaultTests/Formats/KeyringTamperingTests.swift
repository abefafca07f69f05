import StrongroomCrypto
import StrongroomStores
import StrongroomVault
import Testing

/// Nothing that is done to a keyring's bytes gives another keyring.
struct KeyringTamperingTests {
    @Test("another master key is a wrong one, with one wrap and with two")
    func wrongKey() throws {
        let other = try MasterKey.random()
        for state in [Keyring.State.settled, .begun] {
            let file = try KeyringSample.keyring(state).sealed(
                for: KeyringSample.masterKeys(for: state))
            #expect(throws: VaultError.wrongMasterKey(path: "keyring")) {
                try KeyringSample.open(file, other)
            }
        }
        #expect(throws: VaultError.wrongMasterKey(path: "rotating")) {
            try Fixture.keyring("rotating", Fixture.masterKey("plain"))
        }
    }

    @Test("a right key whose id was altered in the file meets damage, not a wrong key")
    func alteredWrapID() throws {
        let keys = try KeyringSample.masterKeys(for: .begun)
        let file = try KeyringSample.keyring(.begun).sealed(for: keys)
        for (number, key) in keys.enumerated() {
            var altered = file
            altered[33 + 88 * number] ^= 1
            #expect(
                throws: VaultError.vaultDamaged(
                    path: "keyring", what: "the id of a master key in the keyring was altered")
            ) { try KeyringSample.open(altered, key) }
            // The other key's wrap is whole, but the ids inside do not fit.
            #expect(
                throws: VaultError.vaultDamaged(
                    path: "keyring", what: "the keyring's ids were altered")
            ) { try KeyringSample.open(altered, keys[1 - number]) }
        }
    }

    @Test("every flipped bit of a keyring is told, as damage or as a newer format")
    func flips() throws {
        let keys = try KeyringSample.masterKeys(for: .begun)
        let keyring = try KeyringSample.keyring(.begun, retired: 1)
        let file = try keyring.sealed(for: keys)
        for index in file.indices {
            for bit in 0..<8 {
                var flipped = file
                flipped[index] ^= 1 << bit
                // What only the other master key opens, that one's holder is told of.
                let owner = (137..<209).contains(index) ? keys[1] : keys[0]
                do {
                    _ = try KeyringSample.open(flipped, owner)
                    Issue.record("byte \(index), bit \(bit) was not noticed")
                } catch VaultError.vaultDamaged(path: "keyring", _) {
                    continue
                } catch VaultError.newerFormat(path: "keyring") {
                    #expect(index == 3)
                }
            }
        }
        var damagedWrap = file
        damagedWrap[208] ^= 1
        #expect(try KeyringSample.open(damagedWrap, keys[0]).current.id == keyring.current.id)
    }

    @Test("a keyring that was cut short or added to is damaged")
    func lengths() throws {
        let key = try MasterKey.random()
        let file = try KeyringSample.keyring(.rotating).sealed(for: [key])
        for count in 0..<file.count {
            let cut = [UInt8](file.prefix(count))
            #expect(throws: Damage.self) {
                try Damage.expect { _ = try KeyringSample.open(cut, key) }
            }
        }
        for more in [[0], [0, 0, 0, 0], file] as [[UInt8]] {
            #expect(throws: Damage.self) {
                try Damage.expect { _ = try KeyringSample.open(file + more, key) }
            }
        }
        let large = file + [UInt8](repeating: 0, count: 65_537 - file.count)
        #expect(
            throws: VaultError.vaultDamaged(
                path: "keyring", what: "the keyring is larger than 64 KiB")
        ) { try KeyringSample.open(large, key) }
    }

    @Test("a body too short for a box is damaged, whatever length it says")
    func shortBody() throws {
        let key = try MasterKey.random()
        let file = try KeyringSample.keyring(.settled).sealed(for: [key])
        for byteCount in 0..<17 {
            let length: [UInt8] = [UInt8(byteCount), 0, 0, 0]
            let short = file[..<121] + length + file[125..<149 + byteCount]
            #expect(throws: Damage.self) {
                try Damage.expect { _ = try KeyringSample.open(Array(short), key) }
            }
        }
    }

    @Test("parts of two keyrings under one master key do not make a third")
    func exchangedParts() throws {
        let key = try MasterKey.random()
        let keyring = try KeyringSample.keyring(.settled)
        let first = try keyring.sealed(for: [key])
        let second = try keyring.sealed(for: [key])
        for part in [4..<32, 33..<121, 49..<121, 125..<first.count, 32..<125] {
            var mixed = first
            mixed.replaceSubrange(part, with: second[part])
            #expect(throws: Damage.self, "bytes \(part)") {
                try Damage.expect { _ = try KeyringSample.open(mixed, key) }
            }
        }
    }

    @Test("a wrap that was added, removed or exchanged is damage")
    func wraps() throws {
        let keys = try KeyringSample.masterKeys(for: .begun)
        let file = try KeyringSample.keyring(.begun).sealed(for: keys)
        let (first, second) = ([UInt8](file[33..<121]), [UInt8](file[121..<209]))
        let tail = [UInt8](file[209...])
        var changed: [[UInt8]] = []
        for wraps in [
            [first], [second], [second, first], [first, first], [first, second, first], [],
        ] {
            var other = [UInt8](file[..<32]) + [UInt8(wraps.count)]
            for wrap in wraps { other += wrap }
            changed.append(other + tail)
        }
        for (number, file) in changed.enumerated() {
            for key in keys {
                do {
                    _ = try KeyringSample.open(file, key)
                    Issue.record("change \(number) was not noticed")
                } catch VaultError.vaultDamaged { continue } catch VaultError.wrongMasterKey {
                    #expect([0, 1, 3].contains(number), "the key's wrap is gone")
                }
            }
        }
    }

    @Test("later versions are newer formats, other magics no keyring")
    func versions() throws {
        let key = try MasterKey.random()
        let file = try KeyringSample.keyring(.settled).sealed(for: [key])
        for digit in UInt8(ascii: "2")...UInt8(ascii: "9") {
            var newer = file
            newer[3] = digit
            #expect(throws: VaultError.newerFormat(path: "keyring")) {
                try KeyringSample.open(newer, key)
            }
            #expect(throws: VaultError.newerFormat(path: "keyring")) {
                try Keyring.wrapIDs(of: newer.span, path: "keyring")
            }
        }
        for magic in ["SRK0", "SRK:", "SRKa", "SRE1", "srk1", "XRK2"] {
            let other = Array(magic.utf8) + file[4...]
            #expect(throws: VaultError.vaultDamaged(path: "keyring", what: "this is no keyring")) {
                try KeyringSample.open(other, key)
            }
        }
    }

    private static let changes: [Named<@Sendable (inout [UInt8]) -> Void>] = [
        Named("another keyring id", { $0[0] ^= 1 }),
        Named("two wraps claimed", { $0[28] = 2 }),
        Named("no wrap claimed", { $0[28] = 0 }),
        Named("another master-key id", { $0[29] ^= 1 }),
        Named("an app without a byte", { $0[61] = 0 }),
        Named("a longer app", { $0[61] += 1 }),
        Named("an app with a NUL", { $0[62] = 0 }),
        Named("an app that is no text", { $0[62] = 0xFF }),
        Named("layout 0", { $0[63] = 0 }), Named("layout 3", { $0[63] = 3 }),
        Named("generation 0", { for index in 64..<72 { $0[index] = 0 } }),
        Named("state 4", { $0[72] = 4 }),
        Named("state rotating without a next key", { $0[72] = 1 }),
        Named("state begun with one wrap", { $0[72] = 2 }),
        Named("no data key", { $0[73] = 0 }), Named("a data key more", { $0[73] = 3 }),
        Named("255 data keys", { $0[73] = 255 }),
        Named("role 0", { $0[74] = 0 }), Named("role next", { $0[74] = 2 }),
        Named("role retired first", { $0[74] = 3 }), Named("two current keys", { $0[107] = 1 }),
        Named("role 4", { $0[107] = 4 }),
        Named("one data key twice", { $0.replaceSubrange(108..<140, with: $0[75..<107]) }),
        Named("a byte more", { $0.append(0) }), Named("a byte less", { $0.removeLast() }),
        Named("nothing", { $0 = [] }),
    ]

    @Test("a body that is not canonical is damage, though its boxes open", arguments: changes)
    func forged(change: Named<@Sendable (inout [UInt8]) -> Void>) throws {
        let key = try MasterKey.random()
        let keyring = try KeyringSample.keyring(.settled, retired: 1, app: "a")
        #expect(throws: Never.self) {
            try KeyringSample.open(Forged.keyring(keyring, key) { _ in }, key)
        }
        let file = try Forged.keyring(keyring, key, change.value)
        #expect(throws: Damage.self) { try Damage.expect { _ = try KeyringSample.open(file, key) } }
    }
}

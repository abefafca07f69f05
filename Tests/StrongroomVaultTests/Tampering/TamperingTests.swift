import StrongroomCrypto
import StrongroomStores
import StrongroomSystem
import Testing

@testable import StrongroomVault

/// Every byte of every file altered, every file cut at every length, any two files exchanged: a typed error for what
/// it touches, or the right value; never a wrong or an older one, a crash or a lost neighbour.
///
/// By default a part of the bytes, by a seed that is shown; all of them where `STRONGROOM_LONG` is 1.
@Suite struct TamperingTests {
    /// A vault of several entries, some of them replaced and some deleted before.
    struct Subject {
        let place: TemporaryVault
        let values: [String: String]
        /// Which key's entry a file holds.
        let keys: [Path: String]
        let files: [Path]

        init(sealed: Bool) throws {
            place = try TemporaryVault()
            let vault = place.vault {
                $0.passphraseCost = .init(passes: 1, memoryByteCount: 8 << 20)
            }
            _ = try vault.create(passphrase: sealed ? try SecretKey.text("secret") : nil)
            var values: [String: String] = [:]
            for (index, key) in ["a", "folder/b", "é", "empty", "large"].enumerated() {
                try vault.set(key, "old value of \(key)")
                values[key] = String(repeating: "value \(index) ", count: [1, 3, 9, 0, 100][index])
                try vault.set(key, values[key] ?? "")
            }
            for key in ["gone", "gone too"] {
                try vault.set(key, "old value of \(key)")
                try vault.del(key)
            }
            self.values = values
            var keys: [Path: String] = [:]
            let opened = try #require(try vault.opened())
            for key in values.keys {
                let name = Path(bytes: Base32.encode(try opened.current.name(key).id.bytes))
                keys[place.directory.appending("entries.1").appending(name)] = key
            }
            self.keys = keys
            let root = place.root
            files = try place.everything.keys.map { root.appending($0) }
                .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        }

        /// Looks at every key as a fresh process would; `touched` are the files that were altered.
        func judge(_ touched: [Path], _ comment: Comment) throws {
            let vault = place.vault { $0.passphrase = { try .text("secret") } }
            // An altered entry touches nobody else's.
            let isWhole = touched.allSatisfy { keys[$0] != nil }
            let touchedKeys = touched.compactMap { keys[$0] }
            for (key, value) in values {
                do {
                    #expect(try vault.get(key) == value, comment)
                } catch {
                    #expect(!isWhole || touchedKeys.contains(key), comment)
                    Self.expectTyped(error, comment)
                }
            }
            for key in ["gone", "gone too"] {
                do {
                    #expect(try vault.get(key) == nil, comment)
                } catch {
                    #expect(!isWhole, comment)
                    Self.expectTyped(error, comment)
                }
            }
            do {
                let listing = try vault.list()
                let listed = Set(listing.entries.map { $0.key })
                #expect(listed.isSubset(of: values.keys), comment)
                #expect(listed.isSuperset(of: Set(values.keys).subtracting(touchedKeys)), comment)
                #expect(listed.count + listing.damaged.count == values.count, comment)
            } catch {
                #expect(!isWhole, comment)
                Self.expectTyped(error, comment)
            }
        }

        static func expectTyped(_ error: any Error, _ comment: Comment) {
            switch error as? VaultError {
            case .damaged, .vaultDamaged, .tampered, .newerFormat, .masterKeyMalformed,
                .wrongMasterKey, .wrongPassphrase:
                break
            default: Issue.record("\(error): \(comment)")
            }
        }
    }

    static let forms = [Named("a key in clear", false), Named("a sealed key", true)]

    @Test(arguments: forms)
    func `a flipped byte`(_ form: Named<Bool>) throws {
        let subject = try Subject(sealed: form.value)
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = Seeded(seed)
        for file in subject.files {
            let bytes = try Tree.read(file)
            for index in bytes.indices where Self.isChosen(&random, form) {
                var altered = bytes
                altered[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                try Tree.write(altered, to: file)
                try subject.judge([file], "byte \(index) of \(file), seed \(seed)")
            }
            try Tree.write(bytes, to: file)
        }
        try subject.judge([], "all as it was")
    }

    @Test(arguments: forms)
    func `a file of another length`(_ form: Named<Bool>) throws {
        let subject = try Subject(sealed: form.value)
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = Seeded(seed)
        for file in subject.files {
            let bytes = try Tree.read(file)
            for count in 0..<bytes.count where count == 0 || Self.isChosen(&random, form) {
                try Tree.write(Array(bytes[..<count]), to: file)
                try subject.judge([file], "\(file) cut to \(count) bytes, seed \(seed)")
            }
            for more in [[0], [UInt8](repeating: 10, count: 70_000)] {
                try Tree.write(bytes + more, to: file)
                try subject.judge([file], "\(file) with \(more.count) bytes more")
            }
            try Tree.write(bytes, to: file)
        }
        try subject.judge([], "all as it was")
    }

    @Test(arguments: forms)
    func `two files exchanged`(_ form: Named<Bool>) throws {
        let subject = try Subject(sealed: form.value)
        for (index, one) in subject.files.enumerated() {
            for other in subject.files[(index + 1)...] {
                let (first, second) = (try Tree.read(one), try Tree.read(other))
                try Tree.write(first, to: other)
                try Tree.write(second, to: one)
                try subject.judge([one, other], "\(one) and \(other) exchanged")
                try Tree.write(first, to: one)
                try Tree.write(second, to: other)
            }
        }
        try subject.judge([], "all as it was")
    }

    @Test func `an entry of another vault, app or name opens nowhere`() throws {
        let subject = try Subject(sealed: false)
        let other = try Subject(sealed: false)
        for (file, key) in subject.keys {
            for (foreign, _) in other.keys {
                let bytes = try Tree.read(file)
                try Tree.write(try Tree.read(foreign), to: file)
                try subject.judge([file], "another vault's in the place of \(key)")
                try Tree.write(bytes, to: file)
            }
            let stranger = file.parent.appending(
                Path(bytes: Base32.encode([UInt8](repeating: 1, count: 20))))
            try Tree.write(try Tree.read(file), to: stranger)
            let vault = subject.place.vault()
            for (key, value) in subject.values { #expect(try vault.get(key) == value) }
            #expect(try vault.keyList.count == subject.values.count)
            #expect(try vault.list().damaged.count == 1)
            try Tree.unlink(stranger)
        }
    }

    /// A sealed key costs time with each look, and its file alone differs.
    private static func isChosen(_ random: inout Seeded, _ form: Named<Bool>) -> Bool {
        TestLength.isLong || Int.random(in: 0..<(form.value ? 60 : 6), using: &random) == 0
    }
}

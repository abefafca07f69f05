import StrongroomCrypto
import StrongroomSystem

@testable import StrongroomStores
@testable import StrongroomVault

/// The small inputs that a fuzzer begins with, made of the frozen files and by the encoders.
enum Seeds {
    /// Writes each into the directory of its target below `directory`.
    static func write(to directory: Path) throws {
        for (target, seeds) in try all() {
            let place = directory.appending(Path(target))
            let folder = try DirectoryMaker.ensure(place, fileSystem: RealFileSystem())
            for (name, bytes) in seeds {
                let file = try folder.openFile(Path(name), [.write, .create], mode: 0o644)
                try file.write(bytes.span, at: 0)
                try file.truncate(to: Int64(bytes.count))
            }
        }
    }

    private static func all() throws -> [String: [String: [UInt8]]] {
        var keyrings: [String: [UInt8]] = [:]
        var bodies: [String: [UInt8]] = [:]
        for name in ["settled", "begun", "rotating", "finishing", "retired"] {
            let file = try Frozen.file("\(name).keyring")
            keyrings[name] = file
            let key = ["settled", "begun"].contains(name) ? Frozen.master : Frozen.nextMaster
            let keyring = try Keyring(opening: file.span, with: key, path: name)
            bodies[name] = KeyringBody(keyringID: Array(file[4..<32]), keyring: keyring)
                .encoded().copyToArray()
        }
        // A body that is too short for a box.
        let short = try Frozen.file("settled.keyring")
        keyrings["short"] = Array(short[..<121] + [10, 0, 0, 0] + short[125..<159])
        return [
            "anchor": ["both": try anchor()],
            "app-id": ["plain": Array("com.example.notes".utf8), "digit": Array("9_-A".utf8)],
            "area": try areas(),
            "arguments": arguments,
            "base32": ["id": Array("mzxw6ytboi".utf8)],
            "docker-input": docker,
            "dotenv": ["two": Array("# c\nexport A='x y'\nB=\"\\$\"\nC=z\n".utf8)],
            "entry": try entries(),
            "entry-forged": try forged(),
            "entry-header": [
                "plain": try header("a", [:]), "attributes": try header("folder/café", ["x": "y"]),
            ],
            "generation": [
                "seven": [1]
                    + (try GenerationFile(generation: 7, owner: Frozen.dataKey.owner).encoded()
                        .dropLast(8))
            ],
            "git-input": git,
            "json": [
                "one": Array(
                    (#"[{"key":"k","byteCount":2,"created":"2026-03-09T12:00:00.5Z","modified":null,"#
                        + #""attributes":{"a":"b"},"value":"AP8="}]"#).utf8)
            ],
            "keepass-csv": [
                "two": Array("Group,Title,Password\r\n\"R\",\"a\"\"b\",p\n,c,\"x\\\"y\"\n".utf8)
            ],
            "netrc": [
                "all": Array(
                    "machine h login u password \"p\\\"\" # c\nmacdef m\nx\n\ndefault account a\n"
                        .utf8)
            ],
            "key-names": [
                "plain": Array("folder/image.png".utf8), "escaped": Array("../.x~ /%2F:é".utf8),
                "long": [UInt8](repeating: UInt8(ascii: "k"), count: 300),
            ],
            "keyring": keyrings,
            "keyring-body": bodies,
            "log": try LogSeeds.logs(),
            "log-block": ["first": try LogSeeds.block()],
            "log-commit": try LogSeeds.commits(),
            "log-hint": ["first": try LogSeeds.hint()],
            "log-index": ["two": try LogSeeds.index()],
            "log-table": ["two": try LogSeeds.table()],
            "master-key": [
                "plain": [3] + (try Frozen.file("plain.key")),
                "without-vault": [3] + (try Frozen.file("without-vault.key")),
                "sealed": [13] + (try Frozen.file("sealed.key")),
                "bomb": [1]
                    + Array(
                        String(decoding: try Frozen.file("sealed.key"), as: UTF8.self)
                            .replacing("memory-kib 8192", with: "memory-kib 4194304").utf8),
            ],
            "path-names": [
                "plain": Array("folder/image.png".utf8), "escaped": Array("%2E%2E/a%25b".utf8),
                "generation": Array("entries.17".utf8),
            ],
            "record": ["two": [1] + (try record().dropLast(8))],
        ]
    }

    private static var arguments: [String: [UInt8]] {
        let lines = [
            "set": ["set", "--area=cache", "key", "-q"], "get": ["get", "-o", "file", "--", "-k"],
            "rotate": ["--root", "x", "rotate", "--begin", "--new-key-file", "f"],
            "pass": ["passphrase", "set", "--new-passphrase-fd", "3"], "help": ["help", "key"],
        ]
        return lines.mapValues { words in words.flatMap { Array($0.utf8) + [0] } }
    }

    private static var docker: [String: [UInt8]] {
        let texts = [
            "store":
                #"{"ServerURL":"https://r/v1/","Username":"u/v","Secret":"p\n\"\ud83d\ude00"}"#,
            "others":
                #"{"a":[1,{"b":-0.5e3}],"c":null,"ServerURL":"r","Username":"u","Secret":""}"#,
            "url": " https://index.docker.io/v1/\n",
        ]
        return texts.mapValues { Array($0.utf8) }
    }

    private static var git: [String: [UInt8]] {
        let texts = [
            "all": "protocol=https\nhost=H:1\npath=a/b.git\nusername=u=\npassword= p\n"
                + "password_expiry_utc=1\noauth_refresh_token=r\n\n",
            "newer": "capability[]=authtype\nprotocol=smtp\nhost=h\nusername=\nwwwauth[]=Basic\n",
            "key": "git/https/h%3A1/u/a%2Fb",
        ]
        return texts.mapValues { Array($0.utf8) }
    }

    private static func anchor() throws -> [UInt8] {
        let id = [UInt8](0..<16)
        let point = LogPoint(generation: 2, sequence: 9, tag: Frozen.log)
        var file = [UInt8](repeating: 0, count: AnchorSlot.fileByteCount)
        for contents in [AnchorSlot.Contents.keyring(generation: 3), .commit(point)] {
            let slot = AnchorSlot(contents: contents)
            let start = Int(slot.offset)
            file.replaceSubrange(start..<start + 64, with: try slot.encoded(vaultID: id))
        }
        return [15] + file
    }

    private static func entries() throws -> [String: [UInt8]] {
        var seeds: [String: [UInt8]] = [:]
        for number in 0..<4 {
            let sealed = try Frozen.file("\(number).entry")
            var length: [UInt8] = []
            length.append(UInt64(sealed.count), byteCount: 8)
            seeds["\(number)"] = [UInt8(number)] + length + sealed
        }
        return seeds
    }

    private static func header(_ key: String, _ attributes: [String: String]) throws -> [UInt8] {
        try EntryHeader(
            key: key, byteCount: 3, created: 1, modified: 2, attributes: attributes
        ).encoded(key: key).copyToArray()
    }

    private static func forged() throws -> [String: [UInt8]] {
        let small = [1, 2, 3] + [UInt8](repeating: 0, count: 53) + [3, 0, 0, 0, 0, 0, 0, 0]
        let large = try EntryHeader(
            key: "a", byteCount: 66_000, created: 1, modified: 2, attributes: [:]
        ).encoded(key: "a").copyToArray()
        var rest = [UInt8](repeating: 0, count: 2048)
        rest.replaceSubrange(0..<464, with: [UInt8](repeating: 7, count: 464))
        rest.set(66_000, at: 2040)
        return [
            "small": [0] + (try header("a", [:])) + [64, 0] + small,
            "large": [0] + large + [128, 7] + [0, 32] + rest,
        ]
    }

    private static func record() throws -> [UInt8] {
        try CommitRecord(
            number: 5,
            changes: [
                CommitRecord.Change(id: EntryID(Array("a/b".utf8)), kind: .put(depth: 1)),
                CommitRecord.Change(id: EntryID(Array("c".utf8)), kind: .remove),
            ]
        ).encoded()
    }

    private static func areas() throws -> [String: [UInt8]] {
        let lock = try StoreMark(bootID: [UInt8](repeating: 0, count: 36)).encoded(
            note: EntryID(Array("c".utf8)))
        let temporary = Array("a/\(StoreName.temporary(5, 0))".utf8)
        let files: [UInt8] = [2, UInt8(temporary.count)] + temporary + [1, UInt8(ascii: "c")]
        let locked = [UInt8(lock.count)] + lock
        let record = try record().dropLast(8)
        let noKey = try CommitRecord(
            number: 5, changes: [.init(id: EntryID([0xFF]), kind: .remove)]
        ).encoded().dropLast(8)
        return [
            "area": [0b1111] + files + locked + record,
            "no-key": [0b1111] + files + locked + noKey,
            "cache": [0b101111] + files + locked + record,
            "vault": [0b11000, 0, 0],
        ]
    }
}

import Foundation
import Strongroom
import Testing

@Suite struct `Assets` {
    /// Shipped files, on a disk or in memory.
    private static let files: [String: [UInt8]] = [
        "a.txt": [65], "images/a.png": [1, 2], "images/deep/er/b": [],
        "with space: and \"quotes\"?.txt": [3],
        ".hidden": [4], "caf\u{e9}": [5], "percent%20": [6],
        "big": [UInt8](repeating: 7, count: 200_000),
    ]

    private static func onDisk() throws -> (TemporaryDirectory, AssetsArea) {
        let directory = try TemporaryDirectory()
        for (name, bytes) in files { try directory.write(bytes, to: name) }
        let app = try AppContainer(
            "com.example.tests", root: "/nonexistent", assets: directory.path)
        return (directory, app.assets)
    }

    private static func check(_ assets: AssetsArea) throws {
        for (key, bytes) in files {
            #expect(try assets.get(key, as: [UInt8].self) == bytes)
            #expect(try assets.contains(key))
            #expect(try assets.version(of: key) == assets.entry(key)?.version)
            var read: [UInt8] = []
            #expect(
                try assets.read(key) { piece in
                    for index in piece.indices { read.append(piece[index]) }
                })
            #expect(read == bytes)
        }
        let sorted = files.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(try assets.keys() == sorted)
        #expect(try assets.keys(under: "images") == ["images/a.png", "images/deep/er/b"])
        #expect(try assets.get("cafe\u{301}", as: [UInt8].self) == [5])
        for key in [
            "none", "images", "images/", "images/none", "a.txt/x", "../a.txt", "images/../a.txt",
            "./a.txt",
            "/a.txt", "images//a.png", "..", ".", "/", String(repeating: "n", count: 300),
        ] {
            #expect(try assets.get(key, as: [UInt8].self) == nil, "\(key)")
            #expect(try !assets.contains(key), "\(key)")
            #expect(try !assets.read(key) { (_: Span<UInt8>) in }, "\(key)")
        }
        for key in ["", "a\0", String(repeating: "k", count: 1025)] {
            #expect(throws: StrongroomError.invalidKey(key: key)) {
                try assets.get(key, as: [UInt8].self)
            }
            #expect(throws: StrongroomError.invalidKey(key: key)) { try assets.keys(under: key) }
        }
    }

    @Test("Files are read by their paths, on a disk and in memory (C009, C011, D06)") func files()
        throws
    {
        let (directory, assets) = try Self.onDisk()
        try Self.check(assets)
        #expect(directory.names().filter { !$0.hasPrefix("images") }.count == Self.files.count - 2)
        try Self.check(try AppContainer.inMemory("a", assets: Self.files).assets)
    }

    @Test("Links and things that are no files are nothing") func links() throws {
        let (directory, assets) = try Self.onDisk()
        let outside = try TemporaryDirectory()
        try outside.write([9], to: "secret/file")
        let files = FileManager.default
        try files.createSymbolicLink(
            atPath: directory.appending("link"),
            withDestinationPath: outside.appending("secret/file"))
        try files.createSymbolicLink(
            atPath: directory.appending("folder"), withDestinationPath: outside.appending("secret"))
        try files.createSymbolicLink(
            atPath: directory.appending("inside"), withDestinationPath: directory.appending("a.txt")
        )
        try #require(unsafe mkfifo(directory.appending("pipe"), 0o600) == 0)
        for key in ["link", "folder/file", "inside", "pipe"] {
            #expect(try assets.get(key, as: [UInt8].self) == nil, "\(key)")
            #expect(try !assets.contains(key), "\(key)")
            #expect(try !assets.keys().contains(key), "\(key)")
        }
        try Self.check(assets)
    }

    @Test("The directory itself may be a link, and may be missing") func directory() throws {
        let (directory, _) = try Self.onDisk()
        let other = try TemporaryDirectory()
        try FileManager.default.createSymbolicLink(
            atPath: other.appending("assets"), withDestinationPath: directory.path)
        try Self.check(
            try AppContainer("a", root: "/nonexistent", assets: other.appending("assets")).assets)
        let none = try AppContainer("a", root: "/nonexistent", assets: other.appending("none"))
            .assets
        #expect(try none.get("a.txt", as: String.self) == nil)
        #expect(try none.keys().isEmpty)
        // Without a directory given it is the one beside the executable.
        #expect(try AppContainer("a").assets.keys().isEmpty)
    }

    @Test("A name that a file has in another normal form is found") func normalForms() throws {
        let directory = try TemporaryDirectory()
        try directory.write([1], to: "cafe\u{301}/re\u{301}sume\u{301}")
        let assets = try AppContainer("a", root: "/nonexistent", assets: directory.path).assets
        #expect(try assets.get("caf\u{e9}/r\u{e9}sum\u{e9}", as: [UInt8].self) == [1])
        #expect(try assets.get("cafe\u{301}/re\u{301}sume\u{301}", as: [UInt8].self) == [1])
        #expect(try assets.keys() == ["caf\u{e9}/r\u{e9}sum\u{e9}"])
    }
}

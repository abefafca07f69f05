import Foundation
import Strongroom
import Testing

/// What areas leave on a disk, and what they do not touch there.
@Suite struct `Files of an area` {
    @Test("Making a container touches no file, reading makes none, and neither needs a key")
    func untouched() throws {
        let root = try TemporaryDirectory()
        let app = try AppContainer("com.example.tests", root: root.appending("none"))
        for kind in AreaCase.onDisk {
            let area = kind.area(of: app)
            #expect(try area.get("k", as: String.self) == nil)
            #expect(try area.keys().isEmpty)
            #expect(try !area.contains("k"))
            #expect(try area.version(of: "k") == nil)
            #expect(try !area.del("k"))
            #expect(try area.delAll() == 0)
            #expect(try area.delAll(under: "a") == 0)
            #expect(try !area.read("k") { (_: Span<UInt8>) in })
            try area.update("k", as: Int.self) { $0 = nil }
            try area.commit { $0.del("k") }
            try area.commit { $0.expect(nil, ofKey: "k") }
            #expect(throws: StrongroomError.changed(key: "k")) {
                try area.commit { $0.expect(1, ofKey: "k") }
            }
        }
        #expect(try app.assets.get("k", as: String.self) == nil)
        #expect(root.names().isEmpty)
    }

    @Test("No key lands outside its area (C009)") func traversal() throws {
        let root = try TemporaryDirectory()
        let app = try AppContainer("com.example.tests", root: root.appending("in/the/app"))
        for kind in AreaCase.onDisk {
            let area = kind.area(of: app)
            for key in ["../../escaped/pwned", "..", "/etc/strongroom-x", "a/../../../x"] {
                try area.set("v", forKey: key)
                #expect(try area.get(key, as: String.self) == "v")
                try area.del(key)
                try area.set("v", forKey: key)
                try area.delAll()
            }
            try area.set("v", forKey: "../../escaped/pwned")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: root.path) == ["in"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: root.appending("in")) == ["the"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: root.appending("in/the")) == ["app"]
        )
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: root.appending("in/the/app"))
                .filter { !$0.hasSuffix(".anchor") }.sorted()
                == ["cache", "master.key", "storage", "temporary", "vault"])
        #expect(!FileManager.default.fileExists(atPath: "/etc/strongroom-x"))
    }

    @Test(
        "A plain entry is a file that a person finds",
        arguments: [AreaCase.storage, .cache, .temporary])
    func plainFiles(_ kind: AreaCase) throws {
        let root = try TemporaryDirectory()
        let area = kind.area(of: try AppContainer("com.example.tests", root: root.path))
        try area.set("text", forKey: "folder1/folder2/note.txt")
        #expect(
            try root.read("\(kind.rawValue)/folder1/folder2/note.txt") == Array("text".utf8))
        // And a file that a person puts there is an entry.
        try root.write(Array("mine".utf8), to: "\(kind.rawValue)/folder1/own.txt")
        #expect(try area.get("folder1/own.txt", as: String.self) == "mine")
        #expect(try area.keys(under: "folder1") == ["folder1/folder2/note.txt", "folder1/own.txt"])
    }

    @Test("Other people's files are no entries and stay (C024)", arguments: AreaCase.onDisk)
    func junk(_ kind: AreaCase) throws {
        let root = try TemporaryDirectory()
        let app = try AppContainer("com.example.tests", root: root.path)
        let area = kind.area(of: app)
        try area.set("v", forKey: "k")
        var names = [".DS_Store", ".k.swp", "k~", "#k#", ".hidden/x"]
        // Where entries are sealed even a readable name is nobody's.
        if kind.isVault { names += ["README.md", "folder/README.md"] }
        for name in names { try root.write([1], to: "\(kind.rawValue)/\(name)") }
        try FileManager.default.createDirectory(
            atPath: root.appending("\(kind.rawValue)/empty"), withIntermediateDirectories: true)
        #expect(try area.keys() == ["k"])
        if kind.isVault { #expect(try app.vault.rotate().entryCount == 1) }
        try area.set("new", forKey: "k")
        #expect(try area.delAll() == 1)
        for name in names { #expect(try root.read("\(kind.rawValue)/\(name)") == [1]) }
    }

    @Test("An entry that is set again is still one file (C064, C097)", arguments: AreaCase.onDisk)
    func oneFile(_ kind: AreaCase) throws {
        let root = try TemporaryDirectory()
        let area = kind.area(of: try AppContainer("com.example.tests", root: root.path))
        try area.set(1, forKey: "k")
        let names = root.names()
        for value in 2...3 { try area.set(value, forKey: "k") }
        try area.commit {
            $0.set(4, forKey: "k")
            $0.set(4, forKey: "other")
        }
        try area.del("other")
        #expect(try area.get("k") == 4)
        #expect(root.names() == names)
        for name in names where !name.hasSuffix("/k") {
            #expect([0o700, 0o600].contains(try root.mode(name)), "\(name)")
        }
    }

    @Test("A cached file that went away is a plain miss (C109)") func cacheMiss() throws {
        let root = try TemporaryDirectory()
        let app = try AppContainer("com.example.tests", root: root.path)
        try app.cache.set("page", forKey: "folder/page")
        try FileManager.default.removeItem(atPath: root.appending("cache/folder"))
        #expect(try app.cache.get("folder/page", as: String.self) == nil)
        #expect(try !app.cache.contains("folder/page"))
        try app.cache.set("page", forKey: "folder/page")
        try FileManager.default.removeItem(atPath: root.appending("cache"))
        #expect(try app.cache.get("folder/page", as: String.self) == nil)
        #expect(try app.cache.keys().isEmpty)
        try app.cache.set("again", forKey: "folder/page")
        #expect(try app.cache.get("folder/page", as: String.self) == "again")
    }

    @Test(
        "Below an area no link is followed; the area itself may be one (C098)",
        arguments: AreaCase.onDisk)
    func links(_ kind: AreaCase) throws {
        let root = try TemporaryDirectory()
        let elsewhere = try TemporaryDirectory()
        try elsewhere.write(Array("secret".utf8), to: "outside/file")
        let files = FileManager.default
        try files.createSymbolicLink(
            atPath: root.appending(kind.rawValue), withDestinationPath: elsewhere.path)
        let area = kind.area(of: try AppContainer("com.example.tests", root: root.path))
        try area.set("v", forKey: "k")
        #expect(try area.get("k", as: String.self) == "v")
        try files.createSymbolicLink(
            atPath: elsewhere.appending("link"), withDestinationPath: elsewhere.appending("outside")
        )
        try files.createSymbolicLink(
            atPath: elsewhere.appending("file"),
            withDestinationPath: elsewhere.appending("outside/file"))
        for key in ["file", "link/file"] {
            // A link is somebody else's: no entry, and not to be replaced. In a vault its name means nothing.
            #expect(try area.get(key, as: String.self) == nil)
            if kind.isVault { continue }
            do throws(StrongroomError) {
                try area.set("v", forKey: key)
                Issue.record("\(key) was set through a link, or in its place")
            } catch .exists(let path, _) {
                #expect(path.hasPrefix(root.appending(kind.rawValue)))
            } catch { throw error }
        }
        #expect(try !area.keys().contains { $0.hasPrefix("link") || $0 == "file" })
        #expect(
            try files.destinationOfSymbolicLink(atPath: root.appending(kind.rawValue))
                == elsewhere.path)
        #expect(try elsewhere.read("outside/file") == Array("secret".utf8))
    }

    @Test("No value and no name of the vault is on the disk in plain (D09)") func plaintext() throws
    {
        let root = try TemporaryDirectory()
        let app = try AppContainer("com.example.tests", root: root.path)
        let needle = "NEEDLE-9f3c"
        try app.vault.set(Secret(needle), forKey: "name-\(needle)")
        try app.vault.set(Secret(needle + needle), forKey: "name-\(needle)")
        try app.vault.write("large-\(needle)") { writer in
            for _ in 0..<10_000 { try writer.write(Array(needle.utf8)) }
        }
        #expect(throws: Boom()) {
            try app.vault.write("name-\(needle)") { writer in
                for _ in 0..<10_000 { try writer.write(Array(needle.utf8)) }
                throw Boom()
            }
        }
        try app.vault.set(needle, forKey: "gone-\(needle)")
        try app.vault.del("gone-\(needle)")
        #expect(try app.vault.rotate().entryCount == 2)
        let marks = [Data(needle.utf8), Data(Data(needle.utf8).base64EncodedString().utf8)]
        for name in root.names() {
            #expect(!name.contains(needle))
            let contents = FileManager.default.contents(atPath: root.appending(name)) ?? Data()
            for mark in marks { #expect(contents.range(of: mark) == nil, "\(name)") }
        }
    }

    @Test(
        "Damage is one entry's, and is never taken for absence",
        arguments: [AreaCase.vault, .vaultOfFiles])
    func damage(_ kind: AreaCase) throws {
        let root = try TemporaryDirectory()
        let app = try AppContainer(
            "com.example.tests", root: root.path, layout: kind == .vault ? .log : .files)
        for index in 0..<4 { try app.vault.set("v\(index)", forKey: "k\(index)") }
        // Of one entry a byte of the header is flipped, of another one of the value.
        let files = root.names().filter {
            $0 == "vault/log" || $0.hasPrefix("vault/entries.") && $0.count > 40
        }
        var places = [40, 150][...]
        for file in files {
            var bytes = try root.read(file)
            let starts = bytes.indices.filter { bytes[$0...].starts(with: Array("SRE1".utf8)) }
            #expect(starts.count == 4 / files.count)
            for start in starts {
                if let place = places.popFirst() { bytes[start + place] ^= 1 }
            }
            let handle = try FileHandle(
                forUpdating: URL(fileURLWithPath: root.appending(file)))
            try handle.write(contentsOf: Data(bytes))
        }
        var damaged: [String] = []
        for index in 0..<4 {
            let key = "k\(index)"
            do throws(StrongroomError) {
                #expect(try app.vault.get(key, as: String.self) == "v\(index)")
                _ = try app.vault.details(of: key)
            } catch {
                #expect(error == .damaged(key: key))
                damaged.append(key)
            }
            #expect(try app.vault.contains(key))
        }
        #expect(damaged.count == 2)
        // A name that cannot be read may be any, so no list of names is whole; what can be read is
        // there.
        let contents = try app.vault.contents()
        #expect(contents.entries.count == 3)
        let unknown = try #require(contents.unknownIDs.first)
        #expect(throws: StrongroomError.damaged(key: "id:" + unknown)) { try app.vault.keys() }
        #expect(throws: StrongroomError.damaged(key: "id:" + unknown)) { try app.vault.delAll() }
        try app.vault.set("other", forKey: "other")
        for key in damaged { #expect(try app.vault.del(key)) }
        #expect(try app.vault.keys().count == 3)
    }
}

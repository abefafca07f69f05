import Foundation
import Strongroom
import Testing

/// Where a container's areas are, in processes with environments of their own.
@Suite struct `Places of a container` {
    @Test("Areas lie in the directories of the XDG specification") func xdg() throws {
        let home = try TemporaryDirectory()
        let environment = [
            "HOME": home.path, "XDG_RUNTIME_DIR": home.appending("run"), "PROBE_APP": "org.notes",
        ]
        try FileManager.default.createDirectory(
            atPath: home.appending("run"), withIntermediateDirectories: false)
        for kind in AreaCase.onDisk {
            #expect(
                try Probe.run(["-", "set", kind.rawValue, "k", "v"], environment: environment)
                    == ["done"])
        }
        let names = home.names()
        for name in [
            ".local/share/org.notes/storage/k", ".local/share/org.notes/vault/keyring",
            ".cache/org.notes/k", ".config/org.notes/master.key", "run/org.notes/k",
        ] { #expect(names.contains(name), "\(name)") }
    }

    @Test("systemd's directories come first") func systemd() throws {
        let place = try TemporaryDirectory()
        let environment = [
            "HOME": "/nonexistent", "PROBE_APP": "notes",
            "STATE_DIRECTORY": place.appending("state") + ":" + place.appending("other"),
            "CACHE_DIRECTORY": place.appending("cache"),
            "RUNTIME_DIRECTORY": place.appending("run"),
            "CONFIGURATION_DIRECTORY": place.appending("etc"),
        ]
        for kind in AreaCase.onDisk {
            #expect(
                try Probe.run(["-", "set", kind.rawValue, "k", "v"], environment: environment)
                    == ["done"])
        }
        let names = place.names()
        for name in [
            "state/notes/storage/k", "state/notes/vault/keyring", "cache/notes/k", "run/notes/k",
            "etc/notes/master.key",
        ] { #expect(names.contains(name), "\(name)") }
        #expect(!names.contains("other"))
    }

    @Test("A credential of systemd's may be readable by its group, another key may not")
    func credential() throws {
        let place = try TemporaryDirectory()
        let environment = [
            "HOME": "/nonexistent", "PROBE_APP": "notes",
            "STATE_DIRECTORY": place.appending("state"),
            "CONFIGURATION_DIRECTORY": place.appending("etc"),
        ]
        try Probe.run(["-", "set", "vault", "k", "v"], environment: environment)
        let key = place.appending("etc/notes/master.key")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: key)
        let answer = try Probe.run(["-", "get", "vault", "k"], environment: environment)
        #expect(answer.first?.hasPrefix("error masterKeyExposed: ") == true)
        #expect(answer.first?.contains("640") == true, "the mode is named")
        let credentials = place.appending("credentials")
        try FileManager.default.createDirectory(
            atPath: credentials, withIntermediateDirectories: false)
        try FileManager.default.moveItem(atPath: key, toPath: credentials + "/strongroom.key")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o440], ofItemAtPath: credentials + "/strongroom.key")
        var more = environment
        more["CREDENTIALS_DIRECTORY"] = credentials
        let opened = [["get", "vault", "k"], ["set", "vault", "l", "w"], ["get", "vault", "l"]]
        #expect(
            try opened.map { try Probe.run(["-"] + $0, environment: more).first }
                == ["value v", "done", "value w"])
        // The same file, named by the app.
        more["CREDENTIALS_DIRECTORY"] = credentials
        more["PROBE_KEY"] = credentials + "/strongroom.key"
        #expect(
            try Probe.run(["-", "get", "vault", "k"], environment: more) == ["value v", "done"])
        more["CREDENTIALS_DIRECTORY"] = nil
        let refused = try Probe.run(["-", "get", "vault", "k"], environment: more)
        #expect(refused.first?.hasPrefix("error masterKeyExposed: ") == true)
    }

    @Test("Relative and empty variables are ignored, wherever the process stands (C107)")
    func relative() throws {
        let home = try TemporaryDirectory()
        let places = [try TemporaryDirectory(), try TemporaryDirectory()]
        let environment = [
            "HOME": home.path, "XDG_DATA_HOME": "rel", "XDG_CACHE_HOME": "",
            "XDG_CONFIG_HOME": "./c", "XDG_RUNTIME_DIR": "..", "TMPDIR": "tmp",
            "PROBE_APP": "com.example.c107-\(UUID().uuidString)",
        ]
        for kind in AreaCase.onDisk {
            #expect(
                try Probe.run(
                    ["-", "set", kind.rawValue, "k", "v"], environment: environment,
                    directory: places[0].path) == ["done"])
            #expect(
                try Probe.run(
                    ["-", "get", kind.rawValue, "k"], environment: environment,
                    directory: places[1].path) == ["value v", "done"])
        }
        for place in places { #expect(place.names().isEmpty) }
        let user = geteuid()
        let shared = "/tmp/\(environment["PROBE_APP"] ?? "")-\(user)"
        #expect(FileManager.default.fileExists(atPath: shared))
        try FileManager.default.removeItem(atPath: shared)
    }

    @Test("Without HOME the user database is asked, and nothing is made of nothing (C105)")
    func noHome() throws {
        let name = "com.example.c105-\(UUID().uuidString)"
        var environment = ["PROBE_APP": name, "TMPDIR": "/tmp"]
        for kind in AreaCase.onDisk {
            #expect(
                try Probe.run(["-", "keys", kind.rawValue], environment: environment)
                    == ["keys ", "done"])
        }
        if geteuid() == 0 {
            // This user's home directory does not exist.
            environment["PROBE_USER"] = Probe.nobody
            for kind in [AreaCase.storage, .vault, .cache] {
                let answer = try Probe.run(
                    ["-", "set", kind.rawValue, "k", "v"], environment: environment)
                #expect(answer.first?.hasPrefix("error ") == true, "\(answer)")
            }
        }
        #expect(!FileManager.default.fileExists(atPath: "/home/.local"))
        #expect(!FileManager.default.fileExists(atPath: "/nonexistent"))
        #expect(!FileManager.default.fileExists(atPath: "/tmp/\(name)-0"))
    }

    @Test("A temporary directory that somebody else made is refused, to read and to write")
    func sharedTemporary() throws {
        let place = try TemporaryDirectory()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o1777], ofItemAtPath: place.path)
        let user = geteuid()
        let environment = ["HOME": place.path, "TMPDIR": place.path, "PROBE_APP": "notes"]
        func answers() throws -> [String] {
            try [
                ["set", "temporary", "k", "v"], ["get", "temporary", "k"], ["keys", "temporary"],
            ]
            .map { try Probe.run(["-"] + $0, environment: environment).first ?? "" }
        }
        let directory = place.appending("notes-\(user)")
        // Open to others; then a link; then a file.
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory)
        try place.write(Array("planted".utf8), to: "notes-\(user)/k")
        for answer in try answers() {
            #expect(answer.hasPrefix("error noPermission: "), "\(answer)")
        }
        try FileManager.default.moveItem(atPath: directory, toPath: place.appending("own"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o700], ofItemAtPath: place.appending("own"))
        try FileManager.default.createSymbolicLink(
            atPath: directory, withDestinationPath: place.appending("own"))
        for answer in try answers() {
            #expect(answer.hasPrefix("error noPermission: "), "\(answer)")
        }
        try FileManager.default.removeItem(atPath: directory)
        #expect(try answers() == ["done", "value v", "keys k"])
        #expect(try place.mode("notes-\(user)") == 0o700)
    }

    @Test("Clearing an area clears that area of that app (C110)") func clearing() throws {
        let home = try TemporaryDirectory()
        let names = ["a", "ab", "a.b"]
        let areas = AreaCase.onDisk.filter { $0 != .vaultOfFiles }
        var environment = ["HOME": home.path, "XDG_RUNTIME_DIR": home.path + "/run"]
        try FileManager.default.createDirectory(
            atPath: home.appending("run"), withIntermediateDirectories: false)
        for name in names {
            environment["PROBE_APP"] = name
            for kind in areas {
                try Probe.run(["-", "set", kind.rawValue, "k", "v"], environment: environment)
            }
        }
        environment["PROBE_APP"] = "a"
        for (cleared, kind) in areas.enumerated() {
            #expect(
                try Probe.run(["-", "clear", kind.rawValue], environment: environment)
                    == ["cleared 1", "done"])
            for name in names {
                var environment = environment
                environment["PROBE_APP"] = name
                for (index, other) in areas.enumerated() {
                    let isGone = name == "a" && index <= cleared
                    #expect(
                        try Probe.run(["-", "get", other.rawValue, "k"], environment: environment)
                            == [isGone ? "nil" : "value v", "done"], "\(name) \(other)")
                }
            }
        }
        #expect(home.names().contains(".config/a/master.key"))
    }

    @Test("What is no app id is refused") func appIDs() throws {
        for app in [
            "", ".", "..", "a/b", "-a", ".a", "_a", "é", "a b", "a\0", "a\n",
            String(repeating: "a", count: 129),
        ] {
            #expect(throws: StrongroomError.invalidApp(app: app)) { try AppContainer(app) }
            #expect(throws: StrongroomError.invalidApp(app: app)) { try AppContainer.inMemory(app) }
            #expect(throws: StrongroomError.invalidApp(app: app)) {
                try AppContainer(app, root: "/tmp")
            }
        }
        for app in ["a", "A.b_c-d", "0", String(repeating: "a", count: 128)] {
            #expect(try AppContainer(app, root: "/tmp").app == app)
            #expect(try AppContainer.inMemory(app).app == app)
        }
    }

    @Test("A root that is no path is refused") func roots() throws {
        for root in ["", "a\0b"] {
            #expect {
                try AppContainer("a", root: root)
            } throws: { error in
                if case .notPossible = error as? StrongroomError { true } else { false }
            }
        }
    }
}

import StrongroomSystem
import Testing

/// Where an app's directories are, by variable (ARCHITECTURE section 4; CASES C105, C107).
@Suite struct AppDirectoriesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var variables: [String: String]
        var home: String? = "/db/home"
        var root: Path?
        /// Where storage, vault, key, cache and temporary are; `<uid>` is the user's number.
        var expected: [String]
        var rules: [String]

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(
            name: "a desktop with nothing but HOME",
            variables: ["HOME": "/home/ann"],
            expected: [
                "/home/ann/.local/share/app.x/storage", "/home/ann/.local/share/app.x/vault",
                "/home/ann/.config/app.x/master.key", "/home/ann/.cache/app.x", "/tmp/app.x-<uid>",
            ],
            rules: [
                "$HOME/.local/share", "$HOME/.local/share", "$HOME/.config", "$HOME/.cache", "/tmp",
            ]),
        Case(
            name: "every XDG variable",
            variables: [
                "HOME": "/home/ann", "XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c",
                "XDG_CACHE_HOME": "/k", "XDG_RUNTIME_DIR": "/run/user/7",
            ],
            expected: [
                "/d/app.x/storage", "/d/app.x/vault", "/c/app.x/master.key", "/k/app.x",
                "/run/user/7/app.x",
            ],
            rules: [
                "$XDG_DATA_HOME", "$XDG_DATA_HOME", "$XDG_CONFIG_HOME", "$XDG_CACHE_HOME",
                "$XDG_RUNTIME_DIR",
            ]),
        Case(
            name: "XDG variables that are relative or empty are ignored (C107)",
            variables: [
                "HOME": "/home/ann", "XDG_DATA_HOME": "rel", "XDG_CONFIG_HOME": "./c",
                "XDG_CACHE_HOME": "", "XDG_RUNTIME_DIR": "run", "TMPDIR": "t",
            ],
            expected: [
                "/home/ann/.local/share/app.x/storage", "/home/ann/.local/share/app.x/vault",
                "/home/ann/.config/app.x/master.key", "/home/ann/.cache/app.x", "/tmp/app.x-<uid>",
            ],
            rules: [
                "$HOME/.local/share", "$HOME/.local/share", "$HOME/.config", "$HOME/.cache", "/tmp",
            ]),
        Case(
            name: "HOME unset: the user database (C105)",
            variables: ["TMPDIR": "/var/tmp"],
            expected: [
                "/db/home/.local/share/app.x/storage", "/db/home/.local/share/app.x/vault",
                "/db/home/.config/app.x/master.key", "/db/home/.cache/app.x",
                "/var/tmp/app.x-<uid>",
            ],
            rules: [
                "~/.local/share, home from the user database",
                "~/.local/share, home from the user database",
                "~/.config, home from the user database", "~/.cache, home from the user database",
                "$TMPDIR",
            ]),
        Case(
            name: "HOME empty: the user database",
            variables: ["HOME": "", "XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c"],
            expected: [
                "/d/app.x/storage", "/d/app.x/vault", "/c/app.x/master.key",
                "/db/home/.cache/app.x", "/tmp/app.x-<uid>",
            ],
            rules: [
                "$XDG_DATA_HOME", "$XDG_DATA_HOME", "$XDG_CONFIG_HOME",
                "~/.cache, home from the user database", "/tmp",
            ]),
        Case(
            name: "a systemd service",
            variables: [
                "HOME": "/root", "XDG_DATA_HOME": "/d", "STATE_DIRECTORY": "/var/lib/x",
                "CONFIGURATION_DIRECTORY": "/etc/x", "CACHE_DIRECTORY": "/var/cache/x",
                "RUNTIME_DIRECTORY": "/run/x", "XDG_RUNTIME_DIR": "/run/user/7",
            ],
            expected: [
                "/var/lib/x/app.x/storage", "/var/lib/x/app.x/vault", "/etc/x/app.x/master.key",
                "/var/cache/x/app.x", "/run/x/app.x",
            ],
            rules: [
                "$STATE_DIRECTORY", "$STATE_DIRECTORY", "$CONFIGURATION_DIRECTORY",
                "$CACHE_DIRECTORY", "$RUNTIME_DIRECTORY",
            ]),
        Case(
            name: "of several paths of systemd the first",
            variables: [
                "STATE_DIRECTORY": "/var/lib/a:/var/lib/b", "CONFIGURATION_DIRECTORY": "/etc/a:/b",
                "CACHE_DIRECTORY": "/var/cache/a:", "RUNTIME_DIRECTORY": "/run/a:rel",
            ],
            home: nil,
            expected: [
                "/var/lib/a/app.x/storage", "/var/lib/a/app.x/vault", "/etc/a/app.x/master.key",
                "/var/cache/a/app.x", "/run/a/app.x",
            ],
            rules: [
                "$STATE_DIRECTORY", "$STATE_DIRECTORY", "$CONFIGURATION_DIRECTORY",
                "$CACHE_DIRECTORY", "$RUNTIME_DIRECTORY",
            ]),
        Case(
            name: "a credentials directory without our key",
            variables: [
                "HOME": "/h", "CREDENTIALS_DIRECTORY": "/nowhere/at/all",
                "CONFIGURATION_DIRECTORY": "/etc/x",
            ],
            expected: [
                "/h/.local/share/app.x/storage", "/h/.local/share/app.x/vault",
                "/etc/x/app.x/master.key", "/h/.cache/app.x", "/tmp/app.x-<uid>",
            ],
            rules: [
                "$HOME/.local/share", "$HOME/.local/share", "$CONFIGURATION_DIRECTORY",
                "$HOME/.cache", "/tmp",
            ]),
        Case(
            name: "a root beats every variable and needs no home",
            variables: ["STATE_DIRECTORY": "/var/lib/x", "CREDENTIALS_DIRECTORY": "/creds"],
            home: nil, root: "/srv/notes",
            expected: [
                "/srv/notes/storage", "/srv/notes/vault", "/srv/notes/master.key",
                "/srv/notes/cache", "/srv/notes/temporary",
            ],
            rules: Array(repeating: "the root given", count: 5)),
    ]

    private static func resolve(_ row: Case) throws(DirectoryError) -> AppDirectories {
        try AppDirectories.resolve(
            app: "app.x", root: row.root, environment: Environment(row.variables),
            executable: "/opt/x/bin/x", homeDirectory: { _ in row.home.map { Path($0) } })
    }

    @Test(arguments: cases)
    func `a variable or default chooses each directory, and says so`(_ row: Case) throws {
        let found = try Self.resolve(row)
        let places = [found.storage, found.vault, found.masterKey, found.cache, found.temporary]
        let user = "\(Identity.effectiveUser)"
        #expect(
            places.map(\.path.description)
                == row.expected.map { $0.hasSuffix("<uid>") ? $0.dropLast(5) + user : $0 })
        #expect(places.map(\.rule) == row.rules)
        #expect(!found.masterKeyIsCredential)
        #expect(found.temporaryIsShared == found.temporary.path.description.hasSuffix("-" + user))
        #expect(found.assets?.path == "/opt/x/bin/assets")
    }

    @Test(arguments: ["", "rel/home"])
    func `without a home nothing lands anywhere (C105)`(_ home: String) {
        for found in [nil, Path(home)] {
            #expect(throws: DirectoryError.noHome(user: Identity.effectiveUser)) {
                _ = try AppDirectories.resolve(
                    app: "app", root: nil, environment: Environment(["HOME": home]),
                    executable: nil, homeDirectory: { _ in found })
            }
        }
    }

    @Test func `the user database is asked only where HOME does not say`() throws {
        let environment = Environment(["HOME": "/h"])
        _ = try AppDirectories.resolve(
            app: "app", root: nil, environment: environment, executable: nil,
            homeDirectory: { _ in
                Issue.record("asked though HOME is set")
                return nil
            })
    }

    @Test(arguments: [
        Named("HOME unset (C105)", "env -u HOME"), Named("no variable at all (C105)", "env -i"),
        Named("relative and empty (C107)", "env -i XDG_DATA_HOME=rel XDG_CACHE_HOME= HOME=./h"),
    ])
    func `a program finds the same place from any working directory`(
        _ environment: Named<String>
    ) throws {
        let home = try #require(UserDatabase.homeDirectory(of: Identity.effectiveUser))
        for place in ["/", "/tmp"] {
            let child = try ChildProcess.shell(
                "cd \(place); exec \(environment.value) \"$PROBE\" directories")
            #expect(try child.readLine() == "\(home)/.local/share/app/storage")
            #expect(try child.readLine() == "\(home)/.cache/app")
        }
    }

    @Test func `a credential of systemd is the key if it is there`() throws {
        let temporary = try TemporaryDirectory()
        let environment = Environment([
            "HOME": "/h", "CREDENTIALS_DIRECTORY": temporary.path.description,
            "CONFIGURATION_DIRECTORY": "/etc/x",
        ])
        try temporary.write("text", to: "strongroom.key")
        let found = try AppDirectories.resolve(
            app: "app", root: nil, environment: environment, executable: nil)
        #expect(found.masterKey.path == temporary.path.appending("strongroom.key"))
        #expect(found.masterKey.rule == "$CREDENTIALS_DIRECTORY")
        #expect(found.masterKeyIsCredential)
    }

    @Test func `a relative root stays where it was when the working directory changes`() throws {
        let found = try AppDirectories.resolve(
            app: "app", root: "below/here", environment: Environment([]),
            executable: nil)
        let start = try #require(WorkingDirectory.current)
        #expect(found.vault.path == start.appending("below/here/vault"))
        #expect(found.assets == nil)
    }

    @Test(arguments: [Named("an empty one", ""), Named("one with a NUL", "a\0b")])
    func `a root that is no path is refused`(_ root: Named<String>) {
        #expect(throws: DirectoryError.invalidRoot(root.value)) {
            _ = try AppDirectories.resolve(
                app: "app", root: Path(root.value), environment: Environment([]), executable: nil)
        }
    }

    @Test(arguments: [
        Named("one letter", "a"), Named("reversed domain", "com.example.notes"),
        Named("every kind of character", "9-x_Y.z"), Named("dots at the end", "a.."),
        Named("128 characters", String(repeating: "x", count: 128)),
    ])
    func `an app's id is letters, digits, dots, dashes and underscores`(_ app: Named<String>) {
        #expect(AppID.isValid(app.value))
    }

    @Test(arguments: [
        Named("empty", ""), Named("leading dot", ".a"), Named("leading dash", "-a"),
        Named("leading underscore", "_a"), Named("slash", "a/b"), Named("way up", "../a"),
        Named("space", "a b"), Named("accent", "é"), Named("NUL", "a\0"), Named("newline", "a\n"),
        Named("129 characters", String(repeating: "x", count: 129)),
    ])
    func `any other app id is refused`(_ app: Named<String>) {
        #expect(!AppID.isValid(app.value))
        #expect(throws: DirectoryError.invalidApp(app.value)) {
            _ = try AppDirectories.resolve(
                app: app.value, root: "/r", environment: Environment([]), executable: nil)
        }
    }
}

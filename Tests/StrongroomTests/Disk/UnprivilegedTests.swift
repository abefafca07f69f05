import Foundation
import Strongroom
import Testing

/// What areas promise to a user who is not root, and on disks that cannot be written.
@Suite struct `Areas of an unprivileged user` {
    /// A root that belongs to the probe's user.
    private static func root(umask: String) throws -> (TemporaryDirectory, [String: String]) {
        let directory = try TemporaryDirectory()
        var variables = ["PROBE_UMASK": umask]
        if geteuid() == 0 {
            variables["PROBE_USER"] = Probe.nobody
            try FileManager.default.setAttributes(
                [.ownerAccountID: 65534, .groupOwnerAccountID: 65534],
                ofItemAtPath: directory.path)
        }
        return (directory, Probe.environment(variables))
    }

    @Test(
        "Directories are 0700 and files 0600 under any umask (C095, C097)",
        arguments: ["000", "002", "022", "077", "777"])
    func modes(_ umask: String) throws {
        let (root, environment) = try Self.root(umask: umask)
        for kind in AreaCase.onDisk {
            for value in ["one", "two"] {
                #expect(
                    try Probe.run(
                        [root.path, "set", kind.rawValue, "folder/deep/key", value],
                        environment: environment) == ["done"])
            }
            #expect(
                try Probe.run(
                    [root.path, "many", kind.rawValue, "many", "3"], environment: environment)
                    == ["done"])
        }
        #expect(
            try Probe.run([root.path, "rotate", "vault"], environment: environment)
                == ["rotated 4", "done"])
        let names = root.names()
        #expect(names.count > 20)
        for name in names {
            let attributes = try FileManager.default.attributesOfItem(atPath: root.appending(name))
            let isDirectory = attributes[.type] as? FileAttributeType == .typeDirectory
            #expect(try root.mode(name) == (isDirectory ? 0o700 : 0o600), "\(name)")
        }
    }

    @Test("On a disk that is read-only reads work and writes say so (C102)") func readOnlyDisk()
        throws
    {
        guard try Probe.mayMount() else { return }
        let (root, environment) = try Self.root(umask: "022")
        for kind in AreaCase.onDisk {
            try Probe.run([root.path, "set", kind.rawValue, "k", "v"], environment: environment)
        }
        let before = try Self.stamps(of: root)
        let script = """
            probe=$1; root=$2; export PROBE_USER
            exec unshare -m sh -c '
                mount --bind "$2" "$2" && mount -o remount,ro,bind "$2" || exit 1
                for area in storage cache temporary vault; do
                    for command in "get $area k" "get $area none" "keys $area" "contains $area k" \\
                        "set $area k new" "set $area other new" "del $area k"; do
                        "$1" "$2" $command
                    done
                done
                "$1" "$2" rotate vault' sh "$probe" "$root"
            """
        let answers = try Probe.run([root.path], environment: environment, script: script)
        for kind in AreaCase.onDisk {
            // What the plain areas hold, and what each command answers.
            #expect(answers.filter { $0 == "value v" }.count == 4, "\(kind)")
        }
        #expect(answers.filter { $0 == "nil" }.count == 4)
        #expect(answers.filter { $0 == "keys k" }.count == 4)
        #expect(answers.filter { $0 == "true" }.count == 4)
        let refusals = answers.filter { $0.hasPrefix("error ") }
        #expect(refusals.count == 13)
        for refusal in refusals { #expect(refusal.hasPrefix("error readOnly: "), "\(refusal)") }
        #expect(try Self.stamps(of: root) == before)
        #expect(
            try Probe.run([root.path, "get", "vault", "k"], environment: environment)
                == ["value v", "done"])
    }

    @Test("In directories of somebody else's that may be read, reads work and writes are refused")
    func readOnlyDirectories()
        throws
    {
        guard geteuid() == 0 else {
            print("not tried: only root can make directories of somebody else's")
            return
        }
        let root = try TemporaryDirectory()
        for kind in AreaCase.onDisk {
            try Probe.run([root.path, "set", kind.rawValue, "k", "v"])
        }
        // Readable by all, the key excepted, which its own reader owns.
        for name in root.names() {
            let attributes = try FileManager.default.attributesOfItem(atPath: root.appending(name))
            let isDirectory = attributes[.type] as? FileAttributeType == .typeDirectory
            try FileManager.default.setAttributes(
                [.posixPermissions: isDirectory ? 0o777 : 0o644],
                ofItemAtPath: root.appending(name))
        }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600, .ownerAccountID: 65534],
            ofItemAtPath: root.appending("master.key"))
        let environment = Probe.environment(["PROBE_USER": Probe.nobody])
        for kind in AreaCase.onDisk {
            func run(_ arguments: String...) throws -> [String] {
                try Probe.run([root.path] + arguments, environment: environment)
            }
            #expect(try run("get", kind.rawValue, "k") == ["value v", "done"])
            #expect(try run("keys", kind.rawValue) == ["keys k", "done"])
            for arguments in [
                ["set", kind.rawValue, "k", "new"], ["set", kind.rawValue, "o", "new"],
                ["del", kind.rawValue, "k"],
            ] {
                let answer = try Probe.run([root.path] + arguments, environment: environment)
                #expect(answer.count == 1)
                #expect(
                    answer.first?.hasPrefix("error noPermission: ") == true, "\(kind) \(answer)")
            }
            #expect(try run("get", kind.rawValue, "k") == ["value v", "done"])
        }
    }

    @Test("An area that may not be read is no empty one") func unreadable() throws {
        guard geteuid() == 0 else {
            print("not tried: only root can make directories of somebody else's")
            return
        }
        let root = try TemporaryDirectory()
        for kind in AreaCase.onDisk {
            try Probe.run([root.path, "set", kind.rawValue, "k", "v"])
            let environment = Probe.environment(["PROBE_USER": Probe.nobody])
            for command in [
                ["get", kind.rawValue, "k"], ["keys", kind.rawValue],
                ["contains", kind.rawValue, "k"],
            ] {
                let answer = try Probe.run([root.path] + command, environment: environment)
                #expect(answer.first?.hasPrefix("error noPermission: ") == true, "\(answer)")
            }
        }
    }

    @Test("On a full disk the old value stays, and it says so (C062)", arguments: AreaCase.onDisk)
    func fullDisk(_ kind: AreaCase) throws {
        guard try Probe.mayMount() else { return }
        let root = try TemporaryDirectory()
        let script = """
            exec unshare -m sh -c 'mount -t tmpfs -o size=1m none "$2" && exec "$@"' sh "$@"
            """
        let answers = try Probe.run(
            [root.path, "full", kind.rawValue, root.path], script: script)
        #expect(answers.count == 6)
        #expect(answers.first?.hasPrefix("error noSpace: ") == true, "\(answers)")
        #expect(answers.dropFirst().first?.hasPrefix("error noSpace: ") == true, "\(answers)")
        #expect(answers.suffix(4) == ["value old", "keys k", "bytes 307200", "done"])
    }

    /// When everything was last changed.
    private static func stamps(of directory: TemporaryDirectory) throws -> [String: Date] {
        var stamps: [String: Date] = [:]
        for name in directory.names() + ["."] {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: directory.appending(name))
            stamps[name] = attributes[.modificationDate] as? Date
        }
        return stamps
    }
}

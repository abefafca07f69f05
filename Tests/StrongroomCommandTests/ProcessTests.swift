import Glibc
import Testing

/// The built command among other processes: killed, raced, watched.
@Suite struct `The built command among processes` {
    /// How often what takes chance is tried: in full with the command as it is shipped, which is ten times as fast.
    private var isShipped: Bool { unsafe getenv("STRONGROOM_COMMAND") != nil }

    private func vault(_ keys: String...) throws -> Scratch {
        let scratch = try Scratch()
        for key in keys {
            let set = try scratch.run("--root", ".", "-q", "set", key, input: Array(key.utf8))
            #expect(set.status == 0, "\(set.errorText)")
        }
        return scratch
    }

    /// C059.
    @Test func `killed while it stores a value, leaves the old one or the new one`() throws {
        let scratch = try vault()
        let byteCount = 8 << 20
        var value = [UInt8](repeating: 0, count: byteCount)
        let first = try scratch.run("--root", ".", "-q", "set", "k", input: value)
        #expect(first.status == 0, "\(first.errorText)")
        for round in 1...(isShipped ? 200 : 12) {
            let byte = UInt8(truncatingIfNeeded: round)
            let new = [UInt8](repeating: byte, count: byteCount)
            let running = try scratch.start(["--root", ".", "set", "k"], input: new)
            usleep(.random(in: 0...(isShipped ? 50_000 : 400_000)))
            running.signal(SIGKILL)
            _ = try running.wait()
            let found = try scratch.run("--root", ".", "get", "k")
            #expect(found.status == 0, "\(found.errorText)")
            if found.output == value { continue }
            // One that was killed later than it looks is not put off to whoever writes next.
            #expect(found.output == new, "neither the old value nor the new one")
            value = found.output
        }
        let check = try scratch.run("--root", ".", "check")
        #expect(check.status == 0, "\(check.outputText)")
    }

    /// D14 with true signals: the status is that of the signal, and the rotation can go on.
    @Test("stops a rotation at a signal", arguments: [SIGTERM, SIGINT, SIGHUP])
    func signalled(_ signal: Int32) throws {
        let scratch = try vault("a")
        let filled = try scratch.shell(
            #"for n in $(seq 200); do printf $n; done | head -c 400 > v; "#
                + #"for n in $(seq 60); do "$V" --root . set "k$n" < v || exit 1; done"#)
        #expect(filled.status == 0, "\(filled.errorText)")
        var stopCount = 0
        for round in 0..<40 where stopCount < 3 {
            let running = try scratch.start(["--root", ".", "rotate"])
            usleep(useconds_t(round) * 2_000)
            running.signal(signal)
            let ended = try running.wait()
            guard ended.status == 128 + signal else {
                #expect(ended.status == 0, "\(ended.errorText)")
                continue
            }
            // Before it watches for signals, a process simply ends.
            if ended.errorText != "" {
                stopCount += 1
                #expect(ended.errorText.hasSuffix("run strongroom rotate to go on\n"))
            }
            #expect(ended.outputText == "")
            let list = try scratch.run("--root", ".", "-q", "list")
            #expect(list.outputText.split(separator: "\n").count == 61, "\(list.errorText)")
        }
        #expect(stopCount > 0, "no rotation was stopped")
        #expect(try scratch.run("--root", ".", "rotate").status == 0)
        #expect(
            try scratch.run("--root", ".", "check", "--json").outputText.contains("\"findings\":[]")
        )
        #expect(try scratch.run("--root", ".", "get", "a").outputText == "a")
    }

    /// D01: what has opened the vault and waits for its input, while the key is rotated.
    @Test func `a process that holds the old keys stores under the new ones`() throws {
        let scratch = try vault("y")
        let result = try scratch.shell(
            """
            cp master.key old; mkfifo pipe
            "$V" --root . set x < pipe & exec 8> pipe
            # More than the pipe holds: once this is written, some is read, and the vault is open.
            head -c 70000 /dev/zero >&8
            "$V" --root . rotate -q > printed || exit 1
            printf new >&8; exec 8>&-; wait $! || exit 2
            "$V" --root . get x | tail -c 3 && "$V" --root . get y
            "$V" --root . --key-file old get x; echo " $?"
            """)
        #expect(result.outputText == "newy 5\n", "\(result.errorText)")
        #expect(result.status == 0)
        let check = try scratch.run("--root", ".", "check", "--json")
        #expect(check.outputText.contains("\"entryCount\":2,\"findings\":[]"))
    }

    /// C041.
    @Test func `a list that nobody reads to its end says nothing`() throws {
        let scratch = try vault()
        let result = try scratch.shell(
            """
            mkdir storage; cd storage; seq -f key%05g 20000 | xargs touch; cd ..
            { "$V" --root . --area storage list; echo $? > status; } | head -n 1; cat status
            """)
        #expect(result.outputText == "key00001\n141\n")
        #expect(result.errorText == "")
    }

    /// C049: while it works, and what it works with.
    @Test func `no command line holds a value or a key`() throws {
        let scratch = try vault("a")
        let result = try scratch.shell(
            """
            # Put together here, and looked for by a file: neither this script nor the search has it in its arguments.
            needle=$(printf NEEDLE-%s 9f3c); { echo "$needle"; sed -n 's/^key //p' master.key; } > needles
            # The search itself must find what is there.
            sh -c 'sleep 60; :' "$needle" & decoy=$!
            until tr '\\0' ' ' < /proc/$decoy/cmdline | grep -q "$needle"; do :; done; kill $decoy
            look() { cat /proc/[0-9]*/cmdline 2> /dev/null | tr '\\0' '\\n' | grep -cF -f needles; }
            mkfifo pipe; "$V" --root . --key-fd 7 set k < pipe 7< master.key & exec 8> pipe
            printf %s "$needle" >&8; head -c 70000 /dev/zero >&8; look; exec 8>&-; wait $!
            "$V" --root . rotate -q > printed & while kill -0 $! 2> /dev/null; do look; done | sort -u
            "$V" --root . get k | head -c 11
            """)
        #expect(result.outputText == "0\n0\nNEEDLE-9f3c", "\(result.errorText)")
    }

    /// C033, and that no more of a value is in memory than a few pieces.
    @Test func `a large value goes in and out in pieces`() throws {
        let scratch = try vault()
        let result = try scratch.shell(
            """
            head -c 100M /dev/urandom > large; mkfifo pipe
            "$V" --root . -q set k < pipe & exec 8> pipe; cat large >&8
            awk '/^VmHWM/ { print $2 }' /proc/$!/status; exec 8>&-; wait $! || exit 1
            "$V" --root . get k > pipe & exec 8< pipe; head -c 104000000 <&8 > out
            awk '/^VmHWM/ { print $2 }' /proc/$!/status; cat <&8 >> out; wait $! || exit 2
            cmp large out
            """)
        #expect(result.status == 0, "\(result.errorText)")
        let peaks = result.outputText.split(separator: "\n").compactMap { Int($0) }
        #expect(peaks.count == 2)
        for peak in peaks { #expect(peak < 50_000, "\(peak) KiB") }
    }

    @Test func `many first uses at once make one key, and lose nothing`() throws {
        for _ in 0..<(isShipped ? 50 : 5) {
            let scratch = try vault()
            var running: [Running] = []
            for number in 0..<20 {
                running.append(
                    try scratch.start(
                        ["--root", ".", "-q", "set", "k\(number)"], input: Array("v".utf8)))
            }
            for process in running {
                let ended = try process.wait()
                #expect(ended.status == 0, "\(ended.errorText)")
            }
            let list = try scratch.run("--root", ".", "list")
            #expect(list.outputText.split(separator: "\n").count == 20, "\(list.errorText)")
            let found = try scratch.shell("ls | sed 's/^[0-9a-f]*[.]anchor$/anchor/'")
            #expect(found.outputText == "anchor\nhome\nmaster.key\nvault\n")
        }
    }

    @Test(
        "an interrupt while it waits for a lock ends it at once",
        arguments: [
            ["vault/job", "rotate"], ["vault/lock", "set", "k"], [".", "rotate"],
            ["vault/lock", "copy", "k", "other"],
        ])
    func waiting(_ words: [String]) throws {
        let scratch = try vault("k")
        let result = try scratch.shell(
            """
            exec 9< \(words[0]); flock 9
            echo new | "$V" --root . --wait 300 \(words[1...].joined(separator: " ")) 9<&- & process=$!
            # It waits on a thread of its own.
            until grep -qs lock /proc/$process/task/*/comm; do kill -0 $process || exit 1; done
            kill -TERM $process; wait $process; echo $?; exec 9<&-
            "$V" --root . get k
            """)
        #expect(result.outputText == "143\nk", "\(result.errorText)")
    }

    @Test func `an interrupt ends the command that gives it the key`() throws {
        let scratch = try vault("k")
        let result = try scratch.shell(
            """
            "$V" --root . --key-command 'echo $$ > new; mv new pid; sleep 1000' get k & process=$!
            until [ -e pid ]; do kill -0 $process || exit 1; done
            kill -TERM $process; wait $process; echo $?
            while kill -0 -$(cat pid) 2> /dev/null; do :; done
            """)
        #expect(result.outputText == "143\n", "\(result.errorText)")
    }

    @Test func `an interrupt while it waits for its input ends it at once`() throws {
        let scratch = try vault("k")
        let result = try scratch.shell(
            """
            mkfifo pipe; "$V" --root . set k < pipe & exec 8> pipe; head -c 70000 /dev/zero >&8
            kill -TERM $!; wait $!; echo $?; "$V" --root . get k
            """)
        #expect(result.outputText == "143\nk")
        // A shell that says how its job ended; the command itself says nothing.
        #expect(["", "Terminated\n"].contains(result.errorText))
    }

    /// What a person does who types ^C: the writer of the pipe dies of the same signal.
    @Test("a signal to all of a pipe stores nothing", arguments: ["INT", "TERM", "HUP"])
    func group(_ signal: String) throws {
        for incoming in IncomingCase.all where incoming.byteCount > 65_536 {
            let scratch = try Scratch()
            // More than the pipe holds: once it is written, the command has begun to read.
            let result = try scratch.shell(
                """
                printf old | "$V" --root . --area $AREA -q set k; mkfifo hold
                env --default-signal=$SIGNAL setsid sh -c '
                    { head -c $COUNT /dev/zero; : > written; exec sleep 50; } |
                    "$V" --root . --area $AREA set k 3> hold' & exec 4< hold
                until test -e written; do :; done
                kill -$SIGNAL -$!; cat <&4; "$V" --root . --area $AREA get k
                """,
                environment: [
                    "AREA": incoming.area, "SIGNAL": signal, "COUNT": "\(incoming.byteCount)",
                ])
            #expect(result.outputText == "old", "\(incoming): \(result.errorText)")
        }
    }
}

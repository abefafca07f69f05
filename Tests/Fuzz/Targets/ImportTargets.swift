import StrongroomFormats

/// What others write, and people import.
enum ImportTargets {
    /// The JSON of `export`.
    static func json(_ input: [UInt8]) throws {
        do throws(ExportedEntry.Failure) {
            for entry in try ExportedEntry.list(parsing: input) {
                expect(entry.value.count <= input.count, "a value that nobody gave")
            }
        } catch {
            expect(!error.what.isEmpty, "an error that says nothing")
        }
    }

    /// A file of variables: what is read can be written, unless readers differ in it, and is then read as the same.
    static func dotenv(_ input: [UInt8]) throws {
        do throws(Dotenv.Failure) {
            for (name, value) in try Dotenv.variables(parsing: input) {
                guard let line = Dotenv.line(name, value) else { continue }
                let again = try Dotenv.variables(parsing: line)
                expect(
                    again.count == 1 && again[0].name == name && again[0].value == value,
                    "a variable that is read back as another")
            }
        } catch {
            expectLine(error.line, input)
        }
    }

    /// KeePass's CSV.
    static func keePass(_ input: [UInt8]) throws {
        do throws(KeePassCSV.Failure) {
            let entries = try KeePassCSV(parsing: input).entries
            expect(entries.count <= input.count, "entries that nobody gave")
        } catch {
            expectLine(error.record, input)
        }
    }

    /// `~/.netrc`.
    static func netrc(_ input: [UInt8]) throws {
        do throws(Netrc.Failure) {
            let netrc = try Netrc(parsing: input)
            expect(
                netrc.machines.count + netrc.macroCount <= input.count, "machines that nobody gave")
        } catch {
            expectLine(error.line, input)
        }
    }

    private static func expectLine(_ line: Int, _ input: [UInt8]) {
        expect((1...input.count + 2).contains(line), "an error in a line that is not there")
    }
}

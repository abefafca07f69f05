import StrongroomCrypto
import StrongroomFormats
import StrongroomSystem
import StrongroomVault

/// An entry that comes from elsewhere.
struct ImportedEntry {
    /// Its key, in normal form C.
    let key: String
    /// What is to be stored.
    let value: EntryValue

    /// The forms that are read.
    enum Format: String, CaseIterable {
        case json, dotenv
        case keePass = "keepass-csv"
        case netrc
    }

    /// What a file of that form holds; unreadable input is wrong usage.
    static func all(_ format: Format, _ bytes: [UInt8], _ name: String) throws(Failure)
        -> [ImportedEntry]
    {
        let found =
            switch format {
            case .json: try json(bytes, name)
            case .dotenv: try dotenv(bytes, name)
            case .keePass: try keePass(bytes, name)
            case .netrc: try netrc(bytes, name)
            }
        var keys: Set<String> = []
        for entry in found where !keys.insert(entry.key).inserted {
            throw Failure(
                .usage, entry.key, "is there twice",
                advice: "nothing was imported; leave one of them out")
        }
        return found
    }

    private init(
        _ key: String, _ bytes: [UInt8], attributes: [String: String] = [:],
        times: EntryTimes? = nil
    )
        throws(Failure)
    {
        self.key = try Session.key(key)
        value = EntryValue(
            bytes: SecretBytes(SecretBuffer(copying: bytes.span)), attributes: attributes,
            times: times)
    }

    private static func json(_ bytes: [UInt8], _ name: String) throws(Failure) -> [ImportedEntry] {
        let entries: [ExportedEntry]
        do throws(ExportedEntry.Failure) { entries = try ExportedEntry.list(parsing: bytes) } catch
        {
            throw Failure(.usage, error.key ?? name, error.what, advice: "nothing was imported")
        }
        var found: [ImportedEntry] = []
        for entry in entries {
            found.append(
                try ImportedEntry(
                    entry.key, entry.value, attributes: entry.attributes,
                    times: entry.modified.map { EntryTimes(created: entry.created, modified: $0) }))
        }
        return found
    }

    private static func dotenv(_ bytes: [UInt8], _ name: String) throws(Failure) -> [ImportedEntry]
    {
        let variables: [(name: VariableName, value: [UInt8])]
        do throws(Dotenv.Failure) { variables = try Dotenv.variables(parsing: bytes) } catch {
            throw Failure(
                .usage, name, "line \(error.line): \(error.what)", advice: "nothing was imported")
        }
        var found: [ImportedEntry] = []
        for variable in variables {
            found.append(try ImportedEntry(variable.name.text, variable.value))
        }
        return found
    }

    /// Under group and title the password, with username and address; notes and TOTP beside it, since they may be secret too.
    private static func keePass(_ bytes: [UInt8], _ name: String) throws(Failure) -> [ImportedEntry]
    {
        let csv: KeePassCSV
        do throws(KeePassCSV.Failure) { csv = try KeePassCSV(parsing: bytes) } catch {
            throw Failure(
                .usage, name, "record \(error.record): \(error.what)",
                advice: "nothing was imported")
        }
        var found: [ImportedEntry] = []
        for entry in csv.entries {
            let key = entry.group.isEmpty ? entry.title : entry.group + "/" + entry.title
            var attributes: [String: String] = [:]
            if !entry.username.isEmpty { attributes["username"] = entry.username }
            if !entry.url.isEmpty { attributes["url"] = entry.url }
            found.append(
                try ImportedEntry(key, Array(entry.password.utf8), attributes: attributes))
            for (part, text) in [("notes", entry.notes), ("totp", entry.totp)] where !text.isEmpty {
                found.append(try ImportedEntry(key + "/" + part, Array(text.utf8)))
            }
        }
        return found
    }

    /// `netrc/MACHINE/LOGIN`, the default machine as `default`; a machine without a password is passed over.
    private static func netrc(_ bytes: [UInt8], _ name: String) throws(Failure) -> [ImportedEntry] {
        let netrc: Netrc
        do throws(Netrc.Failure) { netrc = try Netrc(parsing: bytes) } catch {
            throw Failure(
                .usage, name, "line \(error.line): \(error.what)", advice: "nothing was imported")
        }
        var found: [ImportedEntry] = []
        for machine in netrc.machines {
            guard let password = machine.password else { continue }
            let key = ["netrc", machine.name ?? "default", machine.login].compactMap { $0 }
                .joined(separator: "/")
            found.append(
                try ImportedEntry(
                    key, Array(password.utf8),
                    attributes: machine.account.map { ["account": $0] } ?? [:]))
        }
        return found
    }
}

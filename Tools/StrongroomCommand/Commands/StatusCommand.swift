import StrongroomSystem
import StrongroomVault

/// `status`: where everything is, why it is there, and how the vault stands.
enum StatusCommand {
    /// What there is to say.
    private struct Facts {
        var settings: Settings
        var vault: VaultStatus?
        /// False if there is a vault that cannot be opened.
        var isKnown = true
        /// The master key's source, if one was named.
        var namedKey: String?

        /// Where the master key comes from, as far as that is known.
        var keySource: String {
            vault?.keySource ?? namedKey ?? settings.directories.masterKey.path.description
        }

        /// Why it is that one; nil of one that was named.
        var keyRule: String? {
            let place = settings.directories.masterKey
            return keySource == place.path.description ? place.rule : nil
        }

        /// The places in the order they are shown.
        var places: [(name: String, place: AppDirectories.Place)] {
            let directories = settings.directories
            var places = [
                ("vault", directories.vault), ("storage", directories.storage),
                ("cache", directories.cache), ("temporary", directories.temporary),
            ]
            if let assets = directories.assets { places.append(("assets", assets)) }
            return places
        }
    }

    /// Runs it.
    static func run(_ session: Session) throws(Failure) {
        var facts = Facts(settings: try session.settings())
        if let named = try SecretSource.named(
            .masterKey, session.invocation, session.environment)
        {
            facts.namedKey =
                named.kind == .file ? Path(bytes: named.value).description : named.name
        }
        do throws(Failure) {
            let vault = try session.vaultForInventory()
            do throws(VaultError) {
                facts.vault = try vault.status()
            } catch {
                guard case .noVault = error else { throw session.failure(error) }
            }
        } catch {
            // What is known is shown all the same.
            facts.isKnown = false
            session.report(error)
        }
        if session.invocation.has(.json) {
            try session.console.writeLine(json(facts))
        } else {
            try session.console.write(text(facts))
        }
    }

    private static func text(_ facts: Facts) -> String {
        var text = line("app", facts.settings.app)
        for (name, place) in facts.places { text += line(name, shown(place)) }
        let rule = facts.keyRule.map { " (\($0))" } ?? ""
        text += line("master key", Escaping.shown(facts.keySource) + rule)
        guard let vault = facts.vault else {
            return text + line("state", facts.isKnown ? "no vault yet" : "cannot be opened")
        }
        text += line("key id", vault.keyID)
        text += line("sealed", vault.isSealed ? "with a passphrase" : "no")
        text += line("vault id", vault.vaultID)
        text += line("entries", String(vault.entryCount))
        text += line("bytes", String(vault.byteCount))
        text += line("garbage", String(vault.garbageByteCount))
        text += line("format", String(vault.format))
        text += line("layout", vault.layout)
        text += line("rotation", vault.rotation.rawValue)
        if vault.isRolledBack { text += line("state", "older than what was seen before") }
        switch vault.rollbackProtection {
        case .anchor(let path): return text + line("rollback", "noticed by \(Escaping.shown(path))")
        case .behind(let path):
            let told = "noticed by \(Escaping.shown(path)), as far as it goes: \(isBehind)"
            return text + line("rollback", told)
        case .none(let reason):
            return text + line("rollback", "not noticed: \(Escaping.shown(reason))")
        }
    }

    private static let isBehind = "it is older than the vault until a write can bring it up to date"

    private static func shown(_ place: AppDirectories.Place) -> String {
        Escaping.shown(bytes: place.path.bytes) + " (\(place.rule))"
    }

    private static func line(_ name: String, _ value: String) -> String {
        name + String(repeating: " ", count: max(1, 12 - name.utf8.count)) + value + "\n"
    }

    private static func json(_ facts: Facts) -> String {
        var json = JSONText()
        json.object { json in
            json.field("app", facts.settings.app)
            json.name("directories")
            json.object { json in
                for (name, place) in facts.places {
                    json.name(name)
                    field(place, &json)
                }
            }
            json.name("masterKey")
            json.object { json in
                json.field("source", facts.keySource)
                json.field("rule", facts.keyRule)
                json.field("id", facts.vault?.keyID)
                json.field("sealed", facts.vault?.isSealed)
            }
            json.name("vault")
            guard let vault = facts.vault else { return json.string(nil) }
            json.object { json in field(vault, &json) }
        }
        return json.text
    }

    private static func field(_ place: AppDirectories.Place, _ json: inout JSONText) {
        json.object { json in
            json.field("path", place.path.description)
            json.field("rule", place.rule)
        }
    }

    private static func field(_ vault: VaultStatus, _ json: inout JSONText) {
        json.field("id", vault.vaultID)
        json.field("app", vault.app)
        json.field("format", vault.format)
        json.field("layout", vault.layout)
        json.field("entryCount", vault.entryCount)
        json.field("byteCount", vault.byteCount)
        json.field("garbageByteCount", vault.garbageByteCount)
        json.field("keyringGeneration", vault.keyringGeneration)
        json.field("rotation", vault.rotation.rawValue)
        json.field("rolledBack", vault.isRolledBack)
        json.name("rollbackProtection")
        json.object { json in
            switch vault.rollbackProtection {
            case .anchor(let path):
                json.field("anchor", path)
                json.field("reason", nil as String?)
            case .behind(let path):
                json.field("anchor", path)
                json.field("reason", isBehind)
            case .none(let reason):
                json.field("anchor", nil as String?)
                json.field("reason", reason)
            }
        }
    }
}

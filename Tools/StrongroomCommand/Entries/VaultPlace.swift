import StrongroomCrypto
import StrongroomStores
import StrongroomSystem
import StrongroomVault

/// The vault, as the commands see it.
struct VaultPlace: EntryPlace {
    let area = AreaName.vault
    /// The vault.
    let vault: Vault
    /// Where it is.
    let directory: Path
    /// What the command says for each of its errors.
    let failure: (VaultError) -> Failure

    /// What the vault says of itself.
    func status() throws(Failure) -> VaultStatus {
        do throws(VaultError) { return try vault.status() } catch { throw failure(error) }
    }

    func contains(_ key: String) throws(Failure) -> Bool {
        do throws(VaultError) { return try vault.contains(key) } catch { throw failure(error) }
    }

    func list() throws(Failure) -> EntryListing {
        do throws(VaultError) {
            let found = try vault.list()
            var listing = EntryListing()
            for info in found.entries {
                listing.entries.append(
                    ListedEntry(
                        key: info.key, byteCount: info.byteCount, created: info.created,
                        modified: info.modified, attributes: info.attributes))
            }
            for entry in found.damaged { listing.failures.append(Failure(entry)) }
            return listing
        } catch {
            throw failure(error)
        }
    }

    func open(_ key: String) throws(Failure) -> (any EntryPieces)? {
        do throws(VaultError) {
            guard let pieces = try vault.pieces(key) else { return nil }
            return VaultEntryPieces(pieces, failure)
        } catch {
            throw failure(error)
        }
    }

    func set(_ entries: [KeyedValue], mustBeAbsent: Bool) throws(Failure) {
        var changes: [VaultChange] = []
        var conditions: [String: Version?] = [:]
        for entry in entries {
            changes.append(
                .set(
                    key: entry.key, value: entry.value.bytes, attributes: entry.value.attributes,
                    times: entry.value.times))
            if mustBeAbsent { conditions.updateValue(nil, forKey: entry.key) }
        }
        do throws(VaultError) {
            try vault.commit(changes, if: conditions)
        } catch {
            if mustBeAbsent, case .changed(let key) = error { throw Failure.entryExists(key) }
            throw failure(error)
        }
    }

    func write(
        _ key: String, attributes: [String: String], times: EntryTimes?, mustBeAbsent: Bool,
        _ body: (any EntrySink) throws(Failure) -> Void
    ) throws(Failure) {
        let condition: Version?? = mustBeAbsent ? .some(nil) : nil
        do {
            try vault.write(key, attributes: attributes, times: times, if: condition) { writer in
                try body(VaultSink(writer, failure))
            }
        } catch let error as Failure {
            throw error
        } catch let error as VaultError {
            if mustBeAbsent, case .changed = error { throw Failure.entryExists(key) }
            throw failure(error)
        } catch {
            throw Failure(.failed, key, "the value was not stored")
        }
    }

    func del(_ keys: [String]) throws(Failure) {
        var changes: [VaultChange] = []
        for key in keys { changes.append(.del(key: key)) }
        do throws(VaultError) { try vault.commit(changes, if: [:]) } catch { throw failure(error) }
    }

    func del(_ key: String, ifVersion version: Version) throws(Failure) {
        do throws(VaultError) {
            try vault.commit([.del(key: key)], if: [key: version])
        } catch { throw failure(error) }
    }

    func replace(
        _ key: String, version: Version, by new: String, _ value: EntryValue, mustBeAbsent: Bool
    ) throws(Failure) {
        let set = VaultChange.set(
            key: new, value: value.bytes, attributes: value.attributes)
        var conditions: [String: Version?] = [key: version]
        if mustBeAbsent { conditions.updateValue(nil, forKey: new) }
        do throws(VaultError) {
            try vault.commit([set, .del(key: key)], if: conditions)
        } catch {
            if case .changed(new) = error { throw Failure.entryExists(new) }
            throw failure(error)
        }
    }
}

/// A value of the vault being read.
private final class VaultEntryPieces: EntryPieces {
    private let pieces: any VaultPieces
    private let failure: (VaultError) -> Failure

    init(_ pieces: any VaultPieces, _ failure: @escaping (VaultError) -> Failure) {
        self.pieces = pieces
        self.failure = failure
    }

    var byteCount: UInt64 { pieces.info.byteCount }
    var attributes: [String: String] { pieces.info.attributes }

    func times() throws(Failure) -> EntryTimes? {
        EntryTimes(created: pieces.info.created, modified: pieces.info.modified)
    }

    func version() throws(Failure) -> Version { pieces.info.version }

    func next() throws(Failure) -> SecretBytes? {
        do throws(VaultError) { return try pieces.next() } catch { throw failure(error) }
    }
}

/// Where the pieces of a value go that the vault seals.
private final class VaultSink: EntrySink {
    private let writer: any VaultWriter
    private let failure: (VaultError) -> Failure

    init(_ writer: any VaultWriter, _ failure: @escaping (VaultError) -> Failure) {
        self.writer = writer
        self.failure = failure
    }

    func write(_ bytes: Span<UInt8>) throws(Failure) {
        do throws(VaultError) { try writer.write(bytes) } catch { throw failure(error) }
    }
}

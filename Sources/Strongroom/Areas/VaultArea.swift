import StrongroomCrypto
import StrongroomStores
package import StrongroomVault

/// The area of secrets: every entry is sealed under keys that a master-key file unlocks.
///
/// The key is read at the first use. The first write in an untouched place makes master key and
/// vault; reading there finds nothing. Names of entries do not show on the disk, and any key may
/// lie beside any other.
public struct VaultArea: Area {
    /// The sealed store.
    package let vault: Vault

    /// The area over `vault`.
    package init(_ vault: Vault) { self.vault = vault }

    /// The entry of a key, or nil if there is none.
    public func entry(_ key: String) throws(StrongroomError) -> Entry? {
        do throws(VaultError) {
            guard let opened = try vault.read(key) else { return nil }
            return Entry(opened)
        } catch { throw StrongroomError(error) }
    }

    /// Whether there is an entry of a key.
    public func contains(_ key: String) throws(StrongroomError) -> Bool {
        do throws(VaultError) { return try vault.contains(key) } catch {
            throw StrongroomError(error)
        }
    }

    /// The keys below a folder, or every key if that is nil.
    ///
    /// - Throws: ``StrongroomError/damaged(key:)`` if the name of an entry cannot be read, since it
    ///   may be one of those: ``contents(under:)`` gives the others.
    public func keys(under folder: String?) throws(StrongroomError) -> [String] {
        let filter = try KeyFolder(folder)
        let listing: VaultListing
        do throws(VaultError) { listing = try vault.list() } catch { throw StrongroomError(error) }
        if listing.isIncomplete {
            throw .storeDamaged(
                path: "vault", what: "a part of the log is lost; some keys may be missing")
        }
        var keys = listing.keys
        if folder != nil { keys = keys.filter { filter.holds(Array($0.utf8)) } }
        guard !listing.damaged.isEmpty else { return keys }
        for entry in listing.damaged {
            guard let key = entry.key else { throw .damaged(key: "id:" + entry.id) }
            if filter.holds(Array(key.utf8)) { keys.append(key) }
        }
        return keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The version of an entry, or nil if there is none; its value is not read.
    public func version(of key: String) throws(StrongroomError) -> UInt64? {
        guard let info = try info(key) else { return nil }
        return info.version.number
    }

    /// Hands out an entry's value in pieces of at most 64 KiB, however large it is.
    ///
    /// That the end of the value is there is known before the first piece is handed out; each piece
    /// is verified before it is, and wiped after.
    public func readPieces(
        _ key: String, while body: (Span<UInt8>) -> Bool
    ) throws(StrongroomError) -> Bool {
        do throws(VaultError) {
            guard let pieces = try vault.pieces(key) else { return false }
            while let piece = try pieces.next() {
                guard piece.withBytes(body) else { break }
            }
            return true
        } catch { throw StrongroomError(error) }
    }

    /// Makes all of the changes, or none of them.
    ///
    /// Setting an entry anew keeps no attributes.
    public func commit(_ changes: Changes) throws(StrongroomError) {
        var steps: [VaultChange] = []
        for step in try changes.steps() {
            switch step {
            case .set(let key, let value):
                steps.append(.set(key: key, value: value.contents, attributes: [:]))
            case .del(let key): steps.append(.del(key: key))
            }
        }
        var conditions: [String: Version?] = [:]
        for (key, version) in changes.expectations {
            conditions.updateValue(version.map(Version.init(number:)), forKey: key)
        }
        if steps.isEmpty && conditions.isEmpty { return }
        do throws(VaultError) { try vault.commit(steps, if: conditions) } catch {
            throw StrongroomError(error)
        }
    }

    /// Makes or replaces an entry of what `body` writes, which is sealed piece by piece as it
    /// comes, out of sight until `body` returns.
    public func write(_ key: String, _ body: (inout EntryWriter) throws -> Void) throws {
        do {
            try vault.write(key, attributes: [:], if: nil) { sealing in
                var writer = EntryWriter(SealingSink(sealing))
                try body(&writer)
            }
        } catch let error as VaultError {
            throw StrongroomError(error)
        }
    }

    /// The header of an entry.
    func info(_ key: String) throws(StrongroomError) -> EntryInfo? {
        do throws(VaultError) { return try vault.info(key) } catch { throw StrongroomError(error) }
    }
}

/// Writes into a vault's sealing.
private final class SealingSink: EntrySink {
    private let sealing: any VaultWriter

    init(_ sealing: any VaultWriter) { self.sealing = sealing }

    func write(_ bytes: Span<UInt8>) throws(StrongroomError) {
        do throws(VaultError) { try sealing.write(bytes) } catch { throw StrongroomError(error) }
    }
}

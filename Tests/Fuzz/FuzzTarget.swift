import StrongroomSystem

/// A decoder, or a family of them, and what must hold of whatever it is given.
struct FuzzTarget: Sendable {
    /// What it is called on the command line, and the name of its directory in `Corpus`.
    let name: String
    /// Tries one input; what it throws is a finding.
    let run: @Sendable ([UInt8]) throws -> Void

    static let all = [
        FuzzTarget(name: "anchor", run: AnchorTarget.run),
        FuzzTarget(name: "app-id", run: NameTargets.appID),
        FuzzTarget(name: "area", run: AreaTarget.run),
        FuzzTarget(name: "arguments", run: ArgumentsTarget.run),
        FuzzTarget(name: "base32", run: NameTargets.base32),
        FuzzTarget(name: "docker-input", run: HelperTargets.docker),
        FuzzTarget(name: "dotenv", run: ImportTargets.dotenv),
        FuzzTarget(name: "entry", run: EntryTargets.sealed),
        FuzzTarget(name: "entry-forged", run: EntryTargets.forged),
        FuzzTarget(name: "entry-header", run: EntryTargets.header),
        FuzzTarget(name: "generation", run: StoreFileTargets.generation),
        FuzzTarget(name: "git-input", run: HelperTargets.git),
        FuzzTarget(name: "json", run: ImportTargets.json),
        FuzzTarget(name: "keepass-csv", run: ImportTargets.keePass),
        FuzzTarget(name: "key-names", run: NameTargets.key),
        FuzzTarget(name: "keyring", run: KeyringTargets.file),
        FuzzTarget(name: "keyring-body", run: KeyringTargets.body),
        FuzzTarget(name: "log", run: LogTarget.run),
        FuzzTarget(name: "log-block", run: LogPieceTargets.block),
        FuzzTarget(name: "log-commit", run: LogPieceTargets.commit),
        FuzzTarget(name: "log-hint", run: LogPieceTargets.hint),
        FuzzTarget(name: "log-index", run: LogPieceTargets.index),
        FuzzTarget(name: "log-table", run: LogPieceTargets.table),
        FuzzTarget(name: "master-key", run: MasterKeyTarget.run),
        FuzzTarget(name: "netrc", run: ImportTargets.netrc),
        FuzzTarget(name: "path-names", run: NameTargets.path),
        FuzzTarget(name: "record", run: StoreFileTargets.record),
    ]

    /// The one that STRONGROOM_FUZZ_TARGET names.
    static let chosen: FuzzTarget = {
        let name = Environment.current.value("STRONGROOM_FUZZ_TARGET")?.text ?? ""
        for target in all where target.name == name { return target }
        Finding.stop("STRONGROOM_FUZZ_TARGET names no target: “\(name)”")
    }()
}

import StrongroomStores
import StrongroomSystem
import Synchronization

/// The anchor of one vault: outside its directory, what the newest keyring and the newest commit were (ARCHITECTURE
/// section 7).
///
/// It may lag behind the vault and never leads it. Its file stays open, so that noting a commit is one write.
final class VaultAnchor: LogAnchor {
    private struct State: Sendable {
        /// The file that is written.
        var file: OpenFile?
        /// Its directory, until it was synced after the file was made.
        var directory: OpenFile?
        /// Why there is nowhere to write; nil as long as that is not known.
        var refusal: String?
        /// Why the newest state is not in the anchor that there is.
        var failure: String?
        /// The process that opened it.
        var process = Identity.process
    }

    let vaultID: [UInt8]
    let places: AnchorPlaces
    private let state = Mutex(State())

    init(vaultID: [UInt8], places: AnchorPlaces) {
        self.vaultID = vaultID
        self.places = places
    }

    private var name: Path { AnchorPlaces.name(of: vaultID) }

    /// What it says now: of two files the higher, part by part.
    func mark() throws(VaultError) -> AnchorMark {
        var mark = AnchorMark()
        for directory in try places.directories() {
            guard let bytes = try read(directory.appending(name)) else { continue }
            mark = mark.merged(with: try AnchorSlot.mark(of: bytes, vaultID: vaultID))
        }
        return mark
    }

    /// The bytes of an anchor's file, nil if there is none that we may read.
    func read(_ path: Path) throws(VaultError) -> [UInt8]? {
        do {
            let file = try OpenFile.open(
                path, [.read, .nonBlocking], fileSystem: places.fileSystem)
            return try file.read(at: 0, count: AnchorSlot.fileByteCount)
        } catch {
            switch error.code {
            case ErrorCode.noEntry, ErrorCode.accessDenied, ErrorCode.link, ErrorCode.noDevice,
                ErrorCode.notDirectory, ErrorCode.isDirectory, ErrorCode.noSeek:
                return nil
            default: throw VaultError(error)
            }
        }
    }

    /// Where the files of it are that are there.
    func paths() throws(VaultError) -> [Path] {
        var found: [Path] = []
        for directory in try places.directories() {
            let path = directory.appending(name)
            if try read(path) != nil { found.append(path) }
        }
        return found
    }

    func point() throws(StoreError) -> LogPoint? {
        do {
            return try mark().point
        } catch {
            throw Self.storeError(error)
        }
    }

    func note(_ point: LogPoint) {
        do throws(VaultError) {
            try write(AnchorSlot(contents: .commit(point)), isDurable: false)
        } catch {
            // The commit stands, and the anchor lags behind it: `failure` tells who asks.
        }
    }

    func settle(_ point: LogPoint) throws(StoreError) {
        do {
            try write(AnchorSlot(contents: .commit(point)), isDurable: true)
        } catch {
            throw Self.storeError(error)
        }
    }

    /// A keyring stands: durable when the call returns.
    func note(keyringGeneration generation: UInt64) throws(VaultError) {
        try write(AnchorSlot(contents: .keyring(generation: generation)), isDurable: true)
    }

    /// The same, unless it is noted already: who wrote the keyring may have been killed before he noted it.
    func catchUp(toKeyring generation: UInt64) throws(VaultError) {
        guard try mark().keyringGeneration < generation else { return }
        try note(keyringGeneration: generation)
    }

    /// Says `mark` from now on, though what is there is higher.
    func replace(with mark: AnchorMark) throws(VaultError) {
        var bytes = [UInt8](repeating: 0, count: AnchorSlot.fileByteCount)
        var contents = [AnchorSlot.Contents.keyring(generation: mark.keyringGeneration)]
        if let point = mark.point { contents.append(.commit(point)) }
        for slot in contents.map(AnchorSlot.init(contents:)) {
            let start = Int(slot.offset)
            bytes.replaceSubrange(
                start..<start + AnchorSlot.byteCount, with: try slot.encoded(vaultID: vaultID))
        }
        for path in try paths() {
            do {
                let file = try OpenFile.open(
                    path, [.read, .write, .nonBlocking], fileSystem: places.fileSystem)
                try file.write(bytes.span, at: 0)
                try file.sync()
            } catch {
                throw VaultError(error)
            }
        }
    }

    /// Why the last state that was to be noted is not in the anchor, which so lags; nil if it is, or if there is none.
    var failure: String? { state.withLock { $0.failure } }

    /// Where it is written, or why it is not, and whether it knows of a vault's newest state; nothing is made.
    func protection(ofNewest newest: AnchorMark) throws(VaultError) -> RollbackProtection {
        if let path = try paths().first {
            return try mark().isBehind(newest)
                ? .behind(path: path.description) : .anchor(path: path.description)
        }
        if let refusal = state.withLock({ $0.refusal }) { return .none(reason: refusal) }
        return .none(reason: "there is no anchor yet; the next write makes one")
    }

    private func write(_ slot: AnchorSlot, isDurable: Bool) throws(VaultError) {
        let bytes = try slot.encoded(vaultID: vaultID)
        try state.withLock { (state: inout State) throws(VaultError) in
            if state.process != Identity.process { state = State() }
            do throws(SystemError) {
                // One that was removed meanwhile is made again.
                if let file = state.file, try file.status().linkCount == 0 { state.file = nil }
                if state.file == nil, state.refusal == nil { try open(&state) }
                guard let file = state.file else { return }
                try file.write(bytes.span, at: slot.offset)
                state.failure = nil
                guard isDurable else { return }
                try file.sync()
                try state.directory?.sync()
                state.directory = nil
            } catch {
                state.file = nil
                state.failure = "\(error.path): \(error.meaning)"
                throw VaultError(error)
            }
        }
    }

    /// Opens the first file that may be written, made if need be; or finds out why there is none.
    private func open(_ state: inout State) throws(SystemError) {
        var reasons: [String] = []
        let directories: [Path]
        do throws(VaultError) {
            directories = try places.directories()
        } catch {
            directories = places.state.map { [$0] } ?? []
        }
        for path in directories {
            do throws(SystemError) {
                let directory =
                    path == places.state
                    ? try DirectoryMaker.ensure(path, fileSystem: places.fileSystem)
                    : try OpenFile.open(
                        path, [.read, .directory, .followLink], fileSystem: places.fileSystem)
                guard DirectoryMaker.mayWrite(try directory.status()) else {
                    reasons.append("\(path) belongs to somebody else")
                    continue
                }
                let file = try directory.openFile(name, [.read, .write, .create, .nonBlocking])
                let status = try file.status()
                guard status.kind == .regular, status.linkCount <= 1 else {
                    let what =
                        status.kind == .regular ? "has another name too" : "is no regular file"
                    reasons.append("\(path.appending(name)) \(what)")
                    continue
                }
                if status.byteCount < Int64(AnchorSlot.fileByteCount) {
                    try file.truncate(to: Int64(AnchorSlot.fileByteCount))
                }
                state.file = file
                state.directory = directory
                return
            } catch {
                switch error.code {
                case ErrorCode.accessDenied, ErrorCode.notPermitted, ErrorCode.readOnly,
                    ErrorCode.noEntry, ErrorCode.link, ErrorCode.notDirectory,
                    ErrorCode.isDirectory, ErrorCode.noDevice:
                    reasons.append("\(path) cannot be written")
                default: throw error
                }
            }
        }
        state.refusal =
            reasons.isEmpty
            ? "there is no place outside the vault to note its state in"
            : reasons.joined(separator: "; ")
        // One that cannot be read may be there.
        do throws(VaultError) {
            if try !paths().isEmpty { state.failure = state.refusal }
        } catch { state.failure = state.refusal }
    }

    private static func storeError(_ error: VaultError) -> StoreError {
        switch error {
        case .system(let operation, let path, let code):
            .system(operation: operation, path: path, code: code)
        default: .system(operation: "note", path: "anchor", code: ErrorCode.io)
        }
    }
}

import StrongroomCrypto
import StrongroomSystem

/// A file that `--output` names: absent or a regular file, no link followed, mode 0600, and replaced only when all
/// of it is there.
///
/// Until `finish` the bytes are in a file beside it, which goes away if `finish` is not reached.
final class OutputFile {
    private let directory: OpenFile
    private let name: Path
    private let temporaryName: Path
    private let file: OpenFile
    private var byteCount: Int64 = 0
    private var isFinished = false

    /// Opens the directory and makes the file beside `path`.
    init(_ path: Path, fileSystem: any FileSystem) throws(Failure) {
        do throws(SystemError) { name = try path.fileName() } catch { throw Failure(error) }
        temporaryName = Path(".strongroom-" + (try Self.randomText()))
        let found: FileStatus?
        do throws(SystemError) {
            directory = try OpenFile.open(
                path.parent, [.read, .directory, .followLink], fileSystem: fileSystem)
            found = try directory.status(of: name)
        } catch { throw Failure(error) }
        guard found == nil || found?.kind == .regular, name != ".", name != ".." else {
            throw Failure(
                .usage, path.description, "--output needs a regular file, or none there",
                advice: "name another file")
        }
        do throws(SystemError) {
            file = try directory.openFile(
                temporaryName, [.write, .create, .exclusive], mode: 0o600)
        } catch { throw Failure(error) }
    }

    private static func randomText() throws(Failure) -> String {
        do throws(CryptoError) {
            var text = ""
            for byte in try Randomness.bytes(8) {
                text += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
            }
            return text
        } catch { throw Failure(.failed, "the system has no random bytes") }
    }

    deinit {
        guard !isFinished else { return }
        // Left unfinished, so somebody has an error in hand, which says more than one of tidying up.
        try? directory.unlink(temporaryName)
    }

    /// Adds `bytes`.
    func write(_ bytes: Span<UInt8>) throws(Failure) {
        do {
            try file.write(bytes, at: byteCount)
            byteCount += Int64(bytes.count)
        } catch {
            throw Failure(error)
        }
    }

    /// Puts the file in its place, durable.
    func finish() throws(Failure) {
        do {
            try file.sync()
            try directory.rename(temporaryName, to: name)
            isFinished = true
            try directory.sync()
        } catch {
            throw Failure(error)
        }
    }
}

import StrongroomCrypto
import StrongroomSystem
import Synchronization

/// Reads keys and passphrases from where they were said to be, and from people, without leaving copies behind.
final class SecretReader: Sendable {
    private let fileSystem: any FileSystem
    let environment: Environment
    private let input: StandardStream
    private let inputIsTaken = Mutex(false)

    /// A reader for one run.
    init(fileSystem: any FileSystem, environment: Environment, input: StandardStream) {
        self.fileSystem = fileSystem
        self.environment = environment
        self.input = input
    }

    /// Takes standard input for one purpose; for a second there is nothing left in it.
    func claimInput() throws(Failure) {
        let wasTaken = inputIsTaken.withLock { isTaken in
            defer { isTaken = true }
            return isTaken
        }
        guard !wasTaken else {
            throw Failure(
                .usage, "standard input can be read for one thing only",
                advice: "take the key, the passphrase or the value from somewhere else")
        }
    }

    /// What a source gives, as it comes, at most `limit` bytes.
    func read(_ source: SecretSource, limit: Int) throws(Failure) -> SecretBuffer {
        switch source.kind {
        case .text: return SecretBuffer(copying: source.value.span)
        case .file: return try read(Path(bytes: source.value), named: source.name, limit: limit)
        case .descriptor:
            let number = try Invocation.number(
                source.value, named: source.name, in: 0...Int(Int32.max))
            if number == Int(input.number) { try claimInput() }
            return try read(
                StandardStream(number: Int32(number)), named: source.name, limit: limit)
        case .command: return try output(of: source, limit: limit)
        }
    }

    /// All of a file; a FIFO will do.
    func read(
        _ path: Path, named name: String, limit: Int
    ) throws(Failure) -> SecretBuffer {
        let file: OpenFile
        do throws(SystemError) {
            file = try OpenFile.open(path, [.read, .followLink], fileSystem: fileSystem)
        } catch {
            throw Failure(.masterKey, path.description, "\(name): \(error.meaning)")
        }
        // Only its number is used from here on.
        defer { withExtendedLifetime(file) {} }
        return try read(
            StandardStream(number: file.descriptor.number), named: path.description, limit: limit)
    }

    /// All of a stream.
    func read(
        _ stream: StandardStream, named name: String, limit: Int
    ) throws(Failure) -> SecretBuffer {
        var buffer = SecretBuffer(byteCount: limit + 1)
        let count: Int
        do throws(SystemError) {
            var span = buffer.mutableBytes
            count = try stream.readFully(into: &span)
        } catch {
            throw Failure(.masterKey, name, "reading failed: \(error.meaning)")
        }
        guard count <= limit else {
            throw Failure(.masterKey, name, "gives more than \(limit) bytes")
        }
        buffer.shorten(to: count)
        return buffer
    }
}

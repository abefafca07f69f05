import StrongroomCrypto
import StrongroomSystem

// Secrets from commands and from people.
extension SecretReader {
    /// How long a command may take.
    private static let commandSeconds = 30.0

    /// What a command prints; it gets none of our variables, and its standard input is empty.
    func output(of source: SecretSource, limit: Int) throws(Failure) -> SecretBuffer {
        var buffer = SecretBuffer(byteCount: limit)
        let outcome: Subprocess.Outcome
        do throws(SystemError) {
            var span = buffer.mutableBytes
            outcome = try Subprocess.capture(
                shell: Path(bytes: source.value), environment: environment.withoutOurs,
                timeoutSeconds: Self.commandSeconds, into: &span)
        } catch {
            if error.code == ErrorCode.interrupted { throw Failure.interrupted }
            throw Failure(.masterKey, source.name, Self.reason(error, limit))
        }
        switch outcome.ending {
        case .status(0): break
        case .status(let status):
            throw Failure(.masterKey, source.name, "the command ended with status \(status)")
        case .signal(let signal):
            throw Failure(.masterKey, source.name, "the command was ended by signal \(signal)")
        }
        buffer.shorten(to: outcome.byteCount)
        return buffer
    }

    private static func reason(_ error: SystemError, _ limit: Int) -> String {
        switch error.code {
        case ErrorCode.timedOut: "the command took longer than \(Int(commandSeconds)) seconds"
        case ErrorCode.fileTooLarge: "the command printed more than \(limit) bytes"
        case ErrorCode.notTerminal: "the command wanted the terminal, which it does not get"
        default: "the command cannot be run: \(error.meaning)"
        }
    }

    /// What a person types on the controlling terminal; nil without one.
    ///
    /// Who ends the input, or types too much, has given nothing: that fails with `status`.
    func typed(
        _ prompt: String, limit: Int, orEndWith status: ExitStatus
    ) throws(Failure) -> SecretBuffer? {
        var buffer = SecretBuffer(byteCount: limit)
        let count: Int?
        do throws(SystemError) {
            var span = buffer.mutableBytes
            count = try Terminal.readSecret(prompt: prompt, into: &span)
        } catch {
            switch error.code {
            case ErrorCode.notTerminal: return nil
            case ErrorCode.interrupted: throw Failure.interrupted
            case ErrorCode.fileTooLarge:
                throw Failure(status, "what was typed is too long", advice: "use a file")
            default: throw Failure(error)
            }
        }
        guard let count else {
            throw Failure(
                status,
                status == .masterKey
                    ? "nothing was typed: no passphrase could be had" : "nothing was typed")
        }
        buffer.shorten(to: count)
        return buffer
    }

    /// What a person types on the controlling terminal, twice the same.
    func typedTwice(
        _ prompt: String, limit: Int, orEndWith status: ExitStatus
    ) throws(Failure) -> SecretBuffer {
        let first = try typedAtAll(prompt, limit: limit, orEndWith: status)
        let second = try typedAtAll("Once more: ", limit: limit, orEndWith: status)
        let isSame = Self.areEqual(first, second)
        guard isSame else {
            throw Failure(
                .failed, "what was typed is not the same twice",
                advice: "nothing was changed; try again")
        }
        return first
    }

    private static func areEqual(
        _ left: borrowing SecretBuffer, _ right: borrowing SecretBuffer
    ) -> Bool {
        equalInConstantTime(left.bytes, right.bytes)
    }

    private func typedAtAll(
        _ prompt: String, limit: Int, orEndWith status: ExitStatus
    ) throws(Failure) -> SecretBuffer {
        guard let text = try typed(prompt, limit: limit, orEndWith: status) else {
            throw Failure(
                .masterKey, "there is no terminal to ask on",
                advice: "name a file or a descriptor with an option")
        }
        return text
    }
}

extension Environment {
    /// The environment without the `STRONGROOM_*` variables.
    var withoutOurs: Environment {
        var environment = self
        environment.remove { $0.bytes.starts(with: Array("STRONGROOM_".utf8)) }
        return environment
    }
}

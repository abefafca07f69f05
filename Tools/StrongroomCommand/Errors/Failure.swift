/// Why a command failed: its exit status and the one line that standard error gets.
struct Failure: Error, Equatable, Sendable {
    /// The exit status.
    private(set) var status: ExitStatus
    /// `KEY: what happened; what to do`, in one line, escaped, without a value in it.
    let line: String
    /// True if it is that the vault is older than what was seen: then it can be read for stock all the same.
    var isRollback = false
    /// The entry that could not be read, where it is one among others and its key is known.
    var key: String?

    /// A failure of `subject`, a key or path as it is; it is escaped here.
    init(_ status: ExitStatus, _ subject: String, _ what: String, advice: String? = nil) {
        self.status = status
        line = Escaping.shown(subject) + ": " + Self.sentence(what, advice)
    }

    /// A failure of nothing that has a name.
    init(_ status: ExitStatus, _ what: String, advice: String? = nil) {
        self.status = status
        line = Self.sentence(what, advice)
    }

    /// True if it may be that of an entry whose key begins with `prefix`.
    func mayConcern(keysBelow prefix: String) -> Bool { key?.hasPrefix(prefix) ?? true }

    /// The same with another status.
    func ending(with status: ExitStatus) -> Failure {
        var failure = self
        failure.status = status
        return failure
    }

    private static func sentence(_ what: String, _ advice: String?) -> String {
        guard let advice else { return what }
        return what + "; " + advice
    }
}

extension Failure {
    /// That the command line names no command.
    static let noCommand = Failure(
        .usage, "no command is given", advice: "see strongroom help")
    /// That a signal stopped the command; the signal is raised again at the end, so nothing is said.
    static let interrupted = Failure(.failed, "interrupted")
}

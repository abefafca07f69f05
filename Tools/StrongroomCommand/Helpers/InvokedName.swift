/// The names that git and docker look for: with one of them the program is that helper.
enum InvokedName {
    /// The command line, without the program's name, that `all`, with it, means.
    ///
    /// Git passes the options of `credential.helper` before its operation. Docker passes an operation and nothing else, so
    /// what stands there is never taken for an option.
    static func arguments(_ all: [[UInt8]]) -> [[UInt8]] {
        let given = Array(all.dropFirst())
        let name = all.first?.split(separator: UInt8(ascii: "/")).last ?? []
        if name.elementsEqual("git-credential-strongroom".utf8) {
            return [Array(CommandName.gitCredential.rawValue.utf8)] + given
        }
        if name.elementsEqual("docker-credential-strongroom".utf8) {
            return [Array(CommandName.dockerCredential.rawValue.utf8), Array("--".utf8)] + given
        }
        return given
    }
}

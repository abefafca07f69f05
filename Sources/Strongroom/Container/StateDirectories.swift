package import StrongroomSystem
package import StrongroomVault

extension VaultConfiguration {
    /// Says where the vault's newest state is noted, for a container in `directories`.
    ///
    /// To be called when the master key's place is known.
    package mutating func noteState(in directories: AppDirectories) {
        stateDirectory = directories.state
        ownDirectories = []
        if case .file(let path, isCredential: false) = masterKey,
            path == directories.masterKey.path
        {
            ownDirectories.append(path.parent)
        }
        if !directories.isBelowRoot, let state = directories.state {
            ownDirectories.append(state)
        }
    }
}

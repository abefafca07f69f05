import StrongroomCrypto
package import StrongroomSystem

// A rotation in two calls, for a key that is delivered to other places before it is used.
extension Vault {
    /// `--begin`: seals the same data key under a second master key, that of `newKeyFile`, which is made if it is
    /// absent.
    ///
    /// `.exists` while a rotation is under way, or if the file is a key of another vault; `.notPossible` if it is the
    /// key in use, or not sealed where that is.
    package func beginRotation(
        newKeyFile path: Path, _ options: RotationOptions
    ) throws(VaultError) {
        try refuseKeyInUse(options)
        try refuseOneFile(for: path, options)
        try exclusively { () throws(VaultError) in
            let found = try openedForChange()
            guard found.keyring.state == .settled else {
                if try resumeBeginning(found, newKeyFile: path) { return }
                throw .exists(path: place.keyringName, what: "a rotation is under way already")
            }
            let opened = try tidied(found)
            try refuseForeignKeys(opened)
            try refuseKeeping(of: opened, options)
            let newKey = BegunKey(path: path, vault: self, opened: opened)
            let masterKey = try newKey.masterKey()
            try keepOldKey(of: opened, options)
            var keyring = opened.keyring
            keyring.state = .begun
            keyring.generation += 1
            try replaceKeyring(
                keyring, for: [opened.masterKey, masterKey], anchor: opened.anchor)
            try newKey.nameVault()
            _ = try openedForChange()
        }
    }

    /// Does what is left of a `--begin` that failed, or was killed, when its keyring stood; false if that was another
    /// one, of another key file.
    private func resumeBeginning(
        _ found: OpenVault, newKeyFile path: Path
    ) throws(VaultError) -> Bool {
        let newKey = BegunKey(path: path, vault: self, opened: found)
        guard found.keyring.state == .begun, try newKey.isSecond() else { return false }
        try place.syncKeyring()
        try found.anchor?.catchUp(toKeyring: found.keyring.generation)
        try newKey.nameVault()
        return true
    }

    /// `--finish`, run with the new key: steps 2, 4 and 5.
    ///
    /// Run again, it goes on. `.wrongMasterKey` with the old key, `.notPossible` if none is begun.
    package func finishRotation(_ options: RotationOptions) throws(VaultError) -> RotationReport {
        try exclusively { () throws(VaultError) -> RotationReport in
            let found = try openedForChange()
            switch found.keyring.state {
            case .settled:
                throw .notPossible(what: "no rotation is begun; --begin comes first")
            case .rotating:
                throw .exists(
                    path: place.keyringName, what: "a rotation is unfinished; run rotate again")
            case .finishing:
                try place.syncKeyring()
                return try resealed(try tidied(found), oldKeyID: nil, options)
            case .begun:
                return try startFinishing(try tidied(found), options)
            }
        }
    }

    /// `--abort`: takes the second master key out again; run with the first.
    ///
    /// `.exists` once `--finish` has begun, `.wrongMasterKey` with the second key, `.notPossible` if none is begun.
    package func abortRotation() throws(VaultError) {
        try exclusively { () throws(VaultError) in
            let found = try openedForChange()
            switch found.keyring.state {
            case .settled:
                throw .notPossible(what: "no rotation is begun")
            case .rotating, .finishing:
                throw .exists(
                    path: place.keyringName,
                    what: "the rotation can only be finished: the new data key is in use")
            case .begun:
                let opened = try tidied(found)
                guard opened.masterKey.id == opened.keyring.wrapIDs.first else {
                    throw .wrongMasterKey(path: keys.name)
                }
                var keyring = opened.keyring
                keyring.state = .settled
                keyring.generation += 1
                try replaceKeyring(keyring, for: [opened.masterKey], anchor: opened.anchor)
                _ = try openedForChange()
            }
        }
    }

    /// Throws `.notPossible` if the old key is to be kept in the new one's file.
    private func refuseOneFile(
        for path: Path, _ options: RotationOptions
    ) throws(VaultError) {
        guard let kept = options.keepOldKey else { return }
        let fileSystem = configuration.fileSystem
        let new = try KeyFileLink.end(of: path, fileSystem: fileSystem)
        guard try KeyFileLink.isSame(new, kept, fileSystem: fileSystem) else { return }
        throw .notPossible(
            what: "\(kept) is to hold the new key; name another file for the old one")
    }

    private func startFinishing(
        _ opened: OpenVault, _ options: RotationOptions
    ) throws(VaultError) -> RotationReport {
        guard opened.masterKey.id == opened.keyring.wrapIDs.last else {
            throw .wrongMasterKey(path: keys.name)
        }
        var keyring = try preparedForNext(opened)
        keyring.state = .finishing
        try options.checkCancelled()
        // Found, perhaps, as somebody left it who was killed.
        try place.syncKeyring()
        try replaceKeyring(keyring, for: [opened.masterKey], anchor: opened.anchor)
        let oldKeyID = opened.keyring.wrapIDs.first.map { Hexadecimal.text(of: $0) }
        var report = try resealed(try openedForChange(), oldKeyID: oldKeyID, options)
        report.wasResumed = false
        return report
    }
}

extension Vault {
    /// What everyone does who has just taken `job`: sweep what killed holders left, and finish step 3 of a rotation
    /// or rewrap, for which the keyring names the key in `master.key.next`.
    func tidied(_ opened: OpenVault) throws(VaultError) -> OpenVault {
        try place.sweepLeftovers(opened.store, thoroughly: false)
        try keys.sweep()
        guard opened.key.slot == .next else { return opened }
        try finishKeyExchange()
        return try openedForChange()
    }

    /// Step 3, which needs no key: the ids in clear tell which key the keyring is for.
    func finishKeyExchange() throws(VaultError) {
        guard keys.isWritable, let keyring = try place.readKeyring() else { return }
        let wrapIDs = try Keyring.wrapIDs(of: keyring.span, path: place.keyringName)
        var isNextNamed = false
        for candidate in try keys.candidates() {
            let isNamed = candidate.sound.map { wrapIDs.contains($0.keyID) } ?? false
            switch candidate.slot {
            case .current: if isNamed { return }
            case .next: isNextNamed = isNamed
            }
        }
        guard isNextNamed else { return }
        // The keyring that names the key may be visible and not durable; without it the old key is the one.
        try place.syncKeyring()
        try keys.moveNext()
    }
}

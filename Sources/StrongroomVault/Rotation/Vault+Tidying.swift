extension Vault {
    /// What everyone does who has just taken `job`: sweep what killed holders left, and finish step 3 of a rotation
    /// or rewrap, for which the keyring names the key in `master.key.next`.
    func tidied(_ opened: OpenVault) throws(VaultError) -> OpenVault {
        try place.sweepLeftovers()
        try keys.sweep()
        guard opened.key.slot == .next else { return opened }
        // The keyring that names the key may be visible and not durable; without it the old key is the one.
        try place.syncKeyring()
        try keys.moveNext()
        return try openedForChange()
    }
}

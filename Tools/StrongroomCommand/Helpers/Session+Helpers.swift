import StrongroomCrypto
import StrongroomSystem

extension Session {
    /// The vault as the credential helpers use it: they know no other area.
    func helperPlace() throws(Failure) -> VaultPlace {
        let vault = try openVault()
        return VaultPlace(
            vault: vault, directory: try settings().directories.vault.path, failure: failure)
    }

    /// Runs `body`, which may make the vault, and says where it is if it was made.
    func storing(in place: VaultPlace, _ body: () throws(Failure) -> Void) throws(Failure) {
        let isNew = isUntouched(place)
        try body()
        if isNew { announceVault(place) }
    }
}

extension VaultPlace {
    /// The value of an entry of a few lines; nil if it is of a size that none of a helper has.
    func helperValue(_ pieces: any EntryPieces) throws(Failure) -> SecretBytes? {
        guard pieces.byteCount <= UInt64(HelperInput.byteCountLimit) else { return nil }
        return SecretBytes(try GetCommand.whole(pieces))
    }
}

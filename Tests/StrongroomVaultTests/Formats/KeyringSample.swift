import StrongroomVault

/// Keyrings to seal, and what opens them.
enum KeyringSample {
    static let vaultID = [UInt8](0..<16)

    static func open(_ file: [UInt8], _ key: MasterKey) throws -> Keyring {
        try Keyring(opening: file.span, with: key, path: "keyring")
    }

    static func keyring(
        _ state: Keyring.State, retired: Int = 0, app: String = "com.example.notes"
    ) throws -> Keyring {
        var keyring = Keyring(
            vaultID: vaultID, app: app, layout: .files, current: try DataKey.random())
        keyring.state = state
        if state == .rotating || state == .finishing { keyring.next = try DataKey.random() }
        for _ in 0..<retired { keyring.retired.append(try DataKey.random()) }
        return keyring
    }

    static func masterKeys(for state: Keyring.State) throws -> [MasterKey] {
        try (0..<(state == .begun ? 2 : 1)).map { _ in try MasterKey.random() }
    }
}

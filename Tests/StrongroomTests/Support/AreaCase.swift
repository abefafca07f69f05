import Strongroom
import Testing

/// An area of a fresh container: every contract test runs over each.
enum AreaCase: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case storage, cache, temporary, vault, vaultOfFiles
    case storageInMemory, cacheInMemory, temporaryInMemory, vaultInMemory

    var testDescription: String { rawValue }

    /// The areas that map a key to a path.
    static let plain = allCases.filter { !$0.isVault }
    /// The areas on a disk.
    static let onDisk: [AreaCase] = [.storage, .cache, .temporary, .vault, .vaultOfFiles]

    var isVault: Bool { [.vault, .vaultOfFiles, .vaultInMemory].contains(self) }

    /// Calls `body` with the area of a container of its own, which is gone afterwards.
    func withArea(_ body: (any Area) throws -> Void) throws {
        if Self.onDisk.contains(self) {
            let directory = try TemporaryDirectory()
            try withExtendedLifetime(directory) {
                try body(
                    area(
                        of: try AppContainer(
                            "com.example.tests", root: directory.path,
                            layout: self == .vaultOfFiles ? .files : .log)))
            }
        } else {
            try body(area(of: try AppContainer.inMemory("com.example.tests")))
        }
    }

    /// This area of `app`.
    func area(of app: AppContainer) -> any Area {
        switch self {
        case .storage, .storageInMemory: app.storage
        case .cache, .cacheInMemory: app.cache
        case .temporary, .temporaryInMemory: app.temporary
        case .vault, .vaultOfFiles, .vaultInMemory: app.vault
        }
    }
}

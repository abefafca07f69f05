import StrongroomSystem
import Testing

@testable import StrongroomVault

/// One wrong call among many is found.
@Suite(.layout(.log)) struct HistoryPlantingTests {
    private static let keyCount = 5

    /// What four threads did at once.
    private func recorded() throws -> RecordedVault {
        let vault = RecordedVault(try TemporaryVault(), keyCount: Self.keyCount)
        let crew = Monitor<(running: Int, error: String?)>((4, nil))
        for thread in 0..<4 {
            try Threads.start(name: "recorded") {
                var failure: String?
                do {
                    try Self.work(vault, UInt64(thread))
                } catch {
                    failure = "\(error)"
                }
                crew.change { [failure] state in
                    state.running -= 1
                    state.error = state.error ?? failure
                }
            }
        }
        _ = crew.wait(until: nil) { $0.running == 0 ? true : nil }
        #expect(crew.change { $0.error } == nil)
        return vault
    }

    private static func work(_ vault: RecordedVault, _ seed: UInt64) throws {
        var random = Seeded(seed)
        for _ in 0..<60 {
            let key = Int.random(in: 0..<keyCount, using: &random)
            let other = (key + 1) % keyCount
            switch Int.random(in: 0..<8, using: &random) {
            case 0: try vault.commit([.init(key: key)])
            case 1: try vault.commit([.init(key: key, isRemoval: true)])
            case 2: try vault.commit([.init(key: key), .init(key: other)])
            case 3: try vault.update(key)
            case 4: try vault.list()
            default: try vault.get(key)
            }
        }
    }

    @Test func `what a vault does passes`() throws {
        let vault = try recorded()
        #expect(vault.history.check() == [])
    }

    @Test(arguments: RecordedVault.Fault.allCases)
    func `one wrong call is found`(_ fault: RecordedVault.Fault) throws {
        let vault = try recorded()
        try vault.plant(fault)
        #expect(vault.history.check() != [])
    }
}

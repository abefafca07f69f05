import StrongroomVault
import Testing

/// Runs each test of a suite once for every layout that a vault may have: ``TemporaryVault`` makes it so.
struct BothLayouts: SuiteTrait, TestTrait, TestScoping {
    let layouts: [VaultLayout]

    /// Whatever a suite holds is run so.
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        for layout in layouts {
            try await TemporaryVault.$defaultLayout.withValue(layout) { try await function() }
        }
    }

    func scopeProvider(for test: Test, testCase: Test.Case?) -> BothLayouts? {
        testCase == nil ? nil : self
    }
}

extension Trait where Self == BothLayouts {
    /// Once in a log, once in files.
    static var bothLayouts: BothLayouts { BothLayouts(layouts: VaultLayout.allCases) }

    /// In one layout only.
    static func layout(_ layout: VaultLayout) -> BothLayouts { BothLayouts(layouts: [layout]) }
}

import StrongroomSystem
import Testing

@testable import StrongroomVault

/// A rotation that is killed, run again and killed again.
@Suite(.bothLayouts) struct KilledTwiceTests {
    static let operations = KillTests.operations.filter {
        ["rotate", "rewrap", "finish"].contains($0.testDescription)
    }

    @Test(arguments: operations)
    func `a rotation that is killed twice loses nothing`(
        _ named: Named<KilledOperation>
    ) throws {
        let operation = named.value
        let template = try KillTests.template(operation)
        let tree = try Tree.files(template.root)
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = Seeded(seed)
        // Every pair of moments where all is explored, else some.
        let stride = TestLength.count(7, long: 1)
        var first = Int.random(in: 0..<stride, using: &random)
        while true {
            let place = try TemporaryVault()
            try Tree.restore(tree, to: place.root)
            let killing = KillingFileSystem(after: first)
            _ = failure {
                try operation.run(KillTests.vault(place, killing, operation), place)
            }
            guard killing.isKilled else { break }
            let left = try Tree.files(place.root)
            var second = Int.random(in: 0..<stride, using: &random)
            while true {
                let again = KillingFileSystem(after: second)
                try KillTests.kill(
                    operation, left, again, original: tree,
                    "seed \(seed), killed after \(first) and \(second) calls")
                guard again.isKilled else { break }
                second += stride
            }
            first += stride
        }
    }
}

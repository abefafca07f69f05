import StrongroomStores
import StrongroomSystem
import Testing

/// Something is wrong with the machine for a while: nothing is lost, and the same store goes on when it is set right.
struct LastingFaultTests {
    @Test(arguments: StoreKind.onDisk, FaultTests.Step.allCases)
    func `a quota may be used up at any call`(kind: StoreKind, step: FaultTests.Step) throws {
        try Self.run(kind, step, .quota)
    }

    @Test(arguments: StoreKind.onDisk, FaultTests.Step.allCases)
    func `the disk may become read-only at any call`(
        kind: StoreKind, step: FaultTests.Step
    ) throws {
        try Self.run(kind, step, .readOnly)
    }

    @Test(arguments: StoreKind.onDisk, FaultTests.Step.allCases)
    func `files that may be open may run out at any call`(
        kind: StoreKind, step: FaultTests.Step
    ) throws {
        try Self.run(kind, step, .fileLimit)
    }

    @Test(arguments: StoreKind.onDisk, FaultTests.Step.allCases)
    func `every call may be interrupted by a signal`(
        kind: StoreKind, step: FaultTests.Step
    ) throws {
        try Self.run(kind, step, .signals)
    }

    @Test(arguments: StoreKind.onDisk, FaultTests.Step.allCases)
    func `every call may read and write a few bytes alone`(
        kind: StoreKind, step: FaultTests.Step
    ) throws {
        try Self.run(kind, step, .shortCalls)
    }

    private static func run(
        _ kind: StoreKind, _ step: FaultTests.Step, _ fault: LastingFault.Kind
    ) throws {
        guard fault.fails else {
            let refused = try run(kind, step, fault, from: 1)
            #expect(refused == nil, "calls that only take more turns made it fail")
            return
        }
        var call = 1
        var refusedCount = 0
        while let refused = try run(kind, step, fault, from: call) {
            refusedCount += refused
            call += 1
        }
        // Fewer would mean that the files are not reached through the door.
        #expect(refusedCount > 0)
    }

    /// How many calls failed; nil if the step was done.
    private static func run(
        _ kind: StoreKind, _ step: FaultTests.Step, _ fault: LastingFault.Kind, from call: Int
    ) throws -> Int? {
        let temporary = try TemporaryDirectory(inMemory: true)
        let maker = try kind.make(in: temporary)
        let start = FaultTests.start
        for (name, value) in start.sorted(by: { $0.key < $1.key }) { try maker.put(value, name) }

        let machine = LastingFault(fault)
        let store = try kind.reopen(in: temporary, fileSystem: machine)
        machine.begin(at: call)
        var failure: StoreError?
        do {
            try step.run(on: store, kind)
        } catch {
            failure = try #require(error as? StoreError)
        }
        let refused = machine.refusedCount
        machine.end()

        let place: Comment =
            "\(kind) \(step) \(fault) from call \(call): \(failure.debugDescription)"
        if !fault.fails { #expect(failure == nil, place) }
        let found = try kind.reopen(in: temporary).contents()
        guard failure != nil else {
            #expect(found == step.result, place)
            #expect(try store.contents() == step.result, place)
            // What was not needed may have failed; then it was not reached yet.
            return fault.fails && refused > 0 ? refused : nil
        }
        if case .outcomeUnknown? = failure {
            #expect(found == start || found == step.result, place)
        } else {
            #expect(found == start, place)
        }
        // The same object reads, and does it again.
        #expect(try store.contents() == found, place)
        if found == start { try step.run(on: store, kind) }
        #expect(try store.contents() == step.result, place)
        #expect(try kind.reopen(in: temporary).contents() == step.result, place)
        return refused
    }
}

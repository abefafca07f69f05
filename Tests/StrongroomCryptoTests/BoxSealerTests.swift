import Testing

@testable import StrongroomCrypto

/// What a sealer is asked to do, in turn; a step says how many bytes its box has.
private enum Step {
    case header(boxByteCount: Int)
    case next(isLast: Bool, boxByteCount: Int)

    /// The error of the step for a plain text of 5 bytes.
    func run(on sealer: inout BoxSealer, key: SecretKey) -> CryptoError? {
        let plain: [UInt8] = [1, 2, 3, 4, 5]
        do throws(CryptoError) {
            switch self {
            case .header(let count):
                var box = [UInt8](repeating: 0, count: count)
                var span = box.mutableSpan
                try sealer.sealHeader(plain.span, key: key.bytes, into: &span)
            case .next(let isLast, let count):
                var box = [UInt8](repeating: 0, count: count)
                var span = box.mutableSpan
                try sealer.sealNext(plain.span, isLast: isLast, key: key.bytes, into: &span)
            }
        } catch {
            return error
        }
        return nil
    }
}

struct BoxSealerTests {
    private struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [Step]
        let errors: [CryptoError?]

        init(_ name: String, _ steps: [Step], _ errors: [CryptoError?]) {
            testDescription = name
            self.steps = steps
            self.errors = errors
        }
    }

    private static let short = CryptoError.wrongLength(what: "box", byteCount: 20)

    private static let cases = [
        Case(
            "one box and its header",
            [.header(boxByteCount: 21), .next(isLast: true, boxByteCount: 21)],
            [nil, nil]),
        Case(
            "the header twice", [.header(boxByteCount: 21), .header(boxByteCount: 21)],
            [nil, .sealingFinished]),
        Case(
            "the header twice, with the boxes between",
            [
                .header(boxByteCount: 21), .next(isLast: true, boxByteCount: 21),
                .header(boxByteCount: 21),
            ], [nil, nil, .sealingFinished]),
        Case(
            "a box after the last",
            [.next(isLast: true, boxByteCount: 21), .next(isLast: false, boxByteCount: 21)],
            [nil, .sealingFinished]),
        Case(
            "a last after the last",
            [.next(isLast: true, boxByteCount: 21), .next(isLast: true, boxByteCount: 21)],
            [nil, .sealingFinished]),
        Case(
            "the header after a box too many",
            [
                .next(isLast: true, boxByteCount: 21), .next(isLast: true, boxByteCount: 21),
                .header(boxByteCount: 21),
            ], [nil, .sealingFinished, .sealingFinished]),
        Case(
            "anything after a box that could not be sealed",
            [
                .next(isLast: false, boxByteCount: 20), .next(isLast: false, boxByteCount: 21),
                .next(isLast: true, boxByteCount: 21), .header(boxByteCount: 21),
            ], [short, .sealingFinished, .sealingFinished, .sealingFinished]),
        Case(
            "anything after a header that could not be sealed",
            [
                .header(boxByteCount: 20), .header(boxByteCount: 21),
                .next(isLast: true, boxByteCount: 21),
            ], [short, .sealingFinished, .sealingFinished]),
    ]

    @Test("a sealer seals each box once and nothing after an error", arguments: cases)
    private func steps(run: Case) throws {
        let key = try SecretKey(randomByteCount: 32)
        var sealer = try BoxSealer()
        var errors: [CryptoError?] = []
        for step in run.steps { errors.append(step.run(on: &sealer, key: key)) }
        #expect(errors == run.errors)
    }

    @Test func `the same text in two boxes gives two ciphertexts`() throws {
        let key = try SecretKey(randomByteCount: 32)
        var sealer = try BoxSealer()
        let plain = [UInt8](repeating: 0, count: 64)
        var boxes: Set<[UInt8]> = []
        for index in 1...100 {
            var box = [UInt8](repeating: 0, count: 80)
            var span = box.mutableSpan
            try sealer.sealNext(
                plain.span, isLast: index == 100, key: key.bytes,
                into: &span)
            boxes.insert(box)
        }
        #expect(boxes.count == 100)
    }

    @Test(
        "nonces drawn together are all different, however many are wanted",
        arguments: [0, 1, 64, 200])
    func nonces(wanted: Int) throws {
        var nonces = BoxNonces(count: wanted)
        var prefixes: Set<[UInt8]> = []
        for _ in 0..<300 {
            let sealer = try BoxSealer(&nonces)
            #expect(sealer.noncePrefix.count == 16)
            prefixes.insert(sealer.noncePrefix)
        }
        #expect(prefixes.count == 300)
    }
}

import StrongroomCrypto

@testable import StrongroomStores
@testable import StrongroomVault

/// Files of anchors; the first byte says which of the four slots gets its sum set right.
enum AnchorTarget {
    private static let vaultID = [UInt8](0..<16)

    static func run(_ input: [UInt8]) throws {
        guard let flags = input.first else { return }
        var file = Array(input.dropFirst())
        for (index, offset) in AnchorSlot.offsets.enumerated()
        where flags >> UInt8(index) & 1 == 1 && file.count >= offset + AnchorSlot.byteCount {
            let sum = try SipHash.sum(
                file.span.extracting(offset..<offset + 56), key: vaultID.span)
            file.set(sum, at: offset + 56)
        }
        let mark = try AnchorSlot.mark(of: file, vaultID: vaultID)
        // Found by another way: a slot counts if it is what its contents would be written as.
        var generation: UInt64 = 0
        var point: LogPoint?
        for offset in AnchorSlot.offsets where file.count >= offset + AnchorSlot.byteCount {
            let bytes = Array(file[offset..<offset + AnchorSlot.byteCount])
            guard let contents = try AnchorSlot.contents(of: bytes.span, vaultID: vaultID) else {
                continue
            }
            expect(
                try AnchorSlot(contents: contents).encoded(vaultID: vaultID) == bytes,
                "a slot is not canonical")
            switch contents {
            case .keyring(let found): generation = max(generation, found)
            case .commit(let found):
                let isNewer =
                    point.map {
                        ($0.generation, $0.sequence) < (found.generation, found.sequence)
                    } ?? true
                if isNewer { point = found }
            }
        }
        expect(mark.keyringGeneration == generation && mark.point == point, "a mark is another")
        let other = AnchorMark(keyringGeneration: 7, point: nil)
        expect(
            mark.merged(with: other).keyringGeneration == max(7, generation), "a merge loses")
    }
}

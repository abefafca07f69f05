import StrongroomCrypto
import StrongroomStores
import Testing

@testable import StrongroomVault

@Suite(.bothLayouts) struct EntryTimesTests {
    @Test
    func `a copy keeps the times it is given, in memory and in pieces, and through a rotation`()
        throws
    {
        let times = EntryTimes(created: 7, modified: 11)
        for (_, vault, _) in try EntryTests.vaults() {
            // One replaces an entry, whose own times do not count.
            try vault.set("whole", "before")
            let bytes = SecretBytes(SecretBuffer(copying: [1, 2].span))
            try vault.commit(
                [.set(key: "whole", value: bytes, attributes: [:], times: times)], if: [:])
            try vault.write("pieces", attributes: [:], times: times, if: nil) { writer in
                try writer.write([3].span)
            }
            for _ in 0..<2 {
                for key in ["whole", "pieces"] {
                    let info = try #require(try vault.info(key))
                    #expect(info.created == times.created)
                    #expect(info.modified == times.modified)
                }
                _ = try vault.rotate(RotationOptions())
            }
            // Where nobody knows when the first was set, the target does.
            let late = EntryTimes(created: nil, modified: 13)
            try vault.commit(
                [
                    .set(key: "whole", value: bytes, attributes: [:], times: late),
                    .set(key: "new", value: bytes, attributes: [:], times: late),
                ], if: [:])
            #expect(try vault.info("whole")?.created == times.created)
            #expect(try vault.info("whole")?.modified == 13)
            #expect(try vault.info("new")?.created == 13)
            // The next set is one like any other.
            try vault.set("whole", "after")
            let info = try #require(try vault.info("whole"))
            #expect(info.created == times.created)
            #expect(info.modified > times.modified)
        }
    }
}

@testable import StrongroomVault
import Testing

/// Keys are sorted by their bytes, however much they share.
@Suite struct KeyOrderTests {
    @Test(arguments: [
        [], ["one"], ["b", "a"], ["same/b", "same/a", "same/"], ["ab", "a", "abc", "a/b"],
        ["twelve bytes of it 2", "twelve bytes of it 1", "twelve bytes of it"],
        ["front then more than eight 2", "front then more than eight 1", "front"],
        ["é", "z", "ä", "日本", "a", "\u{1}"], ["service/0009", "service/0010", "service/0001"],
    ])
    func `the order is that of the bytes`(keys: [String]) {
        let sorted = keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(KeyOrder.sorted(keys).map { keys[$0] } == sorted)
    }
}

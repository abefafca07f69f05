/// N of several entries, drawn together: a call of the kernel for each would take as long as a small box.
///
/// Each is handed out once, and only to a ``BoxSealer``. It is used by one thread in one go: who keeps one across a fork
/// would hand out the same N twice.
package struct BoxNonces: ~Copyable {
    private static let drawnCount = 64

    private var bytes = InlineArray<1024, UInt8>(repeating: 0)
    private var next = 0
    private var end = 0
    private var wantedCount: Int

    /// For about so many entries; none is drawn yet.
    package init(count: Int) { wantedCount = count }

    /// A fresh N.
    mutating func take() throws(CryptoError) -> [UInt8] {
        if next == end {
            let count = min(max(wantedCount, 1), Self.drawnCount)
            var span = bytes.mutableSpan
            var drawn = span._mutatingExtracting(0..<count * BoxNonce.prefixByteCount)
            try Randomness.fill(&drawn)
            wantedCount -= count
            next = 0
            end = count
        }
        let start = next * BoxNonce.prefixByteCount
        next += 1
        var prefix: [UInt8] = []
        prefix.reserveCapacity(BoxNonce.prefixByteCount)
        for index in start..<start + BoxNonce.prefixByteCount { prefix.append(bytes[index]) }
        return prefix
    }
}

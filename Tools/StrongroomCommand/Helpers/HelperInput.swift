import StrongroomCrypto
import StrongroomSystem

/// What another program sends on standard input, in memory that is wiped.
enum HelperInput {
    /// More is no credential.
    static let byteCountLimit = 16 << 20

    /// Everything up to the end, or until `isComplete` says that no more is needed.
    static func read(
        _ session: Session, until isComplete: (Span<UInt8>) -> Bool
    ) throws(Failure) -> SecretBytes {
        try session.secrets.claimInput()
        let input = session.console.streams.input
        var buffer = SecretBuffer(byteCount: 65_536)
        var filled = 0
        while !isComplete(buffer.bytes.extracting(0..<filled)) {
            if filled == buffer.byteCount {
                guard filled < byteCountLimit else {
                    throw Failure(.usage, input.name, "more than \(byteCountLimit) bytes")
                }
                var larger = SecretBuffer(byteCount: filled * 4)
                larger.write(buffer.bytes, at: 0)
                buffer = larger
            }
            let count: Int
            do throws(SystemError) {
                var span = buffer.mutableBytes
                var room = span._mutatingExtracting(filled..<span.count)
                count = try input.read(into: &room)
            } catch {
                throw Failure(.failed, input.name, "reading failed: \(error.meaning)")
            }
            if count == 0 { break }
            filled += count
        }
        buffer.shorten(to: filled)
        return SecretBytes(buffer)
    }
}

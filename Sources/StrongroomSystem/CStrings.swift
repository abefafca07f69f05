import CLinux

/// Texts as execve(2) takes them.
enum CStrings {
    /// Runs `body` with `texts`, each with a final NUL, and a null pointer at the end.
    @unsafe static func with<Result>(
        _ texts: [Path], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var bytes: [CChar] = [0]
        var starts: [Int] = []
        for text in texts {
            starts.append(bytes.count)
            bytes += text.bytes.map(CChar.init(bitPattern:))
            bytes.append(0)
        }
        return unsafe bytes.withUnsafeMutableBufferPointer { bytes in
            guard let start = bytes.baseAddress else {
                preconditionFailure("an array of at least one element has an address")
            }
            // One may be a secret.
            defer { unsafe strongroom_wipe(start, bytes.count) }
            let count = starts.count
            return unsafe withUnsafeTemporaryAllocation(
                of: UnsafeMutablePointer<CChar>?.self, capacity: count + 1
            ) { entries in
                for index in 0..<count {
                    unsafe entries.initializeElement(at: index, to: start + starts[index])
                }
                unsafe entries.initializeElement(at: count, to: nil)
                guard let first = entries.baseAddress else {
                    preconditionFailure("an allocation of at least one element has an address")
                }
                return unsafe body(first)
            }
        }
    }
}

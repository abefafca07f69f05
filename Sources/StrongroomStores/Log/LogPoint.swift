/// One commit of a log's history: what an anchor holds and what the next generation begins from.
package struct LogPoint: Hashable, Sendable {
    /// The generation of the log, 1 for the first; 0 names none.
    package let generation: UInt64
    /// The commit's number in it, 0 for the beginning.
    package let sequence: UInt64
    /// The chain tag there.
    package let tag: Bytes16

    /// A point of its parts.
    package init(generation: UInt64, sequence: UInt64, tag: Bytes16) {
        self.generation = generation
        self.sequence = sequence
        self.tag = tag
    }

    /// False if no log has such numbers: whoever noted them, they count as none.
    var isPossible: Bool { generation < LogHead.numberLimit && sequence < LogHead.numberLimit }

    /// Before the first generation.
    package static let none = LogPoint(generation: 0, sequence: 0, tag: .zero)
}

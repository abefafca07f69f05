extension SimulatedDisk {
    /// How much of what was not synced a crash loses.
    package enum Loss: CaseIterable, Sendable {
        /// All of it.
        case all
        /// Nothing.
        case nothing
        /// Some, at random: each change of names is kept or not, and of each write all, nothing, or some of its
        /// sectors of 512 bytes; a file that grew may be of any length up to its new one, with zeros for what is lost.
        case some

        /// Whether one change of names is kept.
        func keeps(_ random: inout some RandomNumberGenerator) -> Bool {
            switch self {
            case .all: false
            case .nothing: true
            case .some: Bool.random(using: &random)
            }
        }

        /// What becomes of a file's bytes.
        func bytes(
            _ durable: [UInt8], _ changes: [FileChange],
            _ random: inout some RandomNumberGenerator
        ) -> [UInt8] {
            guard self != .all, !changes.isEmpty else { return durable }
            var whole = durable
            for change in changes { change.apply(to: &whole) }
            guard self == .some else { return whole }
            var bytes = durable
            for change in changes {
                switch Int.random(in: 0..<3, using: &random) {
                case 0: change.apply(to: &bytes)
                case 1: break
                default: change.applySome(to: &bytes, &random)
                }
            }
            // Its length is noted apart from what is in it.
            if whole.count > durable.count, Int.random(in: 0..<4, using: &random) == 0 {
                bytes.resize(to: Int.random(in: durable.count...whole.count, using: &random))
            }
            return bytes
        }
    }
}

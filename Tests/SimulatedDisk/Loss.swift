extension SimulatedDisk {
    /// How much of what was not synced a crash loses.
    package enum Loss: CaseIterable, Sendable {
        /// All of it.
        case all
        /// Nothing.
        case nothing
        /// Some, at random; a file may be cut short, or be zeros.
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
            _ old: [UInt8], _ new: [UInt8], _ random: inout some RandomNumberGenerator
        ) -> [UInt8] {
            switch self {
            case .all: return old
            case .nothing: return new
            case .some where old == new: return new
            case .some: break
            }
            switch Int.random(in: 0..<4, using: &random) {
            case 0: return old
            case 1: return new
            case 2: return Array(new.prefix(Int.random(in: 0...new.count, using: &random)))
            default: return [UInt8](repeating: 0, count: new.count)
            }
        }
    }
}

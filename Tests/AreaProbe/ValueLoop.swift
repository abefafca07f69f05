import Strongroom

/// Values that say of themselves whether they are whole.
enum ValueLoop {
    /// Sets 4 MiB of one byte, of the next, and so on, and says each one that was acknowledged;
    /// until killed.
    static func overwrite(_ area: any Area, _ key: String) throws {
        var round = 0
        while true {
            try area.set(
                [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: 4 << 20), forKey: key)
            AreaProbe.say("set \(round & 0xff)")
            round += 1
        }
    }

    /// Sets 1 MiB of `a` and of `b` in turn.
    static func alternate(_ area: any Area, _ key: String, count: Int) throws {
        for round in 0..<count {
            let byte = UInt8(ascii: round % 2 == 0 ? "a" : "b")
            try area.set([UInt8](repeating: byte, count: 1 << 20), forKey: key)
        }
    }

    /// Reads as often, and throws nothing but at a value that is missing or a mixture.
    static func watch(_ area: any Area, _ key: String, count: Int) throws {
        for _ in 0..<count {
            guard let value = try area.get(key, as: [UInt8].self) else {
                AreaProbe.say("missing")
                return
            }
            guard value.count == 1 << 20, let first = value.first,
                value == [UInt8](repeating: first, count: 1 << 20)
            else {
                AreaProbe.say("mixture of \(value.count)")
                return
            }
        }
    }
}

import StrongroomSystem

/// The order of keys by their bytes, found with few comparisons of strings: eight bytes behind what all of them share
/// tell nearly all of them apart.
enum KeyOrder {
    /// A key's place, and the bytes that are compared first, as a number.
    private struct Place {
        let front: UInt64
        let index: Int
    }

    /// The places of `keys` in the order of the keys, which are of normal form C.
    static func sorted(_ keys: [String]) -> [Int] {
        let shared = sharedByteCount(keys)
        var places: [Place] = []
        places.reserveCapacity(keys.count)
        for index in keys.indices {
            places.append(Place(front: front(of: keys[index], from: shared), index: index))
        }
        places.sort {
            // A key that ends early has zeros there, as no other has: a key has no NUL.
            if $0.front != $1.front { return $0.front < $1.front }
            return keys[$0.index] < keys[$1.index]
        }
        return places.map(\.index)
    }

    private static func front(of key: String, from start: Int) -> UInt64 {
        let bytes = key.utf8.span
        var front: UInt64 = 0
        for index in start..<start + 8 {
            front = front << 8 | UInt64(index < bytes.count ? bytes[index] : 0)
        }
        return front
    }

    /// How many bytes all of them begin with.
    private static func sharedByteCount(_ keys: [String]) -> Int {
        guard let first = keys.first else { return 0 }
        let bytes = first.utf8.span
        var shared = bytes.count
        for key in keys {
            let other = key.utf8.span
            shared = min(shared, other.count)
            var count = 0
            while count < shared, bytes[count] == other[count] { count += 1 }
            shared = count
        }
        return shared
    }
}

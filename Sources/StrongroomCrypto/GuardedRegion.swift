import CSodium
import Synchronization

/// The locked memory that holds every key of the process: regions of 16 KiB from `sodium_malloc`
/// (guard pages around them, locked into memory, left out of core dumps), handed out in slots of
/// 64 bytes, so that a key costs no `sodium_malloc` of its own (23 µs each).
///
/// A free slot is all zeros: it was zeroed when the region was made and is wiped when released. A
/// region stays when its last key is gone; a process has as many as it once needed at one time.
///
/// `sodium_malloc` goes on when the kernel refuses to lock (`mlock(2)`: `RLIMIT_MEMLOCK` is too
/// small), and so does this. Guard pages and the gap in core dumps do not depend on it, and secrets
/// whose vault cannot be opened in a small container would be kept somewhere worse. What is lost is
/// that the keys may be written to swap; `isLocked` tells (`LockedMemoryTests`).
/// That threads do not meet is shown by `GuardedRegionTests`.
@safe final class GuardedRegion: @unchecked Sendable {
    // `@unchecked Sendable`: `base` and `isLocked` never change, the other three are touched only
    // with `GuardedRegion.all` held, and the bytes of a slot belong to one `SecretKey` from
    // `allocate` until `release`.
    static let slotByteCount = 64
    static let slotCount = 256

    private static let all = Mutex<[GuardedRegion]>([])

    /// Whether the kernel keeps the region out of swap.
    let isLocked: Bool
    private let base: UnsafeMutableRawPointer
    private var used = [Bool](repeating: false, count: slotCount)
    private var freeCount = slotCount
    /// Every slot below this one is used.
    private var lowestFree = 0

    private init?() {
        let byteCount = Self.slotByteCount * Self.slotCount
        guard let memory = unsafe sodium_malloc(byteCount) else { return nil }
        unsafe sodium_memzero(memory, byteCount)
        unsafe base = memory
        // `sodium_malloc` has locked it and told nobody whether that went well; locks do not nest.
        isLocked = unsafe sodium_mlock(memory, byteCount) == 0
    }

    /// A run of free slots that holds `byteCount` bytes, at most 16 KiB, all zeros.
    static func allocate(byteCount: Int) throws(CryptoError) -> (GuardedRegion, slot: Int) {
        try Sodium.requireReady()
        guard (0...slotByteCount * slotCount).contains(byteCount) else {
            throw .wrongLength(what: "secret", byteCount: byteCount)
        }
        let count = slots(for: byteCount)
        let found: (GuardedRegion, slot: Int)? = all.withLock { regions in
            for region in regions {
                if let slot = region.take(count) { return (region, slot) }
            }
            guard let region = GuardedRegion(), let slot = region.take(count) else { return nil }
            regions.append(region)
            return (region, slot)
        }
        guard let found else { throw .unavailable(operation: "sodium_malloc") }
        return found
    }

    /// Wipes the run that `allocate` gave for `byteCount` and gives it back.
    func release(slot: Int, byteCount: Int) {
        let count = Self.slots(for: byteCount)
        // Before the slots are free: their next owner may write at once.
        unsafe sodium_memzero(pointer(slot), count * Self.slotByteCount)
        Self.all.withLock { _ in
            for index in slot..<slot + count { used[index] = false }
            freeCount += count
            lowestFree = min(lowestFree, slot)
        }
    }

    @unsafe func pointer(_ slot: Int) -> UnsafeMutablePointer<UInt8> {
        unsafe (base + slot * Self.slotByteCount).assumingMemoryBound(to: UInt8.self)
    }

    private static func slots(for byteCount: Int) -> Int {
        max(1, (byteCount + slotByteCount - 1) / slotByteCount)
    }

    /// The first free run of `count` slots, marked used; called with `all` held.
    private func take(_ count: Int) -> Int? {
        guard count <= freeCount else { return nil }
        var run = 0
        for index in lowestFree..<used.count {
            run = used[index] ? 0 : run + 1
            guard run == count else { continue }
            let start = index + 1 - count
            for slot in start...index { used[slot] = true }
            freeCount -= count
            if start == lowestFree { lowestFree = index + 1 }
            return start
        }
        return nil
    }
}

import Glibc
import Synchronization
import Testing

@testable import StrongroomCrypto

@Suite(.serialized)
struct GuardedRegionTests {
    @Test func `a thousand keys at once lie apart, in several regions, unharmed`() throws {
        var keys: [(key: SecretKey, byte: UInt8)] = []
        for number in 0..<1_000 {
            let byte = UInt8(truncatingIfNeeded: number)
            let bytes = [UInt8](repeating: byte, count: 1 + number % 130)
            keys.append((try SecretKey(copying: bytes.span), byte))
        }
        #expect(keys.allSatisfy { Array($0.key).allSatisfy { [byte = $0.byte] in $0 == byte } })
        #expect(Set(keys.map { ObjectIdentifier($0.key.region) }).count >= 4)
        let places = keys.map { unsafe UInt(bitPattern: $0.key.pointer) }.sorted()
        for (place, next) in zip(places, places.dropFirst()) { #expect(next - place >= 64) }
        #expect(places.allSatisfy { $0.isMultiple(of: 64) })
    }

    @Test func `slots are used again`() throws {
        // Without that, 10,000 keys one after another would take 39 regions more.
        var regions: Set<ObjectIdentifier> = []
        for _ in 0..<10_000 {
            regions.insert(ObjectIdentifier(try SecretKey(randomByteCount: 32).region))
        }
        #expect(regions.count < 20)
    }

    @Test func `a key of 16 KiB has a region to itself`() throws {
        let large = try SecretKey(randomByteCount: 16_384)
        for _ in 0..<300 {
            let small = try SecretKey(randomByteCount: 1)
            #expect(small.region !== large.region)
        }
    }

    @Test("a key's slots are wiped when it is released", arguments: [1, 32, 64, 65, 1_000, 16_384])
    func wiping(byteCount: Int) throws {
        // A region stays, so its bytes can be read after the release; another test may use them.
        var region: GuardedRegion?
        var slot = 0
        let secret = try Randomness.bytes(byteCount)
        do {
            let key = try SecretKey(copying: secret.span)
            region = key.region
            slot = key.slot
        }
        let kept = try #require(region)
        let left = unsafe [UInt8](UnsafeBufferPointer(start: kept.pointer(slot), count: byteCount))
        if byteCount >= 32 {
            for start in stride(from: 0, through: byteCount - 16, by: 16) {
                #expect(left[start..<start + 16] != secret[start..<start + 16])
            }
        }
    }

    @Test func `8 threads make and release keys without meeting`() throws {
        var threads: [pthread_t] = []
        for _ in 0..<8 {
            var thread = pthread_t()
            let status = unsafe pthread_create(
                &thread, nil,
                { _ in
                    KeyCrowd.run()
                    return nil
                }, nil)
            try #require(status == 0)
            threads.append(thread)
        }
        for thread in threads { pthread_join(thread, nil) }
        #expect(KeyCrowd.finished.load(ordering: .relaxed) == 8)
        #expect(KeyCrowd.faults.load(ordering: .relaxed) == 0)
    }
}

/// What each of several threads does at once: it makes keys of many lengths, holds some, and looks
/// whether somebody else wrote into them.
private enum KeyCrowd {
    static let finished = Atomic(0)
    static let faults = Atomic(0)

    static func run() {
        do {
            var held: [(key: SecretKey, byte: UInt8)] = []
            for number in 0..<2_000 {
                let byte = UInt8.random(in: 1...255)
                let byteCount = 1 + number * 37 % 300
                let key = try SecretKey(byteCount: byteCount) { target in
                    for index in 0..<byteCount {
                        if target[index] != 0 { faults.add(1, ordering: .relaxed) }
                        target[index] = byte
                    }
                }
                held.append((key, byte))
                guard held.count == 20 else { continue }
                let released = held.removeFirst()
                for found in Array(released.key) where found != released.byte {
                    faults.add(1, ordering: .relaxed)
                }
            }
        } catch {
            faults.add(1, ordering: .relaxed)
        }
        finished.add(1, ordering: .relaxed)
    }
}

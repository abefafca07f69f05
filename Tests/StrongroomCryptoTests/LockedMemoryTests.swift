import Glibc
import Testing

@testable import StrongroomCrypto

struct LockedMemoryTests {
    private func mapping(of key: SecretKey) throws -> ProcessMemory.Mapping {
        let place = unsafe UInt(bitPattern: key.pointer)
        let mappings = try ProcessMemory.mappings()
        return try #require(mappings.first { $0.addresses.contains(place) })
    }

    @Test func `keys lie in memory that is left out of core dumps`() throws {
        let key = try SecretKey(randomByteCount: 32)
        #expect(try mapping(of: key).flags.contains("dd"))
    }

    @Test func `keys lie in memory that is locked, if the system lets it`() throws {
        let key = try SecretKey(randomByteCount: 32)
        #expect(try mapping(of: key).flags.contains("lo") == key.region.isLocked)
        if !key.region.isLocked {
            var limit = rlimit()
            unsafe getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit)
            print("Keys could not be locked: RLIMIT_MEMLOCK is \(limit.rlim_cur) bytes.")
        }
    }

    @Test func `the pages on both sides of the keys cannot be read`() throws {
        let key = try SecretKey(randomByteCount: 16_384)
        let mappings = try ProcessMemory.mappings()
        let own = try mapping(of: key)
        let before = mappings.first { $0.addresses.upperBound == own.addresses.lowerBound }
        let after = mappings.first { $0.addresses.lowerBound == own.addresses.upperBound }
        #expect(try #require(before).permissions.hasPrefix("---"))
        #expect(try #require(after).permissions.hasPrefix("---"))
        #expect(unsafe UInt(bitPattern: key.pointer + 16_384) == own.addresses.upperBound)
    }

    @Test func `a process that reads past the end of its keys dies`() async {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            let key = try SecretKey(randomByteCount: 16_384)
            let last = unsafe key.pointer[16_383]
            print("The last byte can be read: \(last <= 255)")
            print(unsafe key.pointer[16_384])
        }
    }

    @Test func `a process that reads well before its keys dies`() async {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            let key = try SecretKey(randomByteCount: 16_384)
            print(unsafe key.pointer[-2 * Int(getpagesize())])
        }
    }

    @Test func `a process that may lock nothing keeps keys all the same, and knows`() async {
        await #expect(processExitsWith: .success) {
            var none = rlimit(rlim_cur: 0, rlim_max: 0)
            unsafe setrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &none)
            // Root may lock beyond every limit.
            if getuid() == 0 { try #require(setuid(65_534) == 0) }
            let key = try SecretKey(randomByteCount: 32)
            let sealed = try SecretBox.seal(key.bytes, key: key.bytes)
            let opened = try SecretBox.open(sealed.span, key: key.bytes)
            try #require(opened.copyToArray() == Array(key))
            try #require(!key.region.isLocked)
        }
    }

    @Test func `a process without memory for a passphrase says so`() async {
        await #expect(processExitsWith: .success) {
            let passphrase = Array("passphrase".utf8)
            let salt = [UInt8](repeating: 1, count: 16)
            let key = try SecretKey(randomByteCount: 32)
            let pages = try TextFile.contents("/proc/self/statm").split(separator: " ").first
            let used = try #require(UInt(pages ?? "")) * UInt(getpagesize())
            var limit = rlimit(rlim_cur: used + 64 << 20, rlim_max: used + 64 << 20)
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
            let cost = PasswordHash.Cost(passes: 1, memoryByteCount: 1 << 30)
            let error = #expect(throws: CryptoError.self) {
                _ = try PasswordHash.derive(
                    passphrase.span, salt: salt.span, cost: cost, byteCount: 64)
            }
            try #require(error == .unavailable(operation: "crypto_pwhash"))
            try #require(key.byteCount == 32)
        }
    }
}

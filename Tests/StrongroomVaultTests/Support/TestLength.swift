import Glibc

/// How much a test explores: all of it where `STRONGROOM_LONG` is 1, else a part.
enum TestLength {
    static let isLong = unsafe getenv("STRONGROOM_LONG").map { unsafe String(cString: $0) } == "1"

    static func count(_ short: Int, long: Int) -> Int { isLong ? long : short }
}

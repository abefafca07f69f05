/// Times in UTC as RFC 3339 writes them.
enum RFC3339 {
    /// Nanoseconds since 1970 of `2026-03-09T12:00:00Z`, perhaps with up to nine digits of a second's fraction; nil of anything
    /// else, and outside the years 1678 to 2261.
    static func nanoseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            var number: Int64 = 0
            for byte in bytes[range] {
                guard (0x30...0x39).contains(byte) else { return nil }
                number = number * 10 + Int64(byte - 0x30)
            }
            return number
        }
        for (index, mark) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")] {
            guard bytes[index] == Array(mark.utf8)[0] else { return nil }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            (1678...2261).contains(year), (1...12).contains(month),
            (1...days(of: month, year)).contains(day), hour < 24, minute < 60, second < 60
        else { return nil }
        var fraction: Int64 = 0
        if bytes.count > 20 {
            guard bytes[19] == UInt8(ascii: "."), (22...30).contains(bytes.count),
                let digits = number(20..<bytes.count - 1)
            else { return nil }
            fraction = digits
            for _ in bytes.count - 21..<9 { fraction *= 10 }
        }
        let seconds = (dayNumber(year, month, day) * 24 + hour) * 3600 + minute * 60 + second
        return seconds * 1_000_000_000 + fraction
    }

    private static func days(of month: Int64, _ year: Int64) -> Int64 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return switch month {
        case 2: isLeap ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970-01-01 (Howard Hinnant, "chrono-compatible low-level date algorithms", `days_from_civil`).
    private static func dayNumber(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

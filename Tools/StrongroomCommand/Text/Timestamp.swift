/// A time in UTC as RFC 3339 writes it, from nanoseconds since 1970, without locale or time zone.
enum Timestamp {
    /// `2026-03-09T12:00:00Z`, or with nine digits of a second's fraction.
    static func text(_ nanoseconds: Int64, isExact: Bool) -> String {
        let second: Int64 = 1_000_000_000
        let (seconds, fraction) = divided(nanoseconds, by: second)
        let (day, ofDay) = divided(seconds, by: 86_400)
        let date = civil(day)
        var text = padded(date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2)
        text += "T" + padded(ofDay / 3_600, 2) + ":" + padded(ofDay / 60 % 60, 2)
        text += ":" + padded(ofDay % 60, 2)
        if isExact { text += "." + padded(fraction, 9) }
        return text + "Z"
    }

    /// The date of a day counted from 1970-01-01 (Howard Hinnant, "chrono-compatible low-level date algorithms",
    /// `civil_from_days`).
    private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let (era, ofEra) = divided(shifted, by: 146_097)
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * ofYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, ofYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// Quotient and rest, the rest never negative.
    private static func divided(
        _ value: Int64, by divisor: Int64
    ) -> (quotient: Int64, rest: Int64) {
        let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }

    private static func padded(_ value: Int64, _ count: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}

/// Numbers with their nouns.
enum Counted {
    /// `1 entry`, `2 entries`.
    static func entries(_ count: Int) -> String {
        count == 1 ? "1 entry" : "\(count) entries"
    }
}

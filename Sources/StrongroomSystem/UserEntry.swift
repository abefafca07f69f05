/// One line of the file of users (passwd(5)), as far as it is asked for.
struct UserEntry: Equatable {
    let user: UInt32
    /// Empty if the user has none.
    let home: Path

    /// Reads a line, without its end; nil of one that is none: a comment, or what stands for a directory server's users.
    init?(line: ArraySlice<UInt8>) {
        let isMarked = ["#", "+", "-"].contains { line.first == UInt8(ascii: $0) }
        let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard !isMarked, fields.count == 7, !fields[0].isEmpty,
            let user = UInt32(String(decoding: fields[2], as: UTF8.self)),
            fields[2].first != UInt8(ascii: "+")
        else { return nil }
        self.user = user
        home = Path(bytes: Array(fields[5]))
    }
}

/// What is in the way of a copy of everything, found before anything is written.
enum CopyConflicts {
    /// Throws `.exists` if one of `keys` is in the target already, or cannot be there beside another.
    static func refuse(_ keys: [String], in target: any EntryPlace) throws(Failure) {
        try refuseTaken(keys, in: target)
        if target.area != .vault { try refuseFolders(keys, in: target) }
    }

    private static func refuseTaken(
        _ keys: [String], in target: any EntryPlace
    ) throws(Failure) {
        var first: String?
        var count = 0
        for key in keys where try target.contains(key) {
            if first == nil { first = key }
            count += 1
        }
        guard let first else { return }
        let others =
            switch count {
            case 1: ""
            case 2: ", and of 1 more key"
            default: ", and of \(count - 1) more keys"
            }
        throw Failure(
            .exists, first, "there is an entry already\(others)",
            advice: "nothing was copied; to replace what is there, use --force")
    }

    /// In a plain area an entry is a file, and what its key is a folder of needs a directory of the same name.
    private static func refuseFolders(
        _ keys: [String], in target: any EntryPlace
    ) throws(Failure) {
        var there = Set<String>()
        for entry in try target.list().entries { there.insert(entry.key) }
        let copied = Set(keys)
        for key in keys where hasFolder(key, among: copied) || hasFolder(key, among: there) {
            throw conflict(key)
        }
        for key in there.sorted() where hasFolder(key, among: copied) { throw conflict(key) }
    }

    /// True if one of `others` is a folder that `key` lies in.
    private static func hasFolder(_ key: String, among others: Set<String>) -> Bool {
        for index in key.utf8.indices where key.utf8[index] == UInt8(ascii: "/") {
            if others.contains(String(key[..<index])) { return true }
        }
        return false
    }

    private static func conflict(_ key: String) -> Failure {
        Failure(
            .exists, key, "an entry cannot be a folder of others too in a plain area",
            advice: "nothing was copied; move one of them to another key, "
                + "or copy all that can be with --force")
    }
}

/// The areas that the command writes to.
enum AreaName: String, CaseIterable, Sendable {
    case vault, storage, cache, temporary

    /// The area called `text`, from the option `name`.
    static func named(_ text: String, by name: OptionName) throws(Failure) -> AreaName {
        guard let area = AreaName(rawValue: text) else {
            throw Failure(
                .usage, text, "this is no area",
                advice: "\(name.written) takes vault, storage, cache or temporary")
        }
        return area
    }
}

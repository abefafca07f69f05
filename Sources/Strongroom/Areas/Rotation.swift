import StrongroomVault

/// What a rotation of the master key did.
public struct Rotation: Equatable, Sendable {
    /// How many entries were sealed again.
    public let entryCount: Int
    /// The id of the key that was in use, 32 hexadecimal digits; nil if an earlier call had
    /// replaced it already.
    public let oldKeyID: String?
    /// The id of the key in use now.
    public let newKeyID: String
    /// Damaged entries, whose bytes were kept: their keys, or `id:` and hexadecimal digits where a
    /// key cannot be read.
    public let damaged: [String]
    /// Whether this call finished a rotation that was interrupted.
    public let wasResumed: Bool

    init(_ report: RotationReport) {
        entryCount = report.entryCount
        oldKeyID = report.oldKeyID
        newKeyID = report.newKeyID
        var damaged: [String] = []
        for entry in report.damaged { damaged.append(entry.key ?? "id:" + entry.id) }
        self.damaged = damaged
        wasResumed = report.wasResumed
    }
}

import Glibc
import Strongroom

/// An area on a disk without room (C062).
enum FullDisk {
    /// Sets a value, fills the disk, sets a larger one, looks at the old one, makes room, sets
    /// again.
    static func run(_ area: any Area, root: String) throws {
        try area.set("old", forKey: "k")
        let filler = root + "/filler"
        let file = unsafe open(filler, O_WRONLY | O_CREAT, 0o600)
        let block = [UInt8](repeating: 1, count: 4096)
        while unsafe write(file, block, block.count) > 0 {}
        close(file)
        do {
            try area.set([UInt8](repeating: 2, count: 300 << 10), forKey: "k")
            AreaProbe.say("set on a full disk")
        } catch { AreaProbe.say(error) }
        do {
            try area.write("k") { writer in
                for _ in 0..<75 { try writer.write(block) }
            }
            AreaProbe.say("written on a full disk")
        } catch { AreaProbe.say(error) }
        AreaProbe.say("value \(try area.require("k", as: String.self))")
        AreaProbe.say("keys \(try area.keys().joined(separator: " "))")
        unsafe unlink(filler)
        try area.set([UInt8](repeating: 3, count: 300 << 10), forKey: "k")
        AreaProbe.say("bytes \(try area.require("k", as: [UInt8].self).count)")
    }
}

import StrongroomSystem

// Finding nodes by descriptors and paths.
extension DiskState {
    /// The node that is open under a number.
    func node(_ file: Descriptor) throws(SystemError) -> Int {
        guard let node = descriptors[file.number] else {
            throw SimulatedDisk.error("use", "a closed descriptor", ErrorCode.invalid)
        }
        return node
    }

    /// The node that a path leads to.
    func find(_ path: Path, at directory: Descriptor?) throws(SystemError) -> Int {
        guard let node = try findParent(path, at: directory).node else {
            throw SimulatedDisk.error("find", path, ErrorCode.noEntry)
        }
        return node
    }

    /// The directory that a path's last name is in, that name, and what has it.
    func findParent(
        _ path: Path, at directory: Descriptor?
    ) throws(SystemError) -> (directory: Int, name: Path, node: Int?) {
        var names = path.bytes.split(separator: UInt8(ascii: "/")).map { Path(bytes: Array($0)) }
        var current = 0
        if !path.isAbsolute, let directory { current = try node(directory) }
        guard let last = names.popLast() else { return (0, ".", 0) }
        for name in names { current = try step(name, from: current, path) }
        switch last {
        case ".": return (nodes[current].parent, last, current)
        case "..": return (nodes[current].parent, last, nodes[current].parent)
        default:
            guard nodes[current].isDirectory else {
                throw SimulatedDisk.error("find", path, ErrorCode.notDirectory)
            }
            if last.bytes.count > 255 {
                throw SimulatedDisk.error("find", path, ErrorCode.nameTooLong)
            }
            return (current, last, nodes[current].names[last])
        }
    }

    private func step(_ name: Path, from node: Int, _ path: Path) throws(SystemError) -> Int {
        guard nodes[node].isDirectory else {
            throw SimulatedDisk.error("find", path, ErrorCode.notDirectory)
        }
        if name == "." { return node }
        if name == ".." { return nodes[node].parent }
        guard let next = nodes[node].names[name] else {
            throw SimulatedDisk.error("find", path, ErrorCode.noEntry)
        }
        return next
    }

    /// What the calls say of a node.
    func status(_ node: Int) -> FileStatus {
        let found = nodes[node]
        return FileStatus(
            kind: found.isDirectory ? .directory : .regular, mode: found.mode,
            owner: Identity.effectiveUser, group: Identity.effectiveGroup,
            byteCount: Int64(found.bytes.count), allocatedByteCount: Int64(found.bytes.count),
            linkCount: UInt64(found.linkCount), device: 1, inode: found.inode)
    }
}

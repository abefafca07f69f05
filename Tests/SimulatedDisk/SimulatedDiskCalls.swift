package import StrongroomSystem
import Synchronization

// The calls of the door to files.
extension SimulatedDisk {
    package func open(
        _ path: Path, at directory: Descriptor?, _ options: OpenOptions, mode: UInt16
    ) throws(SystemError) -> Descriptor {
        if options.contains(.unnamed) {
            return try change { (state) throws(SystemError) in
                let parent = try state.find(path, at: directory)
                let node = state.makeNode(isDirectory: false, mode: mode, parent: parent)
                state.nodes[node].isLinkable = true
                return state.open(node)
            }
        }
        let isThere = try look { (state) throws(SystemError) in
            try state.findParent(path, at: directory).node != nil
        }
        if isThere || !options.contains(.create) {
            return try look { (state) throws(SystemError) in
                let node = try state.find(path, at: directory)
                if options.contains(.exclusive) { throw Self.error("open", path, ErrorCode.exists) }
                let isDirectory = state.nodes[node].isDirectory
                if options.contains(.directory), !isDirectory {
                    throw Self.error("open", path, ErrorCode.notDirectory)
                }
                if options.contains(.write), isDirectory {
                    throw Self.error("open", path, ErrorCode.isDirectory)
                }
                return state.open(node)
            }
        }
        return try change { (state) throws(SystemError) in
            let place = try state.findParent(path, at: directory)
            let node = state.makeNode(isDirectory: false, mode: mode, parent: place.directory)
            state.change([(place.directory, place.name, node)])
            return state.open(node)
        }
    }

    package func close(_ file: Descriptor) {
        memory.withLock { memory in
            guard let node = memory.state.descriptors.removeValue(forKey: file.number) else {
                return
            }
            if memory.state.locks[node] == file.number { memory.state.locks[node] = nil }
        }
    }

    package func read(
        _ file: Descriptor, into buffer: inout MutableSpan<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        let bytes = try look { (state) throws(SystemError) in
            state.nodes[try state.node(file)].bytes
        }
        let count = min(buffer.count, bytes.count - Int(offset))
        guard count > 0 else { return 0 }
        let found = bytes.span.extracting(Int(offset)..<Int(offset) + count)
        unsafe buffer.withUnsafeMutableBufferPointer { buffer in
            unsafe found.withUnsafeBufferPointer { found in
                _ = unsafe buffer.update(fromContentsOf: found)
            }
        }
        return count
    }

    package func write(
        _ file: Descriptor, _ bytes: Span<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        var copy: [UInt8] = []
        Bytes.append(bytes, to: &copy)
        let count = copy.count
        try change { [copy] (state) throws(SystemError) in
            state.change(try state.node(file), .write(copy, at: Int(offset)))
        }
        return count
    }

    package func readStream(
        _ file: Descriptor, into buffer: inout MutableSpan<UInt8>
    ) throws(SystemError) -> Int {
        throw Self.error("read", "", ErrorCode.noSeek)
    }

    package func writeStream(
        _ file: Descriptor, _ bytes: Span<UInt8>
    ) throws(SystemError) -> Int {
        throw Self.error("write", "", ErrorCode.noSeek)
    }

    package func truncate(_ file: Descriptor, to byteCount: Int64) throws(SystemError) {
        try change { (state) throws(SystemError) in
            state.change(try state.node(file), .resize(to: Int(byteCount)))
        }
    }

    package func sync(_ file: Descriptor) throws(SystemError) {
        try change { (state) throws(SystemError) in state.sync(try state.node(file)) }
    }

    /// What is not synced may be on the disk or not, whether somebody has begun to write it or not.
    package func startSync(
        _ file: Descriptor, of range: Range<Int64>
    ) throws(SystemError) {
        try look { (state) throws(SystemError) in _ = try state.node(file) }
    }

    package func syncData(_ file: Descriptor) throws(SystemError) { try sync(file) }

    package func status(_ file: Descriptor) throws(SystemError) -> FileStatus {
        try look { (state) throws(SystemError) in state.status(try state.node(file)) }
    }

    package func modified(_ file: Descriptor) throws(SystemError) -> Int64 {
        try look { (state) throws(SystemError) in state.nodes[try state.node(file)].modified }
    }

    package func status(
        _ path: Path, at directory: Descriptor?, followLink: Bool
    ) throws(SystemError) -> FileStatus {
        try look { (state) throws(SystemError) in state.status(try state.find(path, at: directory))
        }
    }

    package func changeMode(_ file: Descriptor, to mode: UInt16) throws(SystemError) {
        try look { (state) throws(SystemError) in
            state.nodes[try state.node(file)].mode = mode
        }
    }

    package func changeMode(
        _ path: Path, at directory: Descriptor?, to mode: UInt16
    ) throws(SystemError) {
        try look { (state) throws(SystemError) in
            let node = try state.find(path, at: directory)
            state.nodes[node].mode = mode
        }
    }

    package func changeOwner(
        _ file: Descriptor, to owner: UInt32, group: UInt32
    ) throws(SystemError) {
        throw Self.error("change owner", "", ErrorCode.notPermitted)
    }

    package func rename(
        _ path: Path, at directory: Descriptor?, to newPath: Path, at newDirectory: Descriptor?,
        _ mode: RenameMode
    ) throws(SystemError) {
        try change { (state) throws(SystemError) in
            let from = try state.findParent(path, at: directory)
            let to = try state.findParent(newPath, at: newDirectory)
            guard let node = from.node else { throw Self.error("rename", path, ErrorCode.noEntry) }
            guard mode == .replace else { throw Self.error("rename", path, ErrorCode.invalid) }
            if let other = to.node {
                guard other != node else { return }
                if state.nodes[other].isDirectory {
                    throw Self.error("rename", newPath, ErrorCode.isDirectory)
                }
            }
            state.change([(from.directory, from.name, nil), (to.directory, to.name, node)])
        }
    }

    package func link(
        _ file: Descriptor, to path: Path, at directory: Descriptor?
    ) throws(SystemError) {
        try change { (state) throws(SystemError) in
            let node = try state.node(file)
            let to = try state.findParent(path, at: directory)
            if to.node != nil { throw Self.error("link", path, ErrorCode.exists) }
            guard state.nodes[node].linkCount > 0 || state.nodes[node].isLinkable else {
                throw Self.error("link", path, ErrorCode.noEntry)
            }
            state.change([(to.directory, to.name, node)])
        }
    }

    package func unlink(_ path: Path, at directory: Descriptor?) throws(SystemError) {
        try change { (state) throws(SystemError) in
            let place = try state.findParent(path, at: directory)
            guard let node = place.node else { throw Self.error("remove", path, ErrorCode.noEntry) }
            if state.nodes[node].isDirectory {
                throw Self.error("remove", path, ErrorCode.isDirectory)
            }
            state.change([(place.directory, place.name, nil)])
        }
    }

    package func makeDirectory(
        _ path: Path, at directory: Descriptor?, mode: UInt16
    ) throws(SystemError) {
        try change { (state) throws(SystemError) in
            let place = try state.findParent(path, at: directory)
            if place.node != nil { throw Self.error("make directory", path, ErrorCode.exists) }
            let node = state.makeNode(isDirectory: true, mode: mode, parent: place.directory)
            state.change([(place.directory, place.name, node)])
        }
    }

    package func removeDirectory(_ path: Path, at directory: Descriptor?) throws(SystemError) {
        try change { (state) throws(SystemError) in
            let place = try state.findParent(path, at: directory)
            guard let node = place.node else { throw Self.error("remove", path, ErrorCode.noEntry) }
            guard state.nodes[node].isDirectory else {
                throw Self.error("remove", path, ErrorCode.notDirectory)
            }
            guard state.nodes[node].names.isEmpty else {
                throw Self.error("remove", path, ErrorCode.notEmpty)
            }
            state.change([(place.directory, place.name, nil)])
        }
    }

    package func list(_ directory: Descriptor) throws(SystemError) -> [DirectoryItem] {
        try look { (state) throws(SystemError) in
            let node = try state.node(directory)
            return state.nodes[node].names.map { (name, target) in
                DirectoryItem(
                    name: name, kind: state.nodes[target].isDirectory ? .directory : .regular)
            }
        }
    }

    package func lock(_ file: Descriptor, _ kind: LockKind, waits: Bool) throws(SystemError) {
        try look { (state) throws(SystemError) in
            let node = try state.node(file)
            if let holder = state.locks[node], holder != file.number {
                // Nobody waits in a call on this disk, where all calls are made one at a time.
                throw Self.error("lock", "", ErrorCode.wouldBlock)
            }
            state.locks[node] = file.number
        }
    }

    /// True if somebody else holds the lock of a file.
    package func isLocked(_ file: Descriptor) -> Bool {
        memory.withLock { memory in
            guard let node = memory.state.descriptors[file.number],
                let holder = memory.state.locks[node]
            else { return false }
            return holder != file.number
        }
    }

    package func unlock(_ file: Descriptor) throws(SystemError) {
        try look { (state) throws(SystemError) in
            let node = try state.node(file)
            if state.locks[node] == file.number { state.locks[node] = nil }
        }
    }

    package func freeByteCount(_ file: Descriptor) throws(SystemError) -> UInt64 { 1 << 30 }

    package func readLink(_ path: Path, at directory: Descriptor?) throws(SystemError) -> Path {
        throw Self.error("read link", path, ErrorCode.invalid)
    }

    static func error(_ operation: String, _ path: Path, _ code: Int32) -> SystemError {
        SystemError(operation: operation, path: path.description, code: code)
    }
}

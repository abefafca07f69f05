import StrongroomSystem

/// What is on a simulated disk and in the kernel's memory of it.
///
/// It is as forgetful as POSIX lets a disk be. A file's bytes last once the file was synced; a name, once the directory
/// that holds it was, and then only the name, not what is in the file or directory. A rename is one step, also
/// between two directories. A lock belongs to the descriptor by which it was taken.
struct DiskState: Sendable {
    /// A file or directory.
    struct Node: Sendable {
        /// What the calls tell it by; free for another one when the node is gone.
        var inode: UInt64
        var isDirectory: Bool
        var mode: UInt16
        var parent: Int
        var linkCount = 0
        var isLinkable = false
        var modified: Int64 = 0
        var bytes: [UInt8] = []
        var names: [Path: Int] = [:]
        /// What a crash leaves in any case.
        var durableBytes: [UInt8] = []
        /// What was done to the bytes since, as far as a sync can still bring it to the disk.
        var unsynced: [FileChange] = []
        var durableNames: [Path: Int] = [:]
    }

    /// A change of names that is not durable yet: each part gives a name in a directory a node, or none.
    struct Operation: Sendable {
        var parts: [(directory: Int, name: Path, node: Int?)]
    }

    var nodes: [Node] = [Node(inode: 1, isDirectory: true, mode: 0o700, parent: 0)]
    var pending: [Operation] = []
    var descriptors: [Int32: Int] = [:]
    var locks: [Int: Int32] = [:]
    private var nextDescriptor: Int32 = 3
    private var time: Int64 = 0

    /// A new node without a name.
    mutating func makeNode(isDirectory: Bool, mode: UInt16, parent: Int) -> Int {
        time += 1
        var node = Node(inode: freeInode(), isDirectory: isDirectory, mode: mode, parent: parent)
        node.modified = time
        nodes.append(node)
        return nodes.count - 1
    }

    /// The smallest number that no node has which has a name or is open: as some file systems do, at once.
    private func freeInode() -> UInt64 {
        let open = Set(descriptors.values)
        var used: Set<UInt64> = [1]
        for (index, node) in nodes.enumerated() where node.linkCount > 0 || open.contains(index) {
            used.insert(node.inode)
        }
        var inode: UInt64 = 2
        while used.contains(inode) { inode += 1 }
        return inode
    }

    /// A number for an open node.
    mutating func open(_ node: Int) -> Descriptor {
        nextDescriptor += 1
        descriptors[nextDescriptor] = node
        return Descriptor(number: nextDescriptor)
    }

    /// Changes names, all at once, in memory; a crash may forget it until one of the directories is synced.
    mutating func change(_ parts: [(directory: Int, name: Path, node: Int?)]) {
        for (directory, name, node) in parts {
            if let old = nodes[directory].names[name] { nodes[old].linkCount -= 1 }
            nodes[directory].names[name] = node
            if let node {
                nodes[node].linkCount += 1
                nodes[node].isLinkable = false
                if nodes[node].isDirectory { nodes[node].parent = directory }
            }
        }
        pending.append(Operation(parts: parts))
    }

    /// Changes a file's bytes.
    ///
    /// What goes to the disk some time is whole sectors, as they are now.
    mutating func change(_ node: Int, _ change: FileChange) {
        time += 1
        nodes[node].modified = time
        change.apply(to: &nodes[node].bytes)
        nodes[node].unsynced.append(change.wholeSectors(of: nodes[node].bytes))
    }

    /// Makes a node's bytes, or the names in it, durable.
    mutating func sync(_ node: Int) {
        for change in nodes[node].unsynced { change.apply(to: &nodes[node].durableBytes) }
        nodes[node].unsynced = []
        let synced = pending.filter { $0.parts.contains { $0.directory == node } }
        pending.removeAll { $0.parts.contains { $0.directory == node } }
        for operation in synced { persist(operation) }
    }

    /// A sync that fails: some of what was written is on the disk, and no later sync brings the rest there, though
    /// everybody still reads it.
    mutating func failSync(_ node: Int, _ random: inout some RandomNumberGenerator) {
        let found = nodes[node]
        nodes[node].durableBytes = SimulatedDisk.Loss.some.bytes(
            found.durableBytes, found.unsynced, &random)
        nodes[node].unsynced = []
    }

    /// Makes an operation durable, and forgets older ones of the same names.
    private mutating func persist(_ operation: Operation) {
        for (directory, name, node) in operation.parts {
            nodes[directory].durableNames[name] = node
            for index in pending.indices {
                pending[index].parts.removeAll { $0.directory == directory && $0.name == name }
            }
        }
    }

    /// A hash of what can be found from the root.
    var fingerprint: Int {
        var hasher = Hasher()
        addFingerprint(of: 0, to: &hasher)
        return hasher.finalize()
    }

    private func addFingerprint(of directory: Int, to hasher: inout Hasher) {
        let names = nodes[directory].names.sorted {
            $0.key.bytes.lexicographicallyPrecedes($1.key.bytes)
        }
        for (name, index) in names {
            hasher.combine(name)
            hasher.combine(nodes[index].isDirectory)
            hasher.combine(nodes[index].bytes)
            addFingerprint(of: index, to: &hasher)
        }
        hasher.combine(names.count)
    }

    /// What a crash leaves.
    func crashed(_ loss: SimulatedDisk.Loss, _ random: inout some RandomNumberGenerator)
        -> DiskState
    {
        var after = self
        after.descriptors = [:]
        after.locks = [:]
        after.pending = []
        for operation in pending where loss.keeps(&random) {
            for (directory, name, node) in operation.parts {
                after.nodes[directory].durableNames[name] = node
            }
        }
        for index in after.nodes.indices {
            after.nodes[index].linkCount = 0
            after.nodes[index].isLinkable = false
            after.nodes[index].names = after.nodes[index].durableNames
            let bytes = loss.bytes(nodes[index].durableBytes, nodes[index].unsynced, &random)
            after.nodes[index].bytes = bytes
            after.nodes[index].durableBytes = bytes
            after.nodes[index].unsynced = []
        }
        for node in after.nodes {
            for target in node.names.values { after.nodes[target].linkCount += 1 }
        }
        after.separateInodes()
        return after
    }

    /// Gives the younger of two nodes another number, where the older one came back whose number was free.
    private mutating func separateInodes() {
        var used: Set<UInt64> = [1]
        for index in nodes.indices.dropFirst() {
            guard nodes[index].linkCount > 0 else {
                nodes[index].bytes = []
                nodes[index].durableBytes = []
                continue
            }
            if !used.insert(nodes[index].inode).inserted {
                nodes[index].inode = freeInode()
                used.insert(nodes[index].inode)
            }
        }
    }
}

import SimulatedDisk
@testable import StrongroomStores
import StrongroomSystem
import Synchronization

/// A process's file system on which one rule of the log's protocol is broken.
final class OmittingFileSystem: FileSystemWrapper {
    /// What was meant to be in each log, by its inode, also where a write was cut short.
    final class Shadow: Sendable {
        private let bytes = Mutex<[UInt64: [UInt8]]>([:])

        func make(_ inode: UInt64) { bytes.withLock { $0[inode] = [] } }

        func write(_ new: [UInt8], _ inode: UInt64, at offset: Int) {
            bytes.withLock { bytes in
                var old = bytes[inode] ?? []
                if old.count < offset + new.count {
                    old += [UInt8](repeating: 0, count: offset + new.count - old.count)
                }
                old.replaceSubrange(offset..<(offset + new.count), with: new)
                bytes[inode] = old
            }
        }

        func read(_ inode: UInt64, at offset: Int, count: Int) -> [UInt8]? {
            bytes.withLock { bytes in
                guard let all = bytes[inode], all.count >= offset + count else { return nil }
                return Array(all[offset..<(offset + count)])
            }
        }
    }

    /// What the process is in the middle of, as far as its calls tell.
    struct Memory: Sendable {
        struct Opened: Sendable {
            let name: Path
            let inode: UInt64
            let isForWriting: Bool
        }
        var opened: [Int32: Opened] = [:]
        /// The descriptor by which it holds the write lock.
        var lock: Int32?
        /// Since it got the lock.
        var hasWritten = false
        var hasRenamed = false
        var hasCheckedInode = false
        var hasRetracted = false
        /// The log that it opened last.
        var log: FileStatus?
        var block: LogBlock?
        /// The hint as it last read it.
        var hint: [UInt8] = []
        /// Between the first and the second look of a scan.
        var isScanning = false
    }

    let inner: any FileSystem
    private let disk: SimulatedDisk
    private let directory: Path
    private let rule: LogRule
    private let shadow: Shadow
    private let memory = Mutex(Memory())

    init(
        _ rule: LogRule, on inner: any FileSystem, _ disk: SimulatedDisk, _ directory: Path,
        _ shadow: Shadow
    ) {
        self.rule = rule
        self.inner = inner
        self.disk = disk
        self.directory = directory
        self.shadow = shadow
    }

    // MARK: What is what

    func open(
        _ path: Path, at directory: Descriptor?, _ options: OpenOptions, mode: UInt16
    ) throws(SystemError) -> Descriptor {
        let file = try inner.open(path, at: directory, options, mode: mode)
        let name: Path = options.contains(.directory) ? "." : path.lastComponent
        let status = try disk.status(file)
        let block = name == LogName.log ? try block(of: file) : nil
        if name == LogName.next { shadow.make(status.inode) }
        memory.withLock { memory in
            memory.opened[file.number] = Memory.Opened(
                name: name, inode: status.inode, isForWriting: options.contains(.write))
            if name == LogName.log, !options.contains(.write) {
                memory.log = status
                memory.block = block
                memory.isScanning = false
            }
        }
        return file
    }

    func close(_ file: Descriptor) {
        memory.withLock { memory in
            memory.opened[file.number] = nil
            if memory.lock == file.number { memory.lock = nil }
        }
        inner.close(file)
    }

    func lock(_ file: Descriptor, _ kind: LockKind, waits: Bool) throws(SystemError) {
        let name = memory.withLock { $0.opened[file.number]?.name }
        let isOmitted =
            rule == .writeLock && (name == LogName.lock || name == LogName.gate)
            || rule == .jobLock && name == LogName.job
        if !isOmitted { try inner.lock(file, kind, waits: waits) }
        guard name == LogName.lock else { return }
        memory.withLock { memory in
            memory.lock = file.number
            memory.hasWritten = false
            memory.hasRenamed = false
            memory.hasCheckedInode = false
            memory.hasRetracted = false
        }
    }

    func unlock(_ file: Descriptor) throws(SystemError) {
        memory.withLock { if $0.lock == file.number { $0.lock = nil } }
        try inner.unlock(file)
    }

    func rename(
        _ path: Path, at directory: Descriptor?, to newPath: Path, at newDirectory: Descriptor?,
        _ mode: RenameMode
    ) throws(SystemError) {
        try inner.rename(path, at: directory, to: newPath, at: newDirectory, mode)
        if newPath == LogName.log { memory.withLock { $0.hasRenamed = true } }
    }

    // MARK: What is left out

    func status(
        _ path: Path, at directory: Descriptor?, followLink: Bool
    ) throws(SystemError) -> FileStatus {
        let status = try inner.status(path, at: directory, followLink: followLink)
        guard path == LogName.log else { return status }
        return memory.withLock { memory in
            guard memory.lock == nil else {
                defer { memory.hasCheckedInode = true }
                let isLie = rule == .inodeCheck && !memory.hasCheckedInode
                return isLie ? memory.log ?? status : status
            }
            memory.isScanning = true
            return rule == .lookInode ? memory.log ?? status : status
        }
    }

    func syncData(_ file: Descriptor) throws(SystemError) {
        if !isOmitted(syncOf: file, isData: true) { try inner.syncData(file) }
    }

    func sync(_ file: Descriptor) throws(SystemError) {
        if !isOmitted(syncOf: file, isData: false) { try inner.sync(file) }
    }

    private func isOmitted(syncOf file: Descriptor, isData: Bool) -> Bool {
        let isCurrent = currentHint() != nil
        return memory.withLock { memory in
            guard let opened = memory.opened[file.number] else { return false }
            let holdsLock = memory.lock != nil
            switch opened.name {
            case ".":
                return holdsLock && rule == (memory.hasRenamed ? .renameSync : .directorySync)
            case LogName.next: return rule == .rewriteSync
            case LogName.log where opened.isForWriting:
                return rule == (memory.hasRetracted ? .retractSync : .commitSync)
            case LogName.log where holdsLock:
                return rule == .adoptionSync && isData && isCurrent
            case LogName.log: return rule == .scanSync
            default: return false
            }
        }
    }

    func write(
        _ file: Descriptor, _ bytes: Span<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        let isCurrent = currentHint() != nil
        let copy = bytes.copy(0..<bytes.count)
        let isOmitted = memory.withLock { memory -> Bool in
            guard let opened = memory.opened[file.number] else { return false }
            switch opened.name {
            case LogName.lock where memory.lock != nil:
                if memory.hasRenamed { return false }
                if memory.hasWritten { return rule == .commitPublish }
                return rule == (isCurrent ? .adoptionPublish : .settlePublish)
            case LogName.log:
                memory.hasWritten = true
                memory.hasRetracted = bytes.count <= LogHead.byteCount && bytes.isZero
                shadow.write(copy, opened.inode, at: Int(offset))
                return rule == .retract && memory.hasRetracted
            case LogName.next:
                shadow.write(copy, opened.inode, at: Int(offset))
                return false
            default: return false
            }
        }
        return isOmitted ? bytes.count : try inner.write(file, bytes, at: offset)
    }

    func read(
        _ file: Descriptor, into buffer: inout MutableSpan<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        guard let opened = memory.withLock({ $0.opened[file.number] }) else {
            return try inner.read(file, into: &buffer, at: offset)
        }
        switch opened.name {
        case LogName.lock where offset == 0 && buffer.count == LogHint.byteCount:
            return try readHint(file, into: &buffer)
        case LogName.log: return try readLog(file, opened, into: &buffer, at: offset)
        default: return try inner.read(file, into: &buffer, at: offset)
        }
    }

    private func readLog(
        _ file: Descriptor, _ opened: Memory.Opened, into buffer: inout MutableSpan<UInt8>,
        at offset: Int64
    ) throws(SystemError) -> Int {
        let found = memory.withLock { $0 }
        let hasOnlyLock = found.lock != nil && !found.hasWritten
        if rule == .adoption, hasOnlyLock, let hint = currentHint() {
            // The file seems to end where the hint says.
            let count = max(0, min(Int64(buffer.count), hint.end - offset))
            var front = buffer._mutatingExtracting(0..<Int(count))
            return try inner.read(file, into: &front, at: offset)
        }
        let count = try inner.read(file, into: &buffer, at: offset)
        if rule == .payloadSums, found.isScanning || hasOnlyLock, buffer.count < 4096,
            let meant = shadow.read(opened.inode, at: Int(offset), count: buffer.count)
        {
            // Every payload seems whole while it is summed; heads are read in larger pieces.
            for index in meant.indices { buffer[index] = meant[index] }
            return meant.count
        }
        return count
    }

    // MARK: The hint

    private func readHint(
        _ file: Descriptor, into buffer: inout MutableSpan<UInt8>
    ) throws(SystemError) -> Int {
        let count = try inner.read(file, into: &buffer, at: 0)
        var bytes = buffer.span.copy(0..<count)
        let before = memory.withLock { memory -> Memory in
            let before = memory
            memory.isScanning = false
            return before
        }
        switch rule {
        case .hintIsEnd where before.lock == nil:
            bytes = [UInt8](repeating: 0, count: LogHint.byteCount)
        case .secondLook where before.lock == nil && before.isScanning:
            bytes = before.hint
        case .hintBoot: bytes = changed(bytes, before, log: false)
        case .hintLog: bytes = changed(bytes, before, log: true)
        default: break
        }
        let answer = bytes
        memory.withLock { $0.hint = answer }
        for index in answer.indices { buffer[index] = answer[index] }
        return answer.count
    }

    /// The hint with the boot, or the log, that it should have.
    private func changed(_ bytes: [UInt8], _ memory: Memory, log: Bool) -> [UInt8] {
        do throws(StoreError) {
            guard let hint = try LogHint(decoding: bytes.span), let boot = currentBoot() else {
                return bytes
            }
            guard log else {
                return try LogHint(
                    boot: boot, log: hint.log, inode: hint.inode, end: hint.end,
                    sequence: hint.sequence
                ).encoded()
            }
            guard let status = memory.log, let block = memory.block else { return bytes }
            return try LogHint(
                boot: hint.boot, log: block.log, inode: status.inode, end: hint.end,
                sequence: hint.sequence
            ).encoded()
        } catch {
            return bytes
        }
    }

    private func block(of file: Descriptor) throws(SystemError) -> LogBlock? {
        var bytes = [UInt8](repeating: 0, count: LogBlock.byteCount)
        var span = bytes.mutableSpan
        _ = try disk.read(file, into: &span, at: 0)
        do throws(StoreError) {
            return try LogBlock.unverified(bytes, path: "")
        } catch {
            return nil
        }
    }

    private func currentBoot() -> Bytes16? {
        (try? Identity.bootID(fileSystem: disk)).flatMap { LogHint.boot($0) }
    }

    /// The hint on the disk, if it is current for the log that has the name.
    private func currentHint() -> LogHint? {
        do {
            let path = directory.appending(LogName.lock)
            let bytes = try OpenFile.open(path, [.read], fileSystem: disk)
                .read(at: 0, count: LogHint.byteCount)
            guard let hint = try LogHint(decoding: bytes.span), hint.boot == currentBoot() else {
                return nil
            }
            let status = try disk.status(
                directory.appending(LogName.log), at: nil, followLink: false)
            return status.inode == hint.inode ? hint : nil
        } catch {
            return nil
        }
    }
}

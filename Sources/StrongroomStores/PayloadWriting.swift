import StrongroomSystem

extension Payload {
    /// Bytes that are copied at a time.
    private static var copyByteCount: Int { 1 << 20 }

    /// Makes the file `name`, which must be free, in `folder`, with exactly these bytes, synced if `isDurable`.
    ///
    /// A throw may leave the file, unfinished.
    func write(
        as name: Path, in folder: OpenFile, isDurable: Bool
    ) throws(StoreError) -> FileStatus {
        let file = try make(name, in: folder)
        if isDurable { try system(try file.sync()) }
        return try system(try file.status())
    }

    private func make(_ name: Path, in folder: OpenFile) throws(StoreError) -> OpenFile {
        if case .staged(let staged as StagedFile) = self, staged.link(as: name, in: folder) {
            return staged.file
        }
        let file = try system(try folder.openFile(name, [.read, .write, .create, .exclusive]))
        switch self {
        case .bytes(let bytes): try system(try file.write(bytes.span, at: 0))
        case .staged(let staged):
            let byteCount = try staged.byteCount
            var offset: Int64 = 0
            while offset < byteCount {
                let count = Int(min(Int64(Self.copyByteCount), byteCount - offset))
                let bytes = try staged.read(at: offset, count: count)
                try system(try file.write(bytes.span, at: offset))
                offset += Int64(count)
            }
        }
        return file
    }
}

extension StagedPayload {
    /// Writes all of an entry's payload.
    func fill(from entry: any EntryReader) throws(StoreError) {
        var offset: Int64 = 0
        while offset < entry.byteCount {
            let count = Int(min(1 << 20, entry.byteCount - offset))
            let bytes = try entry.read(at: offset, count: count)
            try write(bytes.span, at: offset)
            offset += Int64(count)
        }
    }
}

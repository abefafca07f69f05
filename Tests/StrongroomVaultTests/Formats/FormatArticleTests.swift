import StrongroomCrypto
import StrongroomStores
import Testing

@testable import StrongroomVault

/// The article on the file formats shows what the formats are.
struct FormatArticleTests {
    /// The article's text, without the spaces and line ends of its blocks of digits.
    private static func article() throws -> String {
        let bytes = try Fixture.bytes(
            "FileFormats.md", in: "Sources/Strongroom/Strongroom.docc")
        return String(decoding: bytes, as: UTF8.self)
            .filter { $0 != " " && !$0.isNewline }
    }

    @Test("its worked example is the frozen one")
    func workedExample() throws {
        let article = try Self.article()
        let dataKey = try DataKey(key: .of(Fixture.vector("data")))
        let name = try dataKey.name("service/github/token-001")
        let entry = try Fixture.bytes("1.entry")
        let header = try SealedEntry.openHeader(entry.span, id: name.id, with: dataKey)
        let parts = try [
            "master", "master-1", "master-2", "data", "data-1", "data-2",
        ].map { try Fixture.vector($0) }
        let plainHeader = try header.encoded(key: "").copyToArray()
        for part in parts + [dataKey.id, name.id.bytes, entry, plainHeader] {
            #expect(article.contains(Hexadecimal.text(of: part)))
        }
        let keyFile = String(decoding: try Fixture.bytes("plain.key"), as: UTF8.self)
        #expect(article.contains(keyFile.filter { $0 != " " && !$0.isNewline }))
    }

    @Test("its table of sizes is that of the layout")
    func sizes() throws {
        let text = String(
            decoding: try Fixture.bytes(
                "FileFormats.md", in: "Sources/Strongroom/Strongroom.docc"), as: UTF8.self)
        let rows = text.split(separator: "\n").map { row in
            row.split(separator: "|").compactMap {
                UInt64(String($0.filter { $0 != " " && $0 != "," }))
            }
        }.filter { $0.count == 6 }
        #expect(rows.count == 11)
        for row in rows {
            let header = EntryHeader(
                key: String(repeating: "k", count: Int(row[0])), byteCount: row[1], created: 0,
                modified: 0, attributes: [:])
            let box = try header.encoded(key: "").byteCount + 16
            let layout = try #require(
                EntryLayout(valueByteCount: row[1], bodyOffset: 30 + box))
            #expect(
                [UInt64(box), layout.paddedByteCount, layout.boxCount, layout.sealedByteCount]
                    == Array(row[2...]))
        }
    }
}

import Testing

@testable import StrongroomVault

struct HexadecimalTests {
    @Test("every byte is two digits and comes back")
    func roundTrip() {
        let all = (0...255).map { UInt8($0) }
        let text = Hexadecimal.text(of: all)
        #expect(text.hasPrefix("000102030405060708090a0b0c0d0e0f10"))
        #expect(text.hasSuffix("fdfeff"))
        #expect(Hexadecimal.decode(Array(text.utf8).span) == all)
        #expect(Hexadecimal.text(of: []) == "")
    }

    @Test("no other byte than 0 to 9 and a to f is a digit, in either place")
    func digits() {
        for byte in 0...255 {
            let isDigit = Array("0123456789abcdef".utf8).contains(UInt8(byte))
            let (first, second) = ([UInt8(byte), 0x30], [0x30, UInt8(byte)])
            #expect((Hexadecimal.decode(first.span) != nil) == isDigit)
            #expect((Hexadecimal.decode(second.span) != nil) == isDigit)
        }
    }

    @Test("an odd number of digits is refused")
    func odd() {
        #expect(Hexadecimal.decode([0x30].span) == nil)
        #expect(Hexadecimal.decode([0x30, 0x30, 0x30].span) == nil)
    }
}

import Strongroom
import StrongroomCrypto
import StrongroomVault

extension SecretBuffer {
    /// The pieces, one after the other.
    init(joining pieces: [SecretBytes]) {
        var byteCount = 0
        for piece in pieces { byteCount += piece.buffer.byteCount }
        self.init(byteCount: byteCount)
        var offset = 0
        for piece in pieces {
            overwrite(at: offset, with: piece)
            offset += piece.buffer.byteCount
        }
    }

    /// Puts the bytes of `piece` at `offset`, where there is room for them.
    mutating func overwrite(at offset: Int, with piece: SecretBytes) {
        var span = mutableBytes
        piece.withBytes { bytes in
            for index in bytes.indices { span[offset + index] = bytes[index] }
        }
    }
}

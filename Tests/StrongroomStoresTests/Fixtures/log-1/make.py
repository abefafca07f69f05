#!/usr/bin/env python3
"""A log of Strongroom's format 1, written a second time, from FileFormats.md alone.

It made the files beside it (`make.py DIRECTORY`), which every later version must open: `log`, its
`index`, and a `hint`, the front of a file `lock`. It needs Python 3.9 and gives the same bytes each
time; nothing but a test may take its keys and ids from a fixed text.
"""

import hashlib
import struct
import sys
from pathlib import Path

VAULT = bytes(range(0x10, 0x20))
CHAIN_KEY = bytes(range(0x20, 0x40))
INDEX_KEY = bytes(range(0x40, 0x60))
LOG = bytes(range(0x60, 0x70))
BOOT = bytes(range(0x70, 0x80))
OWNER = b"owner  1"
GENERATION = 3
PUT, REMOVE, LOST = 1, 2, 3


def u(number, size):
    return number.to_bytes(size, "little")


def aligned(number):
    return (number + 7) & ~7


def siphash(message, key=LOG):
    """SipHash-2-4, as 8 bytes."""
    mask = (1 << 64) - 1
    k0, k1 = struct.unpack("<QQ", key)
    v = [
        k0 ^ 0x736F6D6570736575,
        k1 ^ 0x646F72616E646F6D,
        k0 ^ 0x6C7967656E657261,
        k1 ^ 0x7465646279746573,
    ]

    def turn(x, by):
        return ((x << by) | (x >> (64 - by))) & mask

    def rounds(count):
        for _ in range(count):
            v[0] = (v[0] + v[1]) & mask
            v[1] = turn(v[1], 13) ^ v[0]
            v[0] = turn(v[0], 32)
            v[2] = (v[2] + v[3]) & mask
            v[3] = turn(v[3], 16) ^ v[2]
            v[0] = (v[0] + v[3]) & mask
            v[3] = turn(v[3], 21) ^ v[0]
            v[2] = (v[2] + v[1]) & mask
            v[1] = turn(v[1], 17) ^ v[2]
            v[2] = turn(v[2], 32)

    padded = message + bytes(7 - len(message) % 8) + bytes([len(message) & 0xFF])
    for (word,) in struct.iter_unpack("<Q", padded):
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 0xFF
    rounds(4)
    return u(v[0] ^ v[1] ^ v[2] ^ v[3], 8)


def payload_sum(payload):
    if len(payload) <= 65536:
        return siphash(payload)
    pieces = [payload[i : i + 65536] for i in range(0, len(payload), 65536)]
    return siphash(b"".join(siphash(piece) for piece in pieces))


def keyed(key, message):
    return hashlib.blake2b(VAULT + message, key=key, digest_size=16).digest()


def block():
    copy = b"SRS1" + u(1, 4) + u(GENERATION, 8) + LOG + OWNER
    copy += u(GENERATION - 1, 8) + u(9, 8) + bytes(range(0x80, 0x90))
    copy += keyed(CHAIN_KEY, b"\0" + copy)
    copy += siphash(copy)
    return (copy.ljust(2048, b"\0")) * 2


class Log:
    def __init__(self):
        self.bytes = block()
        self.sequence = 0
        self.link = bytes(8)
        self.tag = keyed(CHAIN_KEY, b"\2" + u(GENERATION, 8) + LOG)
        self.start = 0
        self.rows = {}
        self.live = 0

    def commit(self, changes):
        """changes: (kind, id, payload)"""
        table = chained = payloads = b""
        offsets = []
        for kind, name, payload in changes:
            stamp = payload[12:20].ljust(8, b"\0") if kind == PUT else bytes(8)
            front = u(kind, 1) + u(len(name), 2) + u(len(payload), 5) + stamp
            total = bytes(8) if kind == REMOVE else payload_sum(payload)
            table += front + total + name
            chained += front + name
            offsets.append(len(payloads))
            payloads += payload
        self.sequence += 1
        self.start = len(self.bytes)
        number, rows = u(self.sequence, 8), u(len(changes), 4)
        tag = keyed(
            CHAIN_KEY, b"\1" + u(GENERATION, 8) + self.tag + number + rows + chained
        )
        size = 80 + len(table) + len(payloads)
        head = b"SRT1" + rows + u(size, 8) + u(len(table), 4) + bytes(4) + number
        head += self.link + self.tag + tag
        self.link = siphash(head + bytes(8) + table)
        self.tag = tag
        self.bytes += (head + self.link + table + payloads).ljust(aligned(size), b"\0")
        first = self.start + 80 + len(table)
        for (kind, name, payload), offset in zip(changes, offsets):
            if kind == LOST:
                continue
            if name in self.rows:
                self.live -= self.rows.pop(name)[1] + 24 + len(name)
            if kind == PUT:
                stamp = payload[12:20].ljust(8, b"\0")
                self.rows[name] = (first + offset, len(payload), stamp)
                self.live += len(payload) + 24 + len(name)

    def index(self):
        rows = [
            name + u(offset, 6) + u(size, 5) + stamp
            for name, (offset, size, stamp) in sorted(self.rows.items())
        ]
        key = keyed(INDEX_KEY, b"\4" + LOG)
        pages = [b"".join(rows[i : i + 105]) for i in range(0, len(rows), 105)]
        sums = b"".join(siphash(page, key) for page in pages)
        head = b"SRX1" + bytes(4) + LOG + u(self.start, 8) + u(self.sequence, 8)
        head += self.link + u(self.live, 8) + u(len(rows), 8)
        return head + keyed(INDEX_KEY, b"\3" + head + sums) + sums + b"".join(pages)

    def hint(self, inode):
        front = BOOT + LOG + u(inode, 8) + u(len(self.bytes), 8) + u(self.sequence, 8)
        return front + siphash(front)


def name(number):
    return u(number, 2)[::-1] + bytes([0xAB]) * 18


def payload(seed, size):
    return bytes((i * 7 + seed) & 0xFF for i in range(size))


def main(directory):
    log = Log()
    log.commit([(PUT, name(n), payload(n, 30)) for n in range(110)])
    log.commit([(PUT, name(0), payload(200, 190)), (REMOVE, name(1), b"")])
    index = log.index()
    log.commit([(PUT, name(200), payload(1, 65537)), (LOST, b"", payload(2, 100))])
    log.commit([(PUT, name(2), payload(3, 0)), (PUT, name(3), payload(4, 13))])
    log.commit([(REMOVE, name(4), b""), (PUT, name(201), payload(5, 20))])
    log.commit([(PUT, name(2), payload(6, 65536))])
    Path(directory, "log").write_bytes(log.bytes)
    Path(directory, "index").write_bytes(index)
    Path(directory, "hint").write_bytes(log.hint(5))


if __name__ == "__main__":
    main(sys.argv[1])

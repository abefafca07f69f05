#!/usr/bin/env python3
"""A second reader of a vault's log and anchor, written from FileFormats.md alone.

`reference.py KEY KEYRING LOG [ANCHOR]` verifies every sum, link, chain tag and payload of a log, opens every entry that
is left, and prints keys and values; the number of the last commit and the end of the log come last. It needs Python 3.9
and PyNaCl, and takes the key file, the keyring and sealed entries from `../format1/reference.py`.
"""

import hashlib
import os
import struct
import sys
import types

def load(path):
    """The functions of another reader, without what it does when it is run."""
    with open(path) as file:
        source = file.read()
    module = types.ModuleType("format1")
    exec(compile(source.removesuffix("main(sys.argv[1:])\n"), path, "exec"), module.__dict__)
    return module


format1 = load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../format1/reference.py"))

MASK = (1 << 64) - 1


def siphash(key, message):
    """SipHash-2-4 as its paper has it."""
    k0, k1 = struct.unpack("<QQ", key)
    v = [
        k0 ^ 0x736F6D6570736575,
        k1 ^ 0x646F72616E646F6D,
        k0 ^ 0x6C7967656E657261,
        k1 ^ 0x7465646279746573,
    ]

    def rotate(x, b):
        return (x << b | x >> (64 - b)) & MASK

    def rounds(count):
        for _ in range(count):
            v[0] = (v[0] + v[1]) & MASK
            v[1] = rotate(v[1], 13) ^ v[0]
            v[0] = rotate(v[0], 32)
            v[2] = (v[2] + v[3]) & MASK
            v[3] = rotate(v[3], 16) ^ v[2]
            v[0] = (v[0] + v[3]) & MASK
            v[3] = rotate(v[3], 21) ^ v[0]
            v[2] = (v[2] + v[1]) & MASK
            v[1] = rotate(v[1], 17) ^ v[2]
            v[2] = rotate(v[2], 32)

    padded = message + bytes(7 - len(message) % 8) + bytes([len(message) % 256])
    for (word,) in struct.iter_unpack("<Q", padded):
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 0xFF
    rounds(4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def payload_sum(key, payload):
    """Of more than 65,536 bytes: the sum of the sums of its pieces."""
    if len(payload) <= 65536:
        return siphash(key, payload)
    pieces = [payload[at : at + 65536] for at in range(0, len(payload), 65536)]
    return siphash(key, b"".join(struct.pack("<Q", siphash(key, piece)) for piece in pieces))


def chain_tag(data, vault, message):
    key = format1.subkey(data, 3, b"SRdata_1")
    return hashlib.blake2b(vault + message, digest_size=16, key=key).digest()


def open_log(file, data, vault):
    """The block, the entries that are left, and where the log stands."""
    block = file[:96]
    assert file[:4096] == (block + bytes(1952)) * 2
    assert block[:8] == b"SRS1\x01\0\0\0" and block[32:40] == format1.data_id(data)
    (generation,) = struct.unpack_from("<Q", block, 8)
    log = block[16:32]
    base = struct.unpack_from("<QQ", block, 40)
    assert base[0] == generation - 1
    assert block[72:88] == chain_tag(data, vault, b"\0" + block[:72])
    assert struct.unpack_from("<Q", block, 88) == (siphash(log, block[:88]),)
    tag = chain_tag(data, vault, b"\2" + struct.pack("<Q", generation) + log)
    link, number, at, entries = 0, 0, 4096, {}
    while at < len(file) and any(file[at : at + 80]):
        head = file[at : at + 80]
        magic, rows, size, table_size, zero, sequence, before = struct.unpack_from("<4sIQIIQQ", head)
        assert (magic, zero, sequence, before) == (b"SRT1", 0, number + 1, link)
        assert head[40:56] == tag
        table = file[at + 80 : at + 80 + table_size]
        (link,) = struct.unpack_from("<Q", head, 72)
        assert link == siphash(log, head[:72] + bytes(8) + table)
        offset, place, chained = 0, at + 80 + table_size, b""
        for _ in range(rows):
            kind, id_size = struct.unpack_from("<BH", table, offset)
            length = int.from_bytes(table[offset + 3 : offset + 8], "little")
            stamp, summed = struct.unpack_from("<QQ", table, offset + 8)
            name = table[offset + 24 : offset + 24 + id_size]
            # The row without its sum.
            chained += table[offset : offset + 16] + name
            offset += 24 + id_size
            payload = file[place : place + length]
            place += length
            if kind == 2:
                assert (length, stamp, summed) == (0, 0, 0)
                entries.pop(name, None)
                continue
            assert kind == 1 and payload_sum(log, payload) == summed
            assert payload[12:20] == struct.pack("<Q", stamp)
            entries[name] = payload
        assert offset == table_size and place == at + size
        message = b"\1" + struct.pack("<Q", generation) + tag + struct.pack("<QI", sequence, rows)
        tag = chain_tag(data, vault, message + chained)
        assert head[56:72] == tag
        number, at = sequence, (place + 7) // 8 * 8
        assert not any(file[place:at])
    assert not any(file[at:])
    return generation, base, entries, number, tag, at


def open_anchor(file, vault):
    """The highest keyring generation and the newest commit: generation, number, tag."""
    assert len(file) == 2048
    keyring, commit = 0, None
    for at in (0, 512, 1024, 1536):
        slot = file[at : at + 64]
        if struct.unpack_from("<Q", slot, 56) != (siphash(vault, slot[:56]),):
            continue
        assert slot[:4] == b"SRA1" and not any(slot[5:8]) and not any(slot[40:56])
        generation, number = struct.unpack_from("<QQ", slot, 8)
        if at < 1024:
            assert slot[4] == 1 and not any(slot[16:40]) and at == 512 * (generation % 2)
            keyring = max(keyring, generation)
        else:
            assert slot[4] == 2 and at == 1024 + 512 * (number % 2)
            found = (generation, number, slot[24:40])
            commit = found if commit is None else max(commit, found)
    return keyring, commit


def main(arguments):
    key, keyring, log = (open(path, "rb").read() for path in arguments[:3])
    master, _ = format1.open_key_file(key.decode())
    opened = format1.open_keyring(keyring, master)
    assert opened["layout"] == 1
    data = opened["keys"][0][1]
    generation, base, entries, number, tag, end = open_log(log, data, opened["vault"])
    found = {}
    for name, payload in entries.items():
        entry_id, text, value, _, _, attributes = format1.open_entry(data, payload)
        assert entry_id == name
        found[text] = (value, attributes)
    for text in sorted(found):
        value, attributes = found[text]
        shown = value if len(value) < 80 else hashlib.sha256(value).hexdigest().encode()
        print(text, len(value), shown, attributes)
    print("generation", generation, "base", base, "commits", number, "end", end)
    if len(arguments) > 3:
        noted, commit = open_anchor(open(arguments[3], "rb").read(), opened["vault"])
        assert noted == opened["generation"] and commit == (generation, number, tag)
        print("the anchor names this keyring and this commit")


if __name__ == "__main__":
    main(sys.argv[1:])

#!/usr/bin/env python3
"""Strongroom's file formats, version 1, written a second time, from FileFormats.md alone.

It made the files beside it (`reference.py make DIRECTORY`), which must open for ever, and opens
files that Strongroom itself made (`reference.py open KEY KEYRING ENTRY...`, the passphrase of a
sealed key file on standard input). It needs Python 3.9 and PyNaCl (`pip install pynacl`).

`make` takes every key, salt and nonce from a fixed text, so that it gives the same bytes each time.
Nothing but a test may do that.
"""

import hashlib
import math
import struct
import sys
import unicodedata

from nacl.bindings import crypto_secretbox, crypto_secretbox_open
from nacl.pwhash import argon2id

PIECE = 65536


# --- keys


def subkey(key, number, context, size=32):
    """libsodium's crypto_kdf_derive_from_key."""
    return hashlib.blake2b(
        digest_size=size,
        key=key,
        salt=struct.pack("<Q8x", number),
        person=context.ljust(16, b"\0"),
    ).digest()


def master_id(master):
    return subkey(master, 1, b"SRmastr1", 16)


def wrap_key(master):
    return subkey(master, 2, b"SRmastr1")


def data_id(data):
    return subkey(data, 16, b"SRdata_1", 16)[:8]


def entry_name(data, key):
    """The id of an entry, and the key that seals its value."""
    text = unicodedata.normalize("NFC", key).encode()
    digest = hashlib.blake2b(text, digest_size=64, key=subkey(data, 1, b"SRdata_1")).digest()
    return digest[:20], digest[32:]


# --- the master-key file


def key_sum(lines):
    return hashlib.blake2b(lines.encode(), digest_size=16, key=b"strongroom:sum:1").hexdigest()


def first_lines(vault, master):
    vault_line = f"vault {vault.hex()}\n" if vault else ""
    return f"strongroom-master-key 1\n{vault_line}id {master_id(master).hex()}\n"


def plain_key_file(master, vault):
    lines = first_lines(vault, master) + f"key {master.hex()}\n"
    return lines + f"sum {key_sum(lines)}\n"


def sealed_key_file(master, vault, passphrase, passes, kib, salt, nonce):
    derived = argon2id.kdf(64, passphrase, salt, opslimit=passes, memlimit=kib * 1024)
    lines = (
        first_lines(vault, master)
        + f"kdf argon2id\npasses {passes}\nmemory-kib {kib}\nsalt {salt.hex()}\n"
        + f"nonce {nonce.hex()}\nbox {crypto_secretbox(master, nonce, derived[:32]).hex()}\n"
    )
    tag = hashlib.blake2b(lines.encode(), digest_size=32, key=derived[32:]).hexdigest()
    lines += f"tag {tag}\n"
    return lines + f"sum {key_sum(lines)}\n"


def open_key_file(text, passphrase=None):
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    fields = dict(line.split(" ") for line in lines)
    assert lines[0] == "strongroom-master-key 1"
    covered = "".join(line + "\n" for line in lines[:-1])
    assert fields["sum"] == key_sum(covered)
    if "key" in fields:
        master = bytes.fromhex(fields["key"])
    else:
        assert fields["kdf"] == "argon2id"
        derived = argon2id.kdf(
            64,
            passphrase,
            bytes.fromhex(fields["salt"]),
            opslimit=int(fields["passes"]),
            memlimit=int(fields["memory-kib"]) * 1024,
        )
        covered = "".join(line + "\n" for line in lines[:-2])
        tag = hashlib.blake2b(covered.encode(), digest_size=32, key=derived[32:]).hexdigest()
        assert tag == fields["tag"], "wrong passphrase"
        master = crypto_secretbox_open(
            bytes.fromhex(fields["box"]), bytes.fromhex(fields["nonce"]), derived[:32]
        )
    assert master_id(master).hex() == fields["id"]
    return master, fields.get("vault")


# --- the keyring


def keyring(masters, vault, app, layout, generation, state, keys, take):
    """`keys`: (role, data key) each; `take(label, size)` gives random bytes."""
    keyring_id, keyring_key = take("keyring id", 28), take("keyring key", 32)
    ids = b"".join(master_id(master) for master in masters)
    body = keyring_id + bytes([len(masters)]) + ids + vault
    body += bytes([len(app)]) + app + bytes([layout]) + struct.pack("<Q", generation)
    body += bytes([state, len(keys)]) + b"".join(bytes([role]) + key for role, key in keys)
    file = b"SRK1" + keyring_id + bytes([len(masters)])
    for index, master in enumerate(masters):
        nonce = take(f"wrap nonce {index}", 24)
        box = crypto_secretbox(keyring_key, nonce, wrap_key(master))
        file += master_id(master) + nonce + box
    nonce = take("body nonce", 24)
    box = crypto_secretbox(body, nonce, keyring_key)
    return file + struct.pack("<I", len(box)) + nonce + box


def open_keyring(file, master):
    assert file[:4] == b"SRK1"
    keyring_id, count, offset = file[4:32], file[32], 33
    ids, keyring_key = b"", None
    for _ in range(count):
        wrap = file[offset : offset + 88]
        offset += 88
        ids += wrap[:16]
        if wrap[:16] == master_id(master):
            keyring_key = crypto_secretbox_open(wrap[40:], wrap[16:40], wrap_key(master))
    assert keyring_key, "another master key"
    (size,) = struct.unpack_from("<I", file, offset)
    nonce, box = file[offset + 4 : offset + 28], file[offset + 28 :]
    assert len(box) == size
    body = crypto_secretbox_open(box, nonce, keyring_key)
    head = keyring_id + bytes([count]) + ids
    assert body.startswith(head)
    body = body[len(head) :]
    vault, length = body[:16], body[16]
    app, body = body[17 : 17 + length].decode(), body[17 + length :]
    layout, generation, state, number = struct.unpack_from("<BQBB", body)
    keys = [(body[at], body[at + 1 : at + 33]) for at in range(11, len(body), 33)]
    assert len(keys) == number and len(body) == 11 + 33 * number
    return dict(
        vault=vault, app=app, layout=layout, generation=generation, state=state, keys=keys
    )


# --- sealed entries


def padme(length):
    exponent = math.floor(math.log2(length))
    kept = math.floor(math.log2(exponent)) + 1
    unit = 2 ** max(0, exponent - kept)
    return -(-length // unit) * unit


def padded_count(count):
    return max(64, padme(count + 8))


def box_nonce(prefix, index, last):
    return prefix + struct.pack("<Q", index | (1 << 63 if last else 0))


def header(key, count, created, modified, attributes):
    text = unicodedata.normalize("NFC", key).encode()
    packed = b""
    for name, value in sorted((n.encode(), v.encode()) for n, v in attributes.items()):
        packed += struct.pack("<H", len(name)) + name + struct.pack("<H", len(value)) + value
    plain = struct.pack("<HHqqQ", len(text), len(packed), created, modified, count)
    plain += text + packed
    return plain + bytes(-len(plain) % 64)


def seal(data, key, value, created, modified, attributes, prefix):
    _, entry_key = entry_name(data, key)
    plain = header(key, len(value), created, modified, attributes)
    box = crypto_secretbox(plain, box_nonce(prefix, 0, False), subkey(data, 2, b"SRdata_1"))
    sealed = b"SRE1" + data_id(data) + prefix + struct.pack("<H", len(box)) + box
    padded = value + bytes(padded_count(len(value)) - len(value) - 8)
    padded += struct.pack("<Q", len(value))
    pieces = [padded[at : at + PIECE] for at in range(0, len(padded), PIECE)]
    for index, piece in enumerate(pieces, 1):
        nonce = box_nonce(prefix, index, index == len(pieces))
        sealed += crypto_secretbox(piece, nonce, entry_key)
    return sealed


def open_entry(data, sealed):
    assert sealed[:4] == b"SRE1" and sealed[4:12] == data_id(data)
    prefix, (size,) = sealed[12:28], struct.unpack_from("<H", sealed, 28)
    plain = crypto_secretbox_open(
        sealed[30 : 30 + size], box_nonce(prefix, 0, False), subkey(data, 2, b"SRdata_1")
    )
    text_size, packed_size, created, modified, count = struct.unpack_from("<HHqqQ", plain)
    key = plain[28 : 28 + text_size].decode()
    packed = plain[28 + text_size : 28 + text_size + packed_size]
    attributes = {}
    while packed:
        (size_of_name,) = struct.unpack_from("<H", packed)
        name, packed = packed[2 : 2 + size_of_name], packed[2 + size_of_name :]
        (size_of_value,) = struct.unpack_from("<H", packed)
        value, packed = packed[2 : 2 + size_of_value], packed[2 + size_of_value :]
        attributes[name.decode()] = value.decode()
    assert plain == header(key, count, created, modified, attributes)
    entry_id, entry_key = entry_name(data, key)
    body, padded = sealed[30 + size :], b""
    boxes = [body[at : at + PIECE + 16] for at in range(0, len(body), PIECE + 16)]
    for index, box in enumerate(boxes, 1):
        nonce = box_nonce(prefix, index, index == len(boxes))
        padded += crypto_secretbox_open(box, nonce, entry_key)
    assert struct.unpack("<Q", padded[-8:]) == (count,)
    assert len(padded) == padded_count(count) and not any(padded[count:-8])
    return entry_id, key, padded[:count], created, modified, attributes


# --- the fixtures


def fixed(label, size):
    """Bytes that look random and are the same each time."""
    stream = b""
    for block in range(-(-size // 64)):
        stream += hashlib.blake2b(f"Strongroom format 1: {label}: {block}".encode()).digest()
    return stream[:size]


KEYS = ["a", "service/github/token-001", "kilobyte", "folder/caf\u00e9", "piece", "pieces"]
SIZES = {
    "a": 0,
    "service/github/token-001": 32,
    "kilobyte": 1024,
    "folder/caf\u00e9": 55,
    "piece": 65528,
    "pieces": 66000,
}
ATTRIBUTES = {"folder/caf\u00e9": {"username": "ren\u00e9", "a": "", "number": "17"}}


def make(directory):
    def write(name, contents):
        with open(f"{directory}/{name}", "wb") as file:
            file.write(contents if isinstance(contents, bytes) else contents.encode())

    masters = [fixed("master key", 32), fixed("next master key", 32)]
    data = [fixed("data key", 32), fixed("next data key", 32), fixed("retired data key", 32)]
    vault, app = fixed("vault id", 16), b"com.example.notes"
    passphrase = "corr\u00e8ct horse".encode()
    write("plain.key", plain_key_file(masters[0], vault))
    write("without-vault.key", plain_key_file(masters[0], None))
    salt, nonce = fixed("salt", 16), fixed("nonce", 24)
    write("sealed.key", sealed_key_file(masters[0], vault, passphrase, 1, 8192, salt, nonce))
    write("passphrase", passphrase)
    for name, masters_of, state, generation, keys in [
        ("settled", masters[:1], 0, 1, [(1, data[0])]),
        ("begun", masters, 2, 2, [(1, data[0])]),
        ("rotating", masters[1:], 1, 3, [(1, data[0]), (2, data[1])]),
        ("finishing", masters[1:], 3, 3, [(1, data[0]), (2, data[1]), (3, data[2])]),
        ("retired", masters[1:], 0, 2**40, [(1, data[1]), (3, data[0]), (3, data[2])]),
    ]:

        def take(label, size, name=name):
            return fixed(f"keyring {name}: {label}", size)

        file = keyring(masters_of, vault, app, 2, generation, state, keys, take)
        write(f"{name}.keyring", file)
    write("next.key", plain_key_file(masters[1], vault))
    for number, key in enumerate(KEYS):
        value = fixed(f"value {number}", SIZES[key])
        created, modified = 1700000000000000000 + number, 1800000000000000000 - number
        prefix = fixed(f"N {number}", 16)
        attributes = ATTRIBUTES.get(key, {})
        write(f"{number}.value", value)
        write(f"{number}.entry", seal(data[0], key, value, created, modified, attributes, prefix))
    write("vectors.txt", vectors(masters[0], data[0]))


def vectors(master, data):
    lines = ["# Every number of bytes is decimal, all else hexadecimal."]
    lines += [f"master {master.hex()}", f"master-1 {master_id(master).hex()}"]
    lines += [f"master-2 {wrap_key(master).hex()}", f"data {data.hex()}"]
    for number in (1, 2, 3, 4):
        lines.append(f"data-{number} {subkey(data, number, b'SRdata_1').hex()}")
    lines.append(f"data-16 {subkey(data, 16, b'SRdata_1', 16).hex()}")
    lines.append("# key text, id, entry key")
    for key in KEYS + ["folder/cafe\u0301", "\u212b", "k" * 1024, "\n", "../..", "\U0001f511"]:
        entry_id, entry_key = entry_name(data, key)
        lines.append(f"name {key.encode().hex()} {entry_id.hex()} {entry_key.hex()}")
    lines.append("# bytes of a value, P")
    counts = set(range(0, 300)) | {2**e + d for e in range(8, 60) for d in range(-10, 11)}
    counts |= {3 * 2**e + d for e in range(6, 58) for d in (-9, -8, -7, 0)} | {2**60}
    for count in sorted(counts):
        # log2 in floating point is wrong near large powers of two.
        length = count + 8
        exponent = length.bit_length() - 1
        unit = 2 ** max(0, exponent - exponent.bit_length())
        lines.append(f"padded {count} {max(64, -(-length // unit) * unit)}")
    return "\n".join(lines) + "\n"


def main(arguments):
    if arguments[:1] == ["make"] and len(arguments) == 2:
        make(arguments[1])
    elif arguments[:1] == ["open"] and len(arguments) >= 3:
        with open(arguments[1], encoding="utf-8-sig") as file:
            text = file.read()
        sealed = "\nkdf " in text
        master, _ = open_key_file(text, sys.stdin.buffer.read() if sealed else None)
        with open(arguments[2], "rb") as file:
            ring = open_keyring(file.read(), master)
        print(f"app {ring['app']}, generation {ring['generation']}, state {ring['state']}")
        keys = {data_id(key): key for _, key in ring["keys"]}
        for path in arguments[3:]:
            with open(path, "rb") as file:
                sealed = file.read()
            entry_id, key, value, created, modified, attributes = open_entry(
                keys[sealed[4:12]], sealed
            )
            digest = hashlib.sha256(value).hexdigest()
            print(entry_id.hex(), repr(key), len(value), digest, created, modified, attributes)
    else:
        sys.exit(__doc__)


main(sys.argv[1:])

"""Encrypts the streams of small PDFs as each revision of the standard handler does (ISO 32000-2, 7.6.4)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC

from fumehood.loaders.shared.pdf_crypt import LinearArcfour

Encrypt = Callable[..., bytes]

_PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")
_ID = b"0123456789abcdef"
_PERMISSIONS = -4
_STREAM = re.compile(rb"(\d+) 0 obj\n<</Length \d+>>\n?stream\n(.*?)\nendstream", re.DOTALL)


def by_rc4_40(plain: bytes, password: str, owner: str | None = None) -> bytes:
    """Revision 2. Here and below: `password` is the user's; without an `owner` password none opens."""
    key, entries = _keys(password, owner, 2)

    def cipher(number: int, data: bytes) -> bytes:
        return LinearArcfour(_object_key(key, number)).process(data)

    return _encrypted(plain, b"/V 1/R 2" + entries, cipher)


def by_rc4_128(plain: bytes, password: str, owner: str | None = None) -> bytes:
    """Revision 3."""
    key, entries = _keys(password, owner, 3)

    def cipher(number: int, data: bytes) -> bytes:
        return LinearArcfour(_object_key(key, number)).process(data)

    return _encrypted(plain, b"/V 2/R 3/Length 128" + entries, cipher)


def by_aes_128(plain: bytes, password: str, owner: str | None = None) -> bytes:
    """Revision 4."""
    key, entries = _keys(password, owner, 4)
    filters = b"/CF<</StdCF<</CFM/AESV2/Length 16>>>>/StmF/StdCF/StrF/StdCF"

    def cipher(number: int, data: bytes) -> bytes:
        return bytes(16) + _cbc(_object_key(key, number, b"sAlT"), bytes(16), _padded(data))

    return _encrypted(plain, b"/V 4/R 4/Length 128" + entries + filters, cipher)


def by_aes_256_of_adobe(plain: bytes, password: str, owner: str | None = None) -> bytes:
    """Revision 5: Adobe's extension level 3."""
    return _by_aes_256(plain, password, owner, 5)


def by_aes_256(plain: bytes, password: str, owner: str | None = None) -> bytes:
    """Revision 6."""
    return _by_aes_256(plain, password, owner, 6)


def _by_aes_256(plain: bytes, password: str, owner: str | None, revision: int) -> bytes:
    """Algorithms 8 and 9."""
    secret, validation, salt = bytes(range(32)), b"validate", b"key salt"
    hashed = _hash if revision == 6 else lambda word, salt, user=b"": hashlib.sha256(word + salt + user).digest()
    user = hashed(password.encode(), validation) + validation + salt
    user_key = _cbc(hashed(password.encode(), salt), bytes(16), secret)
    owners, owner_key = bytes(48), bytes(32)
    if owner is not None:
        owners = hashed(owner.encode(), validation, user) + validation + salt
        owner_key = _cbc(hashed(owner.encode(), salt, user), bytes(16), secret)
    entry = (
        b"/V 5/R %s/Length 256/P -4/O<%s>/OE<%s>/U<%s>/UE<%s>/Perms<%s>"
        b"/CF<</StdCF<</CFM/AESV3/Length 32>>>>/StmF/StdCF/StrF/StdCF"
    ) % (b"%d" % revision, *(part.hex().encode() for part in (owners, owner_key, user, user_key, bytes(16))))
    return _encrypted(plain, entry, lambda _, data: bytes(16) + _cbc(secret, bytes(16), _padded(data)))


def _encrypted(plain: bytes, entry: bytes, cipher: Callable[[int, bytes], bytes]) -> bytes:
    def packed(match: re.Match[bytes]) -> bytes:
        data = cipher(int(match[1]), match[2])
        return b"%s 0 obj\n<</Length %d>>stream\n%s\nendstream" % (match[1], len(data), data)

    trailer = b"trailer\n<</Encrypt<</Filter/Standard%s>>/ID[(%s)(%s)]" % (entry, _ID, _ID)
    return _STREAM.sub(packed, plain).replace(b"trailer\n<<", trailer)


def _keys(password: str, owner: str | None, revision: int) -> tuple[bytes, bytes]:
    """The file's key, and the entries that hold it, by algorithms 2 to 5."""
    length, rounds, numbers = (5, 0, 1) if revision == 2 else (16, 50, 20)
    word = _word(password)
    owners = bytes(32) if owner is None else _ciphered(_digest(_word(owner), rounds)[:length], word, numbers)
    key = _digest(word + owners + _PERMISSIONS.to_bytes(4, "little", signed=True) + _ID, rounds)[:length]
    user = _ciphered(key, _PADDING if revision == 2 else _digest(_PADDING + _ID, 0), numbers).ljust(32, b"\0")
    return key, b"/P %d/O<%s>/U<%s>" % (_PERMISSIONS, owners.hex().encode(), user.hex().encode())


def _word(password: str) -> bytes:
    return (password.encode("latin-1") + _PADDING)[:32]


def _digest(data: bytes, rounds: int) -> bytes:
    for _ in range(rounds + 1):
        data = hashlib.md5(data).digest()
    return data


def _ciphered(key: bytes, data: bytes, numbers: int) -> bytes:
    for number in range(numbers):
        data = LinearArcfour(bytes(byte ^ number for byte in key)).process(data)
    return data


def _object_key(key: bytes, number: int, tail: bytes = b"") -> bytes:
    """Algorithm 1."""
    return hashlib.md5(key + number.to_bytes(3, "little") + b"\0\0" + tail).digest()[: min(16, len(key) + 5)]


def _cbc(key: bytes, vector: bytes, data: bytes) -> bytes:
    return Cipher(AES(key), CBC(vector)).encryptor().update(data)


def _padded(data: bytes) -> bytes:
    fill = 16 - len(data) % 16
    return data + bytes([fill]) * fill


def _hash(password: bytes, salt: bytes, user: bytes = b"") -> bytes:
    """Algorithm 2.B."""
    digest = hashlib.sha256(password + salt + user).digest()
    rounds = 0
    while True:
        data = _cbc(digest[:16], digest[16:32], (password + digest + user) * 64)
        digest = (hashlib.sha256, hashlib.sha384, hashlib.sha512)[sum(data[:16]) % 3](data).digest()
        rounds += 1
        if rounds >= 64 and data[-1] <= rounds - 32:
            return digest[:32]


REVISIONS: tuple[Encrypt, ...] = (by_rc4_40, by_rc4_128, by_aes_128, by_aes_256_of_adobe, by_aes_256)
"""By number, from 2."""

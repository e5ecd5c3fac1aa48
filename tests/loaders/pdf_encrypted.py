"""Encrypts the streams of small PDFs as each revision of the standard handler does (ISO 32000-2, 7.6.4)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC

from fumehood.loaders.shared.pdf_crypt import LinearArcfour

_PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")
_ID = b"0123456789abcdef"
_PERMISSIONS = -4
_STREAM = re.compile(rb"(\d+) 0 obj\n<</Length \d+>>stream\n(.*?)\nendstream", re.DOTALL)


def by_rc4_128(plain: bytes, password: str) -> bytes:
    """Revision 3."""
    key, owner, user = _keys(password)
    entry = b"/V 2/R 3/Length 128/P %d/O<%s>/U<%s>" % (_PERMISSIONS, owner.hex().encode(), user.hex().encode())

    def cipher(number: int, data: bytes) -> bytes:
        return LinearArcfour(_object_key(key, number)).process(data)

    return _encrypted(plain, entry, cipher)


def by_aes_128(plain: bytes, password: str) -> bytes:
    """Revision 4."""
    key, owner, user = _keys(password)
    entry = b"/V 4/R 4/Length 128/P %d/O<%s>/U<%s>/CF<</StdCF<</CFM/AESV2/Length 16>>>>/StmF/StdCF/StrF/StdCF" % (
        _PERMISSIONS,
        owner.hex().encode(),
        user.hex().encode(),
    )

    def cipher(number: int, data: bytes) -> bytes:
        return bytes(16) + _cbc(_object_key(key, number, b"sAlT"), bytes(16), _padded(data))

    return _encrypted(plain, entry, cipher)


def by_aes_256(plain: bytes, password: str) -> bytes:
    """Revision 6."""
    secret, validation, salt = bytes(range(32)), b"validate", b"key salt"
    word = password.encode()
    user = _hash(word, validation) + validation + salt
    wrapped = _cbc(_hash(word, salt), bytes(16), secret)
    entry = (
        b"/V 5/R 6/Length 256/P -4/O<%s>/OE<%s>/U<%s>/UE<%s>/Perms<%s>"
        b"/CF<</StdCF<</CFM/AESV3/Length 32>>>>/StmF/StdCF/StrF/StdCF"
    ) % tuple(part.hex().encode() for part in (bytes(48), bytes(32), user, wrapped, bytes(16)))
    return _encrypted(plain, entry, lambda _, data: bytes(16) + _cbc(secret, bytes(16), _padded(data)))


def _encrypted(plain: bytes, entry: bytes, cipher: Callable[[int, bytes], bytes]) -> bytes:
    def packed(match: re.Match[bytes]) -> bytes:
        data = cipher(int(match[1]), match[2])
        return b"%s 0 obj\n<</Length %d>>stream\n%s\nendstream" % (match[1], len(data), data)

    trailer = b"trailer\n<</Encrypt<</Filter/Standard%s>>/ID[(%s)(%s)]" % (entry, _ID, _ID)
    return _STREAM.sub(packed, plain).replace(b"trailer\n<<", trailer)


def _keys(password: str) -> tuple[bytes, bytes, bytes]:
    """The file's key, and the entries /O and /U, by algorithms 2, 3 and 5."""
    word = (password.encode("latin-1") + _PADDING)[:32]
    owner = bytes(32)
    key = hashlib.md5(word + owner + _PERMISSIONS.to_bytes(4, "little", signed=True) + _ID).digest()
    for _ in range(50):
        key = hashlib.md5(key).digest()
    user = hashlib.md5(_PADDING + _ID).digest()
    for number in range(20):
        user = LinearArcfour(bytes(byte ^ number for byte in key)).process(user)
    return key, owner, user + bytes(16)


def _object_key(key: bytes, number: int, tail: bytes = b"") -> bytes:
    return hashlib.md5(key + number.to_bytes(3, "little") + b"\0\0" + tail).digest()[:16]


def _cbc(key: bytes, vector: bytes, data: bytes) -> bytes:
    return Cipher(AES(key), CBC(vector)).encryptor().update(data)


def _padded(data: bytes) -> bytes:
    fill = 16 - len(data) % 16
    return data + bytes([fill]) * fill


def _hash(password: bytes, salt: bytes) -> bytes:
    """Algorithm 2.B."""
    digest = hashlib.sha256(password + salt).digest()
    rounds = 0
    while True:
        data = _cbc(digest[:16], digest[16:32], (password + digest) * 64)
        digest = (hashlib.sha256, hashlib.sha384, hashlib.sha512)[sum(data[:16]) % 3](data).digest()
        rounds += 1
        if rounds >= 64 and data[-1] <= rounds - 32:
            return digest[:32]

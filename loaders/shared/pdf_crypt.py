"""Opening encrypted PDFs (ISO 32000-2, 7.6): pdfminer's security handlers, made linear and complete.

pdfminer's RC4 appends to immutable bytes, which is quadratic in the length of a stream, and its handlers
refuse files whose strings and streams are encrypted differently.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Sequence
from typing import Any, Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.backends import default_backend
from cryptography.hazmat.decrepit.ciphers.algorithms import ARC4
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC
from pdfminer import pdfdocument
from pdfminer.pdfdocument import (
    PDFStandardSecurityHandler,
    PDFStandardSecurityHandlerV4,
    PDFStandardSecurityHandlerV5,
)
from pdfminer.pdftypes import dict_value, int_value
from pdfminer.psparser import literal_name

Decipher = Callable[..., bytes]
"""`(object number, generation, bytes, stream dictionary or None) -> bytes`"""

_LONGEST_ENTRY: Final = 1_024
"""/O and /U have at most 127 bytes; revision 6 hashes them 64-fold in each of its rounds."""


class LinearArcfour:
    """RC4 in place of `pdfminer.arcfour.Arcfour`: by the cryptography library where it has the key's size."""

    def __init__(self, key: Sequence[int]) -> None:
        self._key = bytes(key)

    def process(self, data: bytes) -> bytes:
        try:
            return Cipher(ARC4(self._key), mode=None).encryptor().update(data)
        except (ValueError, UnsupportedAlgorithm):
            return self._process(data)

    encrypt = decrypt = process

    def _process(self, data: bytes) -> bytes:
        state = list(range(256))
        j = 0
        for i in range(256):
            j = (j + state[i] + self._key[i % len(self._key)]) & 255
            state[i], state[j] = state[j], state[i]
        out = bytearray(data)
        i = j = 0
        for at, value in enumerate(out):
            i = (i + 1) & 255
            one = state[i]
            j = (j + one) & 255
            other = state[j]
            state[i], state[j] = other, one
            out[at] = value ^ state[(one + other) & 255]
        return bytes(out)


@functools.cache
def warm() -> None:
    """Uses each cipher once: the cryptography library imports its backend, and OpenSSL finds its ciphers, at first use."""
    LinearArcfour(bytes(16)).process(b"")
    for size in (16, 32):
        cipher = Cipher(AES(bytes(size)), CBC(bytes(16)), backend=default_backend())
        cipher.decryptor().update(cipher.encryptor().update(bytes(16)))
    for digest in (hashlib.md5, hashlib.sha256, hashlib.sha384, hashlib.sha512):
        digest(b"")


def _init_crypt_filters(handler: PDFStandardSecurityHandlerV4) -> None:
    """Tables 20 and 25: strings and streams may name different crypt filters."""
    handler.cf = dict_value(handler.param.get("CF"))
    handler.stmf = literal_name(handler.param.get("StmF", "Identity"))
    handler.strf = literal_name(handler.param.get("StrF", "Identity"))
    handler.encrypt_metadata = bool(handler.param.get("EncryptMetadata", True))
    handler.cfm = {"Identity": handler.decrypt_identity}
    for name, entry in handler.cf.items():
        method = handler.get_cfm(literal_name(dict_value(entry).get("CFM", "None")))
        if method is not None:
            handler.cfm[name] = method
    if handler.stmf not in handler.cfm or handler.strf not in handler.cfm:
        raise pdfdocument.PDFEncryptionError("crypt filter without a method")


class _TwoFilters:
    """`decrypt` for handlers whose streams and strings differ."""

    def decrypt(
        self: Any,
        objid: int,
        genno: int,
        data: bytes,
        attrs: dict[str, Any] | None = None,
        name: str | None = None,
    ) -> bytes:
        if attrs is None:
            return bytes(self.cfm[name or self.strf](objid, genno, data))
        if not self.encrypt_metadata and literal_name(attrs.get("Type", "")) == "Metadata":
            return data
        return bytes(self.cfm[name or self.stmf](objid, genno, data))


class _EmptyIsUsers:
    """Without a password the empty one is tried, but as the user's alone (7.6.4.1): a file that needs a user password
    stays closed where its writer left the owner's empty."""

    def authenticate_owner_password(self, password: bytes) -> bytes | None:
        """Algorithm 7."""
        found: bytes | None = super().authenticate_owner_password(password) if password else None  # type: ignore[misc]
        return found


class _V2(_EmptyIsUsers, PDFStandardSecurityHandler):
    pass


class _V4(_TwoFilters, _EmptyIsUsers, PDFStandardSecurityHandlerV4):
    def init_params(self) -> None:
        PDFStandardSecurityHandler.init_params(self)
        self.length = 128
        _init_crypt_filters(self)


class _V5(_TwoFilters, PDFStandardSecurityHandlerV5):
    def init_params(self) -> None:
        PDFStandardSecurityHandler.init_params(self)
        self.length = 256
        _init_crypt_filters(self)
        self.oe, self.ue = bytes(self.param["OE"]), bytes(self.param["UE"])
        self.o_hash, self.o_validation_salt, self.o_key_salt = self.o[:32], self.o[32:40], self.o[40:48]
        self.u_hash, self.u_validation_salt, self.u_key_salt = self.u[:32], self.u[32:40], self.u[40:48]
        self.o, self.u = self.o[:48], self.u[:48]

    def authenticate(self, password: str) -> bytes | None:
        """Algorithms 11 and 12; the empty password as `_EmptyIsUsers` has it."""
        if not password and self._password_hash(b"", self.u_validation_salt) != self.u_hash:
            return None
        return super().authenticate(password)


_HANDLERS: Final[dict[int, type[PDFStandardSecurityHandler]]] = {
    1: _V2,
    2: _V2,
    4: _V4,
    5: _V5,
}


def is_clear(entry: dict[str, Any]) -> bool:
    """Whether only attachments are encrypted (7.6.6, table 20): the document itself needs no password."""
    if int_value(entry.get("V", 0)) not in (4, 5):
        return False
    return all(literal_name(entry.get(key, "Identity")) == "Identity" for key in ("StmF", "StrF"))


def decipher(
    identifiers: Sequence[bytes], entry: dict[str, Any], passwords: Sequence[str]
) -> tuple[Decipher, str] | None:
    """What undoes the encryption that the trailer's `entry` describes, and the password that opened it.

    None if no password opens it, or if it is not of the standard handler.
    """
    handler = _HANDLERS.get(int_value(entry.get("V", 0)))
    if literal_name(entry.get("Filter", "")) != "Standard" or handler is None:
        return None
    if any(len(value) > _LONGEST_ENTRY for value in entry.values() if isinstance(value, bytes)):
        return None
    for password in passwords:
        opened = _opened(handler, identifiers, entry, password)
        if opened is not None:
            return opened, password
    return None


def _opened(
    handler: type[PDFStandardSecurityHandler], identifiers: Sequence[bytes], entry: dict[str, Any], password: str
) -> Decipher | None:
    try:
        return handler(identifiers, entry, password).decrypt
    except Exception:
        # A wrong password, one that the revision cannot even encode, an entry that is missing: closed all the same.
        return None

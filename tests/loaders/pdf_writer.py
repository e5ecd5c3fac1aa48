"""Writes small PDFs, honest and hostile ones, with right offsets. For tests only."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Mapping, Sequence

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC

from fumehood.loaders.shared.pdf_crypt import LinearArcfour

HELVETICA = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
_PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")


def packed(data: bytes) -> bytes:
    return zlib.compress(data, 9)


class Pdf:
    """Objects by their numbers, from 1. `encrypt_with` enciphers strings' streams by RC4 with that user password."""

    def __init__(self, encrypt_with: str | None = None) -> None:
        self.objects: list[bytes | None] = []
        self._streams: dict[int, tuple[bytes, bytes]] = {}
        self._password = encrypt_with

    def reserve(self) -> int:
        self.objects.append(None)
        return len(self.objects)

    def add(self, body: bytes | str, number: int | None = None) -> int:
        number = self.reserve() if number is None else number
        self.objects[number - 1] = body if isinstance(body, bytes) else body.encode("latin-1")
        return number

    def stream(self, data: bytes, entries: bytes | str = b"", number: int | None = None) -> int:
        """A stream of `data` as it is; `entries` go into its dictionary, which has the right /Length."""
        number = self.reserve() if number is None else number
        self._streams[number] = data, entries if isinstance(entries, bytes) else entries.encode("latin-1")
        return number

    def flate(self, data: bytes, entries: str = "") -> int:
        return self.stream(packed(data), entries + "/Filter/FlateDecode")

    def save(self, root: int, *, trailer: bytes = b"", startxref: int = 0) -> bytes:
        """`startxref` is added to the right position."""
        if self._password is not None:
            trailer += b"/Encrypt %d 0 R/ID[(0123456789abcdef)(0123456789abcdef)]" % self._encryption()
        out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
        offsets = []
        for number in range(1, len(self.objects) + 1):
            offsets.append(len(out))
            out += b"%d 0 obj\n%s\nendobj\n" % (number, self._body(number))
        at = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1)
        out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
        out += b"trailer\n<</Size %d/Root %d 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (
            len(offsets) + 1,
            root,
            trailer,
            at + startxref,
        )
        return bytes(out)

    def _body(self, number: int) -> bytes:
        if number not in self._streams:
            return self.objects[number - 1] or b"null"
        data, entries = self._streams[number]
        if self._password is not None:
            key = hashlib.md5(self._key + number.to_bytes(3, "little") + b"\0\0").digest()[:10]
            data = LinearArcfour(key).process(data)
        return b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(data), data)

    def _encryption(self) -> int:
        """ISO 32000-1, 7.6.3, algorithms 2 to 4: revision 2, 40 bits."""
        assert self._password is not None
        user = (self._password.encode("latin-1") + _PADDING)[:32]
        owner = LinearArcfour(hashlib.md5(b"owner" + _PADDING[:27]).digest()[:5]).process(user)
        permissions = -4
        self._key = hashlib.md5(
            user + owner + permissions.to_bytes(4, "little", signed=True) + b"0123456789abcdef"
        ).digest()[:5]
        entry = LinearArcfour(self._key).process(_PADDING)
        return self.add(
            b"<</Filter/Standard/V 1/R 2/Length 40/P %d/O<%s>/U<%s>>>"
            % (permissions, owner.hex().encode(), entry.hex().encode())
        )


def document(
    contents: Sequence[bytes],
    *,
    resources: str = "",
    page: str = "",
    catalog: str = "",
    info: str = "",
    objects: Mapping[str, bytes | tuple[bytes, str]] | None = None,
    encrypt_with: str | None = None,
) -> bytes:
    """A PDF with a page for each content stream, which has the font /F1.

    `objects` are further ones by name: bodies, or streams with their entries; `{name}` in the other
    arguments and in bodies stands for a reference.
    """
    pdf = Pdf(encrypt_with)
    root, tree, font = pdf.reserve(), pdf.reserve(), pdf.add(HELVETICA)
    numbers = {name: pdf.reserve() for name in objects or {}}

    def filled(text: str) -> str:
        for name, number in numbers.items():
            text = text.replace("{" + name + "}", f"{number} 0 R")
        return text

    for name, body in (objects or {}).items():
        if isinstance(body, tuple):
            pdf.stream(body[0], filled(body[1]), numbers[name])
        else:
            pdf.add(filled(body.decode("latin-1")), numbers[name])
    kids = []
    for content in contents:
        stream = pdf.stream(content)
        kids.append(
            pdf.add(
                f"<</Type/Page/Parent {tree} 0 R/MediaBox[0 0 600 800]/Contents {stream} 0 R"
                f"/Resources<</Font<</F1 {font} 0 R>>{filled(resources)}>>{filled(page)}>>"
            )
        )
    listed = " ".join(f"{kid} 0 R" for kid in kids)
    pdf.add(f"<</Type/Pages/Count {len(kids)}/Kids[{listed}]>>", tree)
    pdf.add(f"<</Type/Catalog/Pages {tree} 0 R{filled(catalog)}>>", root)
    trailer = f"/Info {pdf.add(info)} 0 R".encode() if info else b""
    return pdf.save(root, trailer=trailer)


def encrypted_by_aes(plain: bytes) -> bytes:
    """`plain`, one of `document`, with its streams in AES-256 and an empty user password (Adobe's extension level 3, revision 5).

    Its offsets are wrong afterwards.
    """
    key, validation, salt = bytes(range(32)), b"validate", b"key salt"

    def cipher(data: bytes, by: bytes) -> bytes:
        return Cipher(AES(by), CBC(bytes(16))).encryptor().update(data)

    def packed_stream(match: re.Match[bytes]) -> bytes:
        fill = 16 - len(match[1]) % 16
        data = bytes(16) + cipher(match[1] + bytes([fill]) * fill, key)
        return b"/Length %d>>stream\n%s\nendstream" % (len(data), data)

    user = hashlib.sha256(validation).digest() + validation + salt
    entry = (
        b"/Encrypt<</Filter/Standard/V 5/R 5/Length 256/P -4/O<%s>/OE<%s>/U<%s>/UE<%s>/Perms<%s>"
        b"/CF<</StdCF<</CFM/AESV3/Length 32>>>>/StmF/StdCF/StrF/StdCF>>"
    ) % tuple(
        value.hex().encode()
        for value in (bytes(48), bytes(32), user, cipher(key, hashlib.sha256(salt).digest()), bytes(16))
    )
    body = re.sub(rb"/Length \d+>>stream\n(.*?)\nendstream", packed_stream, plain, flags=re.DOTALL)
    return body.replace(b"trailer\n<<", b"trailer\n<<" + entry)


def text(string: str, x: float = 50, y: float = 700, size: float = 12, before: str = "") -> bytes:
    """The operators that show `string` at a place; `before` stands in front of it inside of the text object."""
    escaped = string.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"BT /F1 {size} Tf {before} 1 0 0 1 {x} {y} Tm ({escaped}) Tj ET\n".encode("cp1252")


def lines(strings: Sequence[str], x: float = 50, y: float = 700, size: float = 12, leading: float = 14) -> bytes:
    return b"".join(text(string, x, y - index * leading, size) for index, string in enumerate(strings))

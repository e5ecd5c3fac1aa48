"""Writes mail (RFC 5322, RFC 2046): honest messages around whatever their parts are, and pieces that mailers get wrong."""

from __future__ import annotations

import base64
from typing import Final

BOUNDARY: Final = b"b"
FROM_LINE: Final = b"From a@example.org Fri Jan  2 03:04:05 2026\n"
HEAD: Final = (
    b"From: =?utf-8?q?A=C3=A9?= <a@example.org>\nTo: b@example.org\nSubject: A message\n"
    b"Date: Fri, 2 Jan 2026 03:04:05 -0500\nMIME-Version: 1.0\n"
)
FIELDS: Final[tuple[bytes, ...]] = (
    b"Subject: =?utf-8?b?w6k=?= =?utf-8?q?=A9_?=\n",
    b"Subject: =?x?q?\n",
    b'To: "A, B" <c@d>, (e) f:g;\n',
    b"Cc: \xe9\n",
    b"Date: 31 Feb 99 25:00 XYZ\n",
    b"Content-Disposition: attachment; filename*0*=utf-8''%E9; filename*1=\"x\n",
    b"Content-Transfer-Encoding: base64\n",
    b"Content-Transfer-Encoding: quoted-printable\n",
    b"Content-Transfer-Encoding: x-uuencode\n",
    b"Content-ID: <c>\n",
    b" folded\n",
    b"no field\n",
)
TYPES: Final[tuple[bytes, ...]] = (
    b"text/plain; charset=utf-8",
    b"text/plain; charset=x-none; format=flowed; delsp=yes",
    b"text/html; charset=iso-8859-1",
    b"text/enriched",
    b"text/calendar",
    b"text/csv; name=a.csv",
    b"image/png; name=\"=?utf-8?q?a.png?=\"",
    b"application/octet-stream",
    b"application/pkcs7-mime",
    b"message/rfc822",
    b"message/delivery-status",
    b"message/external-body",
    b"nonsense",
)  # fmt: skip
SUBTYPES: Final[tuple[bytes, ...]] = (
    b"mixed", b"alternative", b"related; start=\"<c>\"", b"signed", b"digest", b"report", b"encrypted", b"x-new",
)  # fmt: skip
BODIES: Final[tuple[bytes, ...]] = (
    b"One two.\n\nThree.\n",
    b"> one \n>> two\n-- \nme\n",
    b"<p>One <b>two.</b><p style='display:none'>x",
    b"a,b\n1,2\n",
    b"begin 644 a.txt\n#0V%T\n`\nend\n",
    b"=C3=A9=\n =zz = \n",
    base64.encodebytes("Caf\u00e9.".encode()) + b"==\n\nA list.\n",
    b"\x89PNG\r\n\x1a\n",
    b"\xe9\x00\x81",
    b"",
)


def message(body: bytes, content: bytes = b"text/plain; charset=utf-8", *fields: bytes) -> bytes:
    """An entity of the content type `content` with further `fields`, each with its line end."""
    return b"".join(fields) + b"Content-Type: " + content + b"\n\n" + body


def multipart(subtype: bytes, *parts: bytes, boundary: bytes = BOUNDARY) -> bytes:
    """An entity of parts, each of which has its own fields; `subtype` may have parameters."""
    opened = b"".join(b"--" + boundary + b"\n" + part + b"\n" for part in parts)
    return message(opened + b"--" + boundary + b"--\n", b"multipart/" + subtype + b"; boundary=" + boundary)


def eml(entity: bytes) -> bytes:
    return HEAD + entity


def archive(page: bytes, *parts: bytes) -> bytes:
    """A web page as browsers save it (RFC 2557), with what it is made of."""
    first = message(page, b"text/html; charset=utf-8", b"Content-Location: https://a.example/b/\n")
    return b"Subject: A page\n" + multipart(b"related; type=text/html", first, *parts)


def mbox(*messages: bytes) -> bytes:
    return b"".join(FROM_LINE + one + b"\n\n" for one in messages)


def encoded(data: bytes, content: bytes) -> bytes:
    """`data` as a part in base64."""
    return message(base64.encodebytes(data), content, b"Content-Transfer-Encoding: base64\n")


def nested(depth: int) -> bytes:
    """Multiparts within each other, never closed, with a text at the bottom."""
    opened = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (number, number) for number in range(depth)
    )
    return eml(opened + b"\nHello.")

"""Writes the files of `examples/inbox`: five honest ones, and three that a fume hood is for.

python examples/make_inbox.py examples/inbox
"""

from __future__ import annotations

import hashlib
import sys
import zlib
from pathlib import Path

NOTES = """---
title: Notes on the harbour survey
author: A. Keeper
---
# Notes on the harbour survey

Depths were taken at *low water*, on three days in May.

## What is still open

- the northern buoy has moved by some forty metres
- two soundings contradict each other:
  1. at the pier, 4.2 m
  2. beside it, 6.8 m

| place  | depth | day |
| ------ | ----: | --- |
| pier   | 4.2 m | 3   |
| slip   | 1.1 m | 3   |
| buoy   | 9.7 m | 5   |
"""

LETTER = "Dear Sir or Madam,\n\nthe café on the quay closes at six \u2013 please deliver before.\n\nYours faithfully\nR. Müller\n"

SOUNDINGS = 'station,depth in m,remark\nA1,4.2,"at the pier,\nlow water"\nA2,6.8,\nB1,9.7,buoy moved\n'

SETTINGS = (
    '{"survey": {"year": 2026, "boats": ["Heron", "Tern"], "tide": {"datum": "LAT", "offset": -0.35}}, "done": false}\n'
)

REPORT = (
    "Harbour survey",
    "The harbour was surveyed in May. Three stations were sounded,",
    "and the northern buoy was found to have moved.",
)

# ISO 32000-1, 7.6.3.3: what a password is padded with.
PADDING = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")
FILE_ID = bytes(16)


def stream(data: bytes, entries: str = "") -> bytes:
    return f"<</Length {len(data)}{entries}>>\nstream\n".encode("latin-1") + data + b"\nendstream"


def page_text(lines: tuple[str, ...]) -> bytes:
    title, *body = lines
    shown = [f"BT /F1 20 Tf 72 720 Td ({title}) Tj ET"]
    shown += [f"BT /F1 11 Tf 72 {690 - 15 * number} Td ({line}) Tj ET" for number, line in enumerate(body)]
    return "\n".join(shown).encode("latin-1")


def pdf(contents: bytes, extra: tuple[bytes, ...] = (), trailer: str = "") -> bytes:
    """One page showing `contents`, a finished stream object; `extra` are objects from number 6 on."""
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        contents,
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        *extra,
    )
    out, places = bytearray(b"%PDF-1.5\n"), []
    for number, each in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, each)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += f"trailer\n<</Size {len(objects) + 1}/Root 1 0 R{trailer}>>\nstartxref\n{table}\n%%EOF\n".encode("latin-1")
    return bytes(out)


def rc4(key: bytes, data: bytes) -> bytes:
    state, j = list(range(256)), 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    out, i, j = bytearray(), 0, 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)


def md5(data: bytes) -> bytes:
    return hashlib.md5(data, usedforsecurity=False).digest()


def encrypted(contents: bytes, password: bytes) -> bytes:
    """A PDF behind a password: 40-bit RC4, revision 2 (ISO 32000-1, 7.6.3.3 and 7.6.3.4, algorithms 1 to 4)."""
    padded = (password + PADDING)[:32]
    owner = rc4(md5(padded)[:5], padded)
    permissions = -4
    key = md5(padded + owner + permissions.to_bytes(4, "little", signed=True) + FILE_ID)[:5]
    user = rc4(key, PADDING)
    object_key = md5(key + bytes((4, 0, 0, 0, 0)))[:10]
    handler = f"<</Filter/Standard/V 1/R 2/Length 40/P {permissions}/O<{owner.hex()}>/U<{user.hex()}>>>"
    trailer = f"/Encrypt 6 0 R/ID[<{FILE_ID.hex()}><{FILE_ID.hex()}>]"
    return pdf(stream(rc4(object_key, contents)), (handler.encode("latin-1"),), trailer)


def bomb() -> bytes:
    """A PDF whose one page inflates to 1 GiB, by way of two filters; the file has a few kilobytes."""
    compressor = zlib.compressobj(9)
    once = b"".join(compressor.compress(b" " * (1 << 20)) for _ in range(1024)) + compressor.flush()
    return pdf(stream(zlib.compress(once, 9), "/Filter[/FlateDecode/FlateDecode]"))


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    text = page_text(REPORT)
    for name, data in {
        "notes.md": NOTES.encode(),
        "letter.txt": LETTER.encode("cp1252"),
        "soundings.csv": SOUNDINGS.encode(),
        "settings.json": SETTINGS.encode(),
        "report.pdf": pdf(stream(text)),
        "locked.pdf": encrypted(text, b"harbour"),
        "bomb.pdf": bomb(),
        "deep.json": b"[" * 5_000 + b"]" * 5_000,
    }.items():
        (folder / name).write_bytes(data)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    main(Path(sys.argv[1]))

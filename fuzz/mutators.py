"""Mutators by kind: most open the file, change something inside, and close it right again, so that what they change is
reached, behind checksums, lengths and compression. The same seeded source of chance gives the same bytes.
"""

from __future__ import annotations

import base64
import contextlib
import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from fumehood.fuzz import mail_files
from fumehood.fuzz.archives import archive, entry
from fumehood.fuzz.byte_mutators import BYTES, MOST_BYTES, Mutator, change, digits, shuffled, splice
from fumehood.fuzz.reply_mutators import reply_frame
from fumehood.fuzz.text_mutators import (
    csv_token,
    json_token,
    json_value,
    markdown_line,
    rtf_token,
    xml_token,
)

# ---- archives ------------------------------------------------------------------------------------------------------


def zip_part(data: bytes, rng: Random) -> bytes:
    """One part of an archive, by bytes or as XML; the archive is closed right. What is no archive is mutated as bytes."""
    parts = _parts(data)
    if not parts:
        return rng.choice(BYTES)(data, rng)
    at = rng.randrange(len(parts))
    name, body = parts[at]
    act = rng.randrange(8)
    if act == 0:
        del parts[at]
    elif act == 1:
        parts[at] = (rng.choice(parts)[0], body)
    elif body:
        mutate_part = xml_token if act > 3 and body.lstrip()[:1] == b"<" else rng.choice(BYTES)
        parts[at] = (name, mutate_part(body, rng))
    return archive(entry(name, body) for name, body in parts)


def _parts(data: bytes) -> list[tuple[str, bytes]]:
    """The parts that can be read, with their names; none of what is no archive, or a large one."""
    parts: list[tuple[str, bytes]] = []
    # Its own errors, those of every decompressor, and some that are bugs.
    with contextlib.suppress(Exception), zipfile.ZipFile(io.BytesIO(data)) as opened:
        for info in opened.infolist():
            # Not `is_dir`, which fails on an entry without a name.
            if info.file_size <= MOST_BYTES and not info.filename.endswith("/"):
                parts.append((info.filename, opened.read(info)))
    return parts


# ---- PDF -----------------------------------------------------------------------------------------------------------

_PDF_STREAM: Final = re.compile(rb"<<((?:[^<>]|<<[^<>]*>>|<[^<>]*>)*)>>\s*stream\r?\n", re.DOTALL)
_PDF_TOKEN: Final = re.compile(rb"\([^()]*\)|<[0-9A-Fa-f\s]*>|/[^\s/<>\[\]()]*|[^\s/<>\[\]()]+|[<>\[\]]+|\s+")


def pdf_stream(data: bytes, rng: Random) -> bytes:
    """The contents of one stream, inflated if they were deflated, with the length put right."""
    found = list(_PDF_STREAM.finditer(data))
    if not found:
        return pdf_token(data, rng)
    match = rng.choice(found)
    end = data.find(b"endstream", match.end())
    if end < 0:
        return change(data, rng)
    entries, raw = match[1], data[match.end() : end]
    is_packed = b"FlateDecode" in entries
    plain = _inflated(raw) if is_packed else raw
    changed = rng.choice((pdf_token, *BYTES))(plain, rng) if plain else rng.randbytes(8)
    body = zlib.compress(changed) if is_packed else changed
    entries = re.sub(rb"/Length\s+\d+(?:\s+\d+\s+R)?", b"/Length %d" % len(body), entries, count=1)
    return data[: match.start()] + b"<<" + entries + b">>\nstream\n" + body + b"\n" + data[end:]


def _inflated(raw: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(raw, MOST_BYTES)
    except zlib.error:
        return raw


def pdf_token(data: bytes, rng: Random) -> bytes:
    """Names, numbers, strings and operators, also of objects: a reference may come to point elsewhere."""
    return shuffled(_PDF_TOKEN.findall(data), rng, lambda token: digits(token, rng) if token else token)


# ---- mail ----------------------------------------------------------------------------------------------------------

_PACKED_BODY: Final = re.compile(
    rb"^(Content-Transfer-Encoding: *base64 *\r?\n(?:[^\r\n]+\r?\n)*\r?\n)((?:[A-Za-z0-9+/=]+\r?\n)+)",
    re.IGNORECASE | re.MULTILINE,
)
_MAIL_LINES: Final = (
    *mail_files.FIELDS,
    *(b"Content-Type: " + content + b"\n" for content in mail_files.TYPES),
    *(b"Content-Type: multipart/" + subtype + b"; boundary=b\n" for subtype in mail_files.SUBTYPES),
    mail_files.FROM_LINE,
    b"--b\n",
    b"--b--\n",
    b"\n",
)


def mail_part(data: bytes, rng: Random) -> bytes:
    """Lines of a mail and of its heads; or what a part has in base64, by its own structure; or it is put into another."""
    act = rng.randrange(16)
    if act == 0:
        return mail_files.eml(mail_files.multipart(b"mixed", mail_files.message(data, b"message/rfc822")))
    if act == 1:
        return mail_files.eml(mail_files.encoded(data, b"application/octet-stream; name=a.eml"))
    packed = list(_PACKED_BODY.finditer(data)) if act < 9 else []
    if not packed:
        return shuffled(data.splitlines(keepends=True), rng, lambda _line: rng.choice(_MAIL_LINES))
    match = rng.choice(packed)
    inner = _unpacked(match[2])
    packed_again = base64.encodebytes(mutated(inner, rng, _kind_within(inner)))
    return data[: match.start(2)] + packed_again + data[match.end() :]


def _unpacked(body: bytes) -> bytes:
    """As far as it is whole."""
    digits_alone = re.sub(rb"[=\r\n]", b"", body)
    whole = digits_alone[: len(digits_alone) - (len(digits_alone) % 4 == 1)]
    return base64.b64decode(whole + b"=" * (-len(whole) % 4))


def _kind_within(data: bytes) -> str | None:
    """Of what is attached, where mutators should know it; archives show themselves."""
    return next(
        (kind for start, kind in ((b"%PDF", "pdf"), (rb"{\rtf", "rtf"), (b"From", "eml")) if data.startswith(start)),
        None,
    )


# ---- many at once --------------------------------------------------------------------------------------------------

_BY_STRUCTURE: Final = 0.75
"""The share of mutations that know the format: most others end at a checksum or at the first token."""


_OF_KIND: Final[dict[str, tuple[Mutator, ...]]] = {
    "pdf": (pdf_stream, pdf_token),
    "json": (json_value, json_value, json_token),
    "csv": (csv_token,),
    "tsv": (csv_token,),
    "jsonl": (json_token,),
    "ipynb": (json_value, json_token),
    "yaml": (markdown_line,),
    "rtf": (rtf_token,),
    "markdown": (markdown_line,),
    "text": (markdown_line,),
    "xml": (xml_token,),
    "reply": (reply_frame,),
    "eml": (mail_part,),
    "mbox": (mail_part,),
    "html": (xml_token,),
    **dict.fromkeys(("odp", "ods", "odt"), (xml_token,)),
}


def suitable(data: bytes, kind: str | None) -> tuple[Mutator, ...]:
    """The mutators that know the format of `data`, which archives show themselves; may be none."""
    return (zip_part,) if data.startswith(b"PK") else _OF_KIND.get(kind or "", ())


def mutated(data: bytes, rng: Random, kind: str | None = None, others: Sequence[bytes] = ()) -> bytes:
    """One to four mutations of `data`, most of them by its structure where there is one to know."""
    structured = suitable(data, kind)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        if not data:
            return rng.randbytes(rng.randint(1, 16))
        if others and rng.random() < 0.05:
            data = splice(data, rng.choice(others), rng)
        else:
            data = rng.choice(structured if structured and rng.random() < _BY_STRUCTURE else BYTES)(data, rng)
        data = data[:MOST_BYTES]
    return data


def mutations(seeds: Sequence[bytes], seed: int, kind: str | None = None) -> Iterator[bytes]:
    """Endlessly, mutations of one seed after the other; the same for the same `seed`."""
    rng = Random(seed)
    while True:
        for each in seeds:
            yield mutated(each, rng, kind, seeds)

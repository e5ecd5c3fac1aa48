"""Mutators: functions of bytes and a seeded source of chance that give other bytes, the same ones every time.

Some know nothing of the format. Others open it, change something inside, and close it right again, so that what they
change is reached: behind checksums, lengths and compression.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Final

import msgspec

from fumehood.fuzz import rtf_files
from fumehood.fuzz.archives import archive, entry
from fumehood.sandbox.frames import HEADER

Mutator = Callable[[bytes, Random], bytes]

MOST_BYTES: Final = 1 << 20
"""Nothing grows beyond that: most faults need little room, and time is better spent on more inputs."""
_INTERESTING: Final = (0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF)
_LONGEST_PIECE: Final = 64


# ---- bytes ---------------------------------------------------------------------------------------------------------


def flip(data: bytes, rng: Random) -> bytes:
    """One bit."""
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


def change(data: bytes, rng: Random) -> bytes:
    """One byte."""
    at = rng.randrange(len(data))
    return data[:at] + rng.randbytes(1) + data[at + 1 :]


def insert(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.randbytes(rng.randint(1, 8)) + data[at:]


def delete(data: bytes, rng: Random) -> bytes:
    start, end = _piece(data, rng)
    return data[:start] + data[end:]


def duplicate(data: bytes, rng: Random) -> bytes:
    start, end = _piece(data, rng)
    return data[:start] + data[start:end] * rng.choice((2, 3, 50)) + data[end:]


def move(data: bytes, rng: Random) -> bytes:
    start, end = _piece(data, rng)
    rest = data[:start] + data[end:]
    at = rng.randrange(len(rest) + 1)
    return rest[:at] + data[start:end] + rest[at:]


def interesting(data: bytes, rng: Random) -> bytes:
    """A number at the edge of what its field holds, in either byte order."""
    value, width = rng.choice(_INTERESTING), rng.choice((1, 2, 4))
    number = (value & (1 << 8 * width) - 1).to_bytes(width, rng.choice(("little", "big")))
    at = rng.randrange(len(data))
    return data[:at] + number + data[at + width :]


def digits(data: bytes, rng: Random) -> bytes:
    """A number in digits: another near it, or one at an edge."""
    found = list(re.finditer(rb"[0-9]{1,12}", data[:MOST_BYTES]))
    if not found:
        return change(data, rng)
    match = rng.choice(found)
    value = int(match[0])
    other = rng.choice((value + 1, max(0, value - 1), -value, value * 2, 0, 2**31, 2**63, 10**30, rng.randrange(100)))
    return data[: match.start()] + b"%d" % other + data[match.end() :]


def truncate(data: bytes, rng: Random) -> bytes:
    return data[: rng.randrange(len(data))]


BYTES: Final[tuple[Mutator, ...]] = (
    flip,
    change,
    insert,
    delete,
    duplicate,
    move,
    interesting,
    digits,
    truncate,
)


def splice(data: bytes, other: bytes, rng: Random) -> bytes:
    """The beginning of one and the end of another."""
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def _piece(data: bytes, rng: Random) -> tuple[int, int]:
    start = rng.randrange(len(data))
    return start, min(len(data), start + rng.randint(1, _LONGEST_PIECE))


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


_XML_TOKEN: Final = re.compile(rb"<[^<>]*>|[^<>]+")


def xml_token(data: bytes, rng: Random) -> bytes:
    """Tags and texts taken out, doubled, swapped or nested, so that most results are still XML."""
    return _shuffled(_XML_TOKEN.findall(data), rng, lambda token: _attribute_changed(token, rng))


def _attribute_changed(token: bytes, rng: Random) -> bytes:
    values = list(re.finditer(rb'"[^"]*"', token))
    if not values:
        return token
    match = rng.choice(values)
    value = rng.choice(
        (b'""', b'"0"', b'"-1"', b'"99999999999999999999"', b'"true"', b'"../../x"', b'"rId1"', b'"&#0;"')
    )
    return token[: match.start()] + value + token[match.end() :]


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
    return _shuffled(_PDF_TOKEN.findall(data), rng, lambda token: digits(token, rng) if token else token)


# ---- text formats --------------------------------------------------------------------------------------------------

_JSON_TOKEN: Final = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{}:,]|[^\s\[\]{}:,"]+|\s+|"', re.DOTALL)
_CSV_TOKEN: Final = re.compile(rb'"(?:[^"]|"")*"|[,;\t|]|\r\n|[\r\n]|[^,;\t|\r\n"]+|"')
_JSON_VALUES: Final = (
    b"null",
    b"true",
    b"-0",
    b"1e999",
    b"NaN",
    b'"\\ud800"',
    b'"\\u0000"',
    b"[]",
    b"{}",
    b'"\xff"',
    b"0" * 40,
)
_CSV_VALUES: Final = (
    b"",
    b'""',
    b'"',
    b'"a\nb"',
    b"=1+1",
    b"\xef\xbb\xbf",
    b"\x00",
    b"|",
    b"<br>",
    b"a" * 300,
    b'"\r\n"',
)
_RTF_TOKEN: Final = re.compile(rb"\\'[0-9a-f]{2}|\\[a-z]+-?[0-9]* ?|\\.|[{}]|[^\\{}]+|\\", re.DOTALL)
_RTF_VALUES: Final = (
    *rtf_files.WORDS,
    *(b"{" + start for start in rtf_files.GROUPS),
    b"{",
    b"}",
    rb"\bin9 ",
    rb"\u9999999 ",
)
_LINES: Final = (
    b"# ", b"> ", b"- ", b"1. ", b"```", b"~~~~", b"    ", b"\t", b"|-|-|", b"| a | b |", b"---", b"===", b"<!--", b"-->", b"<div>",
    b"[a]: <b>", b"[^1]: ", b"[a](b)", b"![a](b)", b"***", b"\\", b"&#0;", b"\x0b", b"\xe2\x80\xa8", b"", b"\r", b"<script>",
)  # fmt: skip


_JSON_TREES: Final[tuple[Any, ...]] = (
    None, True, 0, -1, 2**63, 1e-9, "", " ", "a|b", "- a", "# a", "\n", "\x00", "\ud800", "\u202e", "<br>", "x" * 2_000,
    [], {}, [[]], [{}], {"": {}}, {"~/": [1]}, [1, "a", None], [{"a": 1}, {"a": 2}, {"b": 3}],
)  # fmt: skip


def json_token(data: bytes, rng: Random) -> bytes:
    return _shuffled(_JSON_TOKEN.findall(data), rng, lambda _token: rng.choice(_JSON_VALUES))


def json_value(data: bytes, rng: Random) -> bytes:
    """One value of what is still JSON. What is none, or deeper than the parser goes, is mutated by its tokens."""
    try:
        tree = json.loads(data)
        places = _places(tree)
        if not places:
            return rng.choice(_JSON_VALUES)
        holder, key = rng.choice(places)
        holder[key] = rng.choice((*_JSON_TREES, holder, rng.choice(places)[0]))
        return json.dumps(tree, ensure_ascii=rng.random() < 0.5, indent=rng.choice((None, None, 1))).encode(
            "utf-8", "surrogatepass"
        )
    except (ValueError, RecursionError):
        return json_token(data, rng)


def _places(tree: Any) -> list[tuple[Any, Any]]:
    """Every container with every key or index of it."""
    places: list[tuple[Any, Any]] = []
    waiting = [tree]
    while waiting:
        holder = waiting.pop()
        if isinstance(holder, dict | list):
            keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            places.extend((holder, key) for key in keys)
            waiting.extend(holder[key] for key in keys)
    return places


def csv_token(data: bytes, rng: Random) -> bytes:
    return _shuffled(_CSV_TOKEN.findall(data), rng, lambda _token: rng.choice(_CSV_VALUES))


def rtf_token(data: bytes, rng: Random) -> bytes:
    return _shuffled(_RTF_TOKEN.findall(data), rng, lambda _token: rng.choice(_RTF_VALUES))


def markdown_line(data: bytes, rng: Random) -> bytes:
    """Lines, and marks put before them, so that containers open and close in every order."""
    return _shuffled(data.splitlines(keepends=True), rng, lambda line: rng.choice(_LINES) + line)


def _shuffled(tokens: list[bytes], rng: Random, replaced: Callable[[bytes], bytes]) -> bytes:
    """The tokens with one of them taken out, doubled, exchanged, nested in a run of itself, or replaced."""
    if not tokens:
        return rng.randbytes(4)
    at, other = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    act = rng.randrange(6)
    if act == 0:
        del tokens[at]
    elif act == 1:
        tokens[at] = tokens[at] * rng.choice((2, 3, 300))
    elif act == 2:
        tokens[at], tokens[other] = tokens[other], tokens[at]
    elif act == 3:
        tokens[at:at] = tokens[min(at, other) : min(at, other) + rng.randint(1, 20)]
    else:
        tokens[at] = replaced(tokens[at])
    return b"".join(tokens)


# ---- replies (sandbox/frames.py) -----------------------------------------------------------------------------------

_REPLY_VALUES: Final[tuple[Any, ...]] = (
    None, True, 0, 1, -1, 2**31, 2**53, 2**63, -(2**63), 1.5, float("inf"), float("nan"), "", "a", "\n", "\x00", "x" * 5_000, b"", b"\xff",
    [], {}, [[]], {"start": 0}, {"code": "unparsed"}, "pdf", "nodes", "heading", "javascript:a", "#a", "malformed", "crashed",
)  # fmt: skip


def reply_frame(data: bytes, rng: Random) -> bytes:
    """A value inside of one frame's payload, or a whole frame; lengths are put right. The first byte is the target's."""
    frames = _frames(data[1:])
    if not frames:
        return change(data, rng) if data else rng.randbytes(4)
    at, other = rng.randrange(len(frames)), rng.randrange(len(frames))
    act = rng.randrange(8)
    if act == 0:
        del frames[at]
    elif act == 1:
        frames.insert(at, frames[other])
    elif act == 2:
        frames[at], frames[other] = frames[other], frames[at]
    else:
        kind, payload = frames[at]
        frames[at] = (kind, _payload_changed(payload, rng))
    return data[:1] + b"".join(HEADER.pack(len(payload), kind) + payload for kind, payload in frames)


def _frames(data: bytes) -> list[tuple[int, bytes]]:
    found: list[tuple[int, bytes]] = []
    at = 0
    while at + HEADER.size <= len(data):
        size, kind = HEADER.unpack_from(data, at)
        at += HEADER.size + size
        found.append((kind, data[at - size : at]))
    return found


def _payload_changed(payload: bytes, rng: Random) -> bytes:
    try:
        tree = msgspec.msgpack.decode(payload)
        places = _places(tree)
        if not places:
            return msgspec.msgpack.encode(rng.choice(_REPLY_VALUES))
        holder, key = rng.choice(places)
        holder[key] = rng.choice((*_REPLY_VALUES, rng.choice(places)[0]))
        return msgspec.msgpack.encode(tree)
    except (ValueError, TypeError, RecursionError):
        # Text, which is no MessagePack; or what would hold itself.
        return rng.choice(BYTES)(payload, rng) if payload else b"a"


_BY_STRUCTURE: Final = 0.75
"""The share of mutations that know the format: most others end at a checksum or at the first token."""


# ---- many at once --------------------------------------------------------------------------------------------------

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

"""Mutators of formats that are written in tokens or lines, so that most results are still of the format."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any, Final

from fumehood.fuzz import rtf_files
from fumehood.fuzz.byte_mutators import shuffled

_XML_TOKEN: Final = re.compile(rb"<[^<>]*>|[^<>]+")


def xml_token(data: bytes, rng: Random) -> bytes:
    """Tags and texts taken out, doubled, swapped or nested, so that most results are still XML."""
    return shuffled(_XML_TOKEN.findall(data), rng, lambda token: _attribute_changed(token, rng))


def _attribute_changed(token: bytes, rng: Random) -> bytes:
    values = list(re.finditer(rb'"[^"]*"', token))
    if not values:
        return token
    match = rng.choice(values)
    value = rng.choice(
        (b'""', b'"0"', b'"-1"', b'"99999999999999999999"', b'"true"', b'"../../x"', b'"rId1"', b'"&#0;"')
    )
    return token[: match.start()] + value + token[match.end() :]


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
    return shuffled(_JSON_TOKEN.findall(data), rng, lambda _token: rng.choice(_JSON_VALUES))


def json_value(data: bytes, rng: Random) -> bytes:
    """One value of what is still JSON. What is none, or deeper than the parser goes, is mutated by its tokens."""
    try:
        tree = json.loads(data)
        found = places(tree)
        if not found:
            return rng.choice(_JSON_VALUES)
        holder, key = rng.choice(found)
        holder[key] = rng.choice((*_JSON_TREES, holder, rng.choice(found)[0]))
        return json.dumps(tree, ensure_ascii=rng.random() < 0.5, indent=rng.choice((None, None, 1))).encode(
            "utf-8", "surrogatepass"
        )
    except (ValueError, RecursionError):
        return json_token(data, rng)


def places(tree: Any) -> list[tuple[Any, Any]]:
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
    return shuffled(_CSV_TOKEN.findall(data), rng, lambda _token: rng.choice(_CSV_VALUES))


def rtf_token(data: bytes, rng: Random) -> bytes:
    return shuffled(_RTF_TOKEN.findall(data), rng, lambda _token: rng.choice(_RTF_VALUES))


def markdown_line(data: bytes, rng: Random) -> bytes:
    """Lines, and marks put before them, so that containers open and close in every order."""
    return shuffled(data.splitlines(keepends=True), rng, lambda line: rng.choice(_LINES) + line)

"""What must hold of every read, whatever the bytes were: the promises of the contract, checked one by one.

Independent of the code that keeps them. A breach raises `BrokenPromise`, whose text is for whoever mends it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Final, NoReturn

from fumehood import kinds
from fumehood.document import (
    MAX_METADATA_VALUE,
    MAX_NOTICES,
    MAX_TITLE,
    METADATA_KEY,
    METADATA_KEYS,
    ROLES,
    Block,
    Document,
    Link,
    Locator,
    Notice,
)
from fumehood.errors import DETAILS, NOTICE_CODES, REFUSAL_CODES, Refusal
from fumehood.limits.policy import LIMIT_NAMES, Limits

NEVER_OF_A_DOCUMENT: Final = frozenset(
    {"crashed", "policy-violation", "bad-reply", "sandbox-unavailable", "overloaded", "cancelled"}
)
"""Codes that say that something is wrong with us."""
CODES_OF_LIMITS: Final[Mapping[str, frozenset[str]]] = {
    "input_bytes": frozenset({"input-too-large"}),
    "heap_bytes": frozenset({"memory"}),
    "wall_seconds": frozenset({"wall-clock"}),
    "cpu_seconds": frozenset({"cpu-time"}),
    "inflated_bytes": frozenset({"inflated-too-large"}),
    "entry_bytes": frozenset({"inflated-too-large"}),
    "inflate_ratio": frozenset({"zip-ratio"}),
    "archive_entries": frozenset({"too-many-entries"}),
    "xml_elements": frozenset({"xml-elements"}),
    "nodes": frozenset({"nodes"}),
    "nesting": frozenset({"nesting"}),
    "table_cells": frozenset({"table-cells"}),
    "pages": frozenset({"pages"}),
    "parts": frozenset({"parts"}),
    "image_pixels": frozenset({"image-pixels"}),
    "output_bytes": frozenset({"output-too-large"}),
    "blocks": frozenset({"output-too-large"}),
}
"""Written down once more, so that a slip in the table that refusals are made by shows."""
_STAGES: Final = frozenset({"ingress", "sniff", "precheck", "load", "reply"})
_VERBATIM: Final = frozenset({"text", "markdown"})
_WORD: Final = re.compile(r"[^\W_]")
_CELL_END: Final = re.compile(r"(?<!\\)(?:\\\\)*\|")
_SCHEMES: Final = ("http://", "https://", "mailto:", "#")
_LONGEST_PRINTED: Final = 200


class BrokenPromise(AssertionError):
    """A read that the contract rules out."""


def broken(what: str, seen: object = "") -> NoReturn:
    raise BrokenPromise(f"{what}: {repr(seen)[:_LONGEST_PRINTED]}")


def check_refusal(refused: Refusal, limits: Limits) -> None:
    """A refusal that a document may bring about, made of facts from closed lists."""
    facts = refused.facts
    if facts.code not in REFUSAL_CODES or facts.code in NEVER_OF_A_DOCUMENT:
        broken("a code that no document brings about", facts)
    if facts.stage not in _STAGES:
        broken("a stage of no list", facts)
    if facts.detail is not None and not _is_name(facts.detail):
        broken("a detail of no closed list", facts)
    if facts.observed is not None and not (math.isfinite(facts.observed) and facts.observed >= 0):
        broken("an observation that is no count", facts)
    if facts.limit is None:
        return
    if facts.limit not in LIMIT_NAMES or facts.bound != getattr(limits, facts.limit):
        broken("a limit that is none, or not the one that was set", facts)
    if facts.code not in CODES_OF_LIMITS[facts.limit]:
        broken("a limit that has another code", facts)
    if facts.observed is not None and facts.observed <= getattr(limits, facts.limit):
        broken("a limit that was not passed", facts)


def check_document(document: Document, kind: str, limits: Limits) -> None:
    """A document that is whole, clean and within its caps."""
    if document.kind != kind:
        broken("another kind than was read", document.kind)
    check_text(document.text)
    _check_head(document)
    _check_blocks(document.blocks, len(document.text))
    _check_links(document.links, len(document.text))
    _check_notices(document.notices)
    _check_caps(document, limits)
    if Document.from_msgpack(document.to_msgpack()) != document or Document.from_json(document.to_json()) != document:
        broken("what is not the same after a round trip")


def check_loaded(document: Document, kind: str, limits: Limits) -> None:
    """A document that a loader made: all of the above, and what only a loader can see to."""
    check_document(document, kind, limits)
    for block in document.blocks:
        if not document.text[block.start : block.end].strip(" \t\n"):
            broken("a block of white space", block)
    _check_gaps(document)
    if not document.blocks and "empty-document" not in {notice.code for notice in document.notices}:
        broken("nothing in it, and no notice says so")


def check_table_cells(document: Document, most: int) -> None:
    """No more cells of tables hold something than `most`. Not for text that is the source itself, where they are free."""
    if document.kind in _VERBATIM:
        return
    rows = (document.text[block.start : block.end] for block in document.blocks if block.role == "table-row")
    held = sum(1 for row in rows for cell in _CELL_END.split(row.partition("\n")[0]) if cell.strip())
    if held > most:
        broken("more cells than allowed", held)


def _check_gaps(document: Document) -> None:
    """Between blocks there are separators, never words. Where text is the source itself marks may be words."""
    if document.kind in _VERBATIM:
        return
    at = 0
    for start, end in (*((block.start, block.end) for block in document.blocks), (len(document.text),) * 2):
        if _WORD.search(document.text, at, start) is not None:
            broken("words that no block holds", document.text[at:start])
        at = end


def check_text(text: str) -> None:
    """No NUL, lone surrogate or control character but tab and newline."""
    for char in set(text):
        point = ord(char)
        if (point < 32 and char not in "\t\n") or 0x7F <= point <= 0x9F or 0xD800 <= point <= 0xDFFF:
            broken("a character that text never holds", char)


def _check_line(line: str, longest: int) -> None:
    check_text(line)
    if not line or "\n" in line or len(line) > longest:
        broken("a line that is empty, more than one, or too long", line)


def _check_head(document: Document) -> None:
    if document.title is not None:
        _check_line(document.title, MAX_TITLE)
    for key, value in document.metadata.items():
        if key not in METADATA_KEYS and METADATA_KEY.fullmatch(key) is None:
            broken("a metadata key of no vocabulary", key)
        _check_line(value, MAX_METADATA_VALUE)


def _check_blocks(blocks: tuple[Block, ...], length: int) -> None:
    at = 0
    for block in blocks:
        if not at <= block.start < block.end <= length:
            broken("a block out of order or out of the text", block)
        if block.role not in ROLES:
            broken("a role of no list", block)
        _check_locator(block.locator)
        at = block.end


def _check_links(links: tuple[Link, ...], length: int) -> None:
    for link in links:
        if not 0 <= link.start < link.end <= length:
            broken("a link out of the text", link)
        _check_line(link.target, 4_096)
        if not link.target.lower().startswith(_SCHEMES):
            broken("a link to where none may lead", link)


def _check_notices(notices: tuple[Notice, ...]) -> None:
    if len(notices) > MAX_NOTICES + 1:
        broken("too many notices", len(notices))
    for notice in notices:
        if notice.code not in NOTICE_CODES:
            broken("a notice of no list", notice)
        if isinstance(notice.detail, str) and not _is_name(notice.detail):
            broken("a detail of no closed list", notice)
        if isinstance(notice.detail, int) and notice.detail < 0:
            broken("a detail that is no count", notice)
        _check_locator(notice.locator)


def _check_locator(locator: Locator | None) -> None:
    if locator is None:
        return
    for name in ("page", "slide", "sheet", "paragraph", "paragraph_end", "line", "line_end"):
        number = getattr(locator, name)
        if number is not None and number < 1:
            broken("a locator that does not count from 1", locator)
    for first, last in ((locator.line, locator.line_end), (locator.paragraph, locator.paragraph_end)):
        if last is not None and (first is None or last < first):
            broken("a locator that ends before it begins", locator)
    for written in (locator.part, locator.path):
        if written is not None:
            check_text(written)
            if "\n" in written:
                broken("a locator of more than one line", locator)


def _check_caps(document: Document, limits: Limits) -> None:
    if len(document.blocks) > limits.blocks or len(document.links) > limits.blocks:
        broken("more blocks or links than allowed", (len(document.blocks), len(document.links)))
    size = len(document.text.encode()) + sum(len(value.encode()) for value in document.metadata.values())
    if size > limits.output_bytes:
        broken("more text than allowed", size)


def _is_name(detail: str) -> bool:
    return detail in DETAILS or any(kind.name == detail for kind in kinds.kinds())

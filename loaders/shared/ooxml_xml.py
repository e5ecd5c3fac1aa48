"""One pass over a part's XML, in document order, keeping no more of the tree than the element at hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Literal, cast

from lxml import etree

from fumehood.limits.budget import Budget
from fumehood.limits.xml import none_of, precheck
from fumehood.loaders.shared.ooxml_names import Element

Event = tuple[Literal["start", "end"], Element]

_PIECE: Final = 65_536
# The prechecks bound depth and text; libxml2's own, lower bounds would refuse what the limits allow.
_OPTIONS: Final[Mapping[str, Any]] = {
    "resolve_entities": False,
    "load_dtd": False,
    "no_network": True,
    "huge_tree": True,
    "remove_comments": True,
    "remove_pis": True,
    "collect_ids": False,
}
_NO_ELEMENT: Final = re.compile(rb"<[?!]")
_PARSER: Final = etree.XMLParser(**_OPTIONS)


class BrokenXml(Exception):
    """The part is not well-formed XML (XML 1.0, 2.1)."""


def stream(
    part: bytes, budget: Budget, tags: Iterable[str], uncounted: Callable[[bytes], int] = none_of
) -> Iterator[Event]:
    """The starts and ends of the elements named `tags`, as they come.

    At a start the attributes are known; at an end the whole element is. Give an element back by
    :func:`release` once it has been read. `uncounted` is that of the prechecks. Raises `BrokenXml` where the XML breaks, after all that comes
    before, and what the prechecks refuse.
    """
    if b"<" not in part:
        raise BrokenXml
    precheck(part, budget, uncounted)
    tags = tuple(tags)
    root = _small(part)
    if root is not None:
        budget.spend("xml_elements", elements_of(part) - uncounted(part))
        yield from walk(root, tags)
        return
    parser = etree.XMLPullParser(events=("start", "end"), tag=tags, **_OPTIONS)
    try:
        for piece in _pieces(part):
            budget.spend("xml_elements", elements_of(piece) - uncounted(piece))
            parser.feed(piece)
            yield from cast("Iterator[Event]", parser.read_events())
        parser.close()
    except etree.XMLSyntaxError as error:
        raise explained(error, budget) from None
    yield from cast("Iterator[Event]", parser.read_events())


def _small(part: bytes) -> Element | None:
    """The root of a part that is whole at once, which takes half the time; None if it is large or broken."""
    if len(part) > _PIECE:
        return None
    try:
        return etree.fromstring(part, _PARSER)
    except etree.XMLSyntaxError:
        # What comes before the fault is still to be given.
        return None


def _pieces(part: bytes) -> Iterator[bytes]:
    """The part in order; no piece ends within a mark that :func:`elements_of` counts."""
    at = 0
    while at < len(part):
        stop = at + _PIECE
        while part[stop - 2 : stop].strip(b"\0").endswith(b"<"):
            stop += 2
        yield part[at:stop]
        at = stop


def elements_of(piece: bytes) -> int:
    """How many elements begin: each with a `<`, which begins else an end tag, a comment, CDATA or an instruction.

    Those within the latter count as well, so that it may be too many, and never too few. UTF-16 has a NUL between.
    """
    if b"\0" not in piece:
        starts = piece.count(b"<") - piece.count(b"</")
        declared = piece.startswith(b"<?")
        # Few parts hold any but their declaration, and one search takes a quarter of the time of two counts.
        if _NO_ELEMENT.search(piece, 2 * declared) is None:
            return starts - declared
        return starts - piece.count(b"<?") - piece.count(b"<!")
    return piece.count(b"<") - sum(piece.count(b"<\0" + mark) for mark in (b"/", b"?", b"!"))


def walk(element: Element, tags: Iterable[str]) -> Iterator[Event]:
    """The same over an element that is whole already."""
    return cast("Iterator[Event]", etree.iterwalk(element, events=("start", "end"), tag=tuple(tags)))


def empty(element: Element) -> None:
    """Frees all that a whole element holds. The text behind it stays: the parser may still be adding to it."""
    element.clear(keep_tail=True)  # type: ignore[call-arg]


def release(element: Element) -> None:
    """Frees a whole element and everything before it in its parent.

    Not the element itself, for the same reason.
    """
    empty(element)
    parent = element.getparent()
    if parent is not None:
        while element.getprevious() is not None:
            del parent[0]


def explained(error: etree.XMLSyntaxError, budget: Budget) -> Exception:
    """What to raise: libxml2 reports that memory ran out, or its bound on depth, as faults of the document (xmlerror.h)."""
    code: int | None = getattr(error, "code", None)
    if code in (etree.ErrorTypes.ERR_NO_MEMORY, None):
        return MemoryError()
    if code == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
        return budget.exceeded("nesting", budget.limits.nesting + 1)
    return BrokenXml()

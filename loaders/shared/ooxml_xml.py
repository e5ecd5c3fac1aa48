"""One pass over a part's XML, in document order, keeping no more of the tree than the element at hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal

from lxml import etree

from fumehood.limits.budget import Budget
from fumehood.limits.xml import precheck
from fumehood.loaders.shared.ooxml_names import Element

Event = tuple[Literal["start", "end"], Element]

_PIECE: Final = 65_536


class BrokenXml(Exception):
    """The part is not well-formed XML (XML 1.0, 2.1)."""


def stream(part: bytes, budget: Budget, tags: Iterable[str]) -> Iterator[Event]:
    """The starts and ends of the elements named `tags`, as they come.

    At a start the attributes are known; at an end the whole element is. Give an element back by
    :func:`release` once it has been read. Raises `BrokenXml` where the XML breaks, after all that comes
    before, and what the prechecks refuse.
    """
    if b"<" not in part:
        raise BrokenXml
    precheck(part, budget)
    # The prechecks bound depth and text; libxml2's own, lower bounds would refuse what the limits allow.
    parser = etree.XMLPullParser(
        events=("start", "end"),
        tag=tuple(tags),
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=True,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )
    try:
        for at in range(0, len(part), _PIECE):
            piece = part[at : at + _PIECE]
            # Every element begins with one, and where there is no CDATA and no comment nothing else does.
            budget.spend("xml_elements", piece.count(b"<") - piece.count(b"</"))
            parser.feed(piece)
            yield from parser.read_events()  # type: ignore[misc]
        parser.close()
    except etree.XMLSyntaxError as error:
        raise _explained(error, budget) from None
    yield from parser.read_events()  # type: ignore[misc]


def walk(element: Element, tags: Iterable[str]) -> Iterator[Event]:
    """The same over an element that is whole already."""
    return etree.iterwalk(element, events=("start", "end"), tag=tuple(tags))


def release(element: Element) -> None:
    """Frees a whole element and everything before it in its parent.

    Not the element itself: the parser may still be adding the text behind it.
    """
    element.clear(keep_tail=True)
    parent = element.getparent()
    if parent is not None:
        while element.getprevious() is not None:
            del parent[0]


def _explained(error: etree.XMLSyntaxError, budget: Budget) -> Exception:
    """libxml2 reports that memory ran out, or its bound on depth, as faults of the document (xmlerror.h)."""
    if error.code in (etree.ErrorTypes.ERR_NO_MEMORY, None):
        return MemoryError()
    if error.code == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
        return budget.exceeded("nesting", budget.limits.nesting + 1)
    return BrokenXml()

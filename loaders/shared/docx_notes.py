"""Footnotes, endnotes and comments (ECMA-376 part 1, 17.11 and 17.13.4), by the identifiers that refer to them."""

from __future__ import annotations

from typing import Final

from fumehood.document import Role
from fumehood.hygiene import clean_line
from fumehood.loaders.shared.docx_story import TAGS, Source, Story
from fumehood.loaders.shared.lines import behind
from fumehood.loaders.shared.ooxml_names import Element, attribute, names
from fumehood.loaders.shared.ooxml_xml import release, stream
from fumehood.loaders.shared.story_items import Aside, AsideKind, Item, as_lines

_ELEMENTS: Final = {
    "footnote": names("w:footnote"),
    "endnote": names("w:endnote"),
    "comment": names("w:comment"),
}
_ROLES: Final[dict[AsideKind, Role]] = {"footnote": "note", "endnote": "note", "comment": "comment"}
_ID: Final = names("w:id")
_TYPE: Final = names("w:type")
_AUTHOR: Final = names("w:author")


def read_asides(source: Source, kind: AsideKind, part: bytes, found: dict[str, Aside]) -> None:
    """Adds the notes or comments of a part to `found`, by identifier; the first of an identifier counts.

    Raises `BrokenXml`, with what came before kept.
    """
    elements = _ELEMENTS[kind]
    items: list[Item] = []
    story = Story(source, items.append)
    first = 1
    for event in stream(part, source.budget, (*TAGS, *elements)):
        if story.event(event):
            continue
        what, element = event
        if what == "start":
            first = story.count + 1
        else:
            story.finish()
            _add(found, element, kind, items, source, (first, story.count))
            items.clear()
            release(element)


def _add(
    found: dict[str, Aside],
    element: Element,
    kind: AsideKind,
    items: list[Item],
    source: Source,
    paragraphs: tuple[int, int],
) -> None:
    # 17.11.9, 17.18.33: separators and the like are drawn between notes, and are none.
    if (attribute(element, _TYPE) or "normal") != "normal":
        return
    lines = as_lines(items)
    author = clean_line(attribute(element, _AUTHOR) or "") if kind == "comment" else ""
    if author and lines.text:
        lines.text, lines.links = behind(f"{author}: ", (lines.text, lines.links))
    first, last = paragraphs
    locator = source.locator(first, last) if last >= first else None
    found.setdefault(attribute(element, _ID) or "", Aside(_ROLES[kind], lines, locator))

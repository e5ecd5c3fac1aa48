"""Styles, as far as they decide what is read: roles, what is hidden, lists, data styles, master pages (ODF 1.3 part 3, 16)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from fumehood.loaders.shared import text_look
from fumehood.loaders.shared.odf_lists import Level, ListStyle, bullet, level_of, numbered
from fumehood.loaders.shared.odf_looks import is_behind, is_filled, is_picture, look_of
from fumehood.loaders.shared.odf_names import Attributes, qname
from fumehood.loaders.shared.odf_values import DataStyle
from fumehood.loaders.shared.odf_xml import Dispatcher, Start
from fumehood.loaders.shared.text_look import Look, together

MAX_CHAIN: Final = 64
"""Styles based on each other; programs write ten."""

_NAME: Final = qname("style:name")
_FAMILY: Final = qname("style:family")
_PARENT: Final = qname("style:parent-style-name")
_LIST: Final = qname("style:list-style-name")
_DATA: Final = qname("style:data-style-name")
_MASTER: Final = qname("style:master-page-name")
_TABLE_DISPLAY: Final = qname("table:display")
_VISIBILITY: Final = qname("presentation:visibility")

# The names that OpenOffice.org gave its own styles; they are the same in every language.
_HEADING: Final = re.compile(r"Heading_20_([1-9]|10)")
_ROLES: Final = {
    "Preformatted_20_Text": "code",
    "Quotations": "quote",
    "Quote": "quote",
    "Caption": "caption",
}


@dataclass(slots=True)
class _Style:
    parent: str | None = None
    list_style: str | None = None
    data_style: str | None = None
    master_page: str | None = None
    hidden: bool | None = None
    look: Look = text_look.NONE


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """What a paragraph's style and all that it is based on say.

    - `role`: `paragraph`, `code`, `quote` or `caption`; `heading`: its level, where the name says that it is one.
    - `list_style`: the name of a list style; empty where a style takes the paragraph out of its list.
    - `look`: that of its text where spans say nothing else, as far as it may be unseen.
    - `is_plain`: a paragraph of this style is nothing but text.
    - `master_page`: a new page of that master starts here (16.27.1); empty where it takes back what its parent says.
    """

    role: str = "paragraph"
    heading: int | None = None
    list_style: str | None = None
    master_page: str | None = None
    hidden: bool = False
    look: Look = text_look.NONE
    is_plain: bool = False


PLAIN: Final = ParagraphStyle(is_plain=True)


@dataclass(slots=True)
class Styles:
    """The styles of one document; of two of a name the later one counts, which is that of the part being read.

    `is_painted`: pages have a colour, or something may stand behind their text.
    """

    lists: dict[str, dict[int, Level]] = field(default_factory=dict)
    outline: dict[int, Level] = field(default_factory=dict)
    data: dict[str, DataStyle] = field(default_factory=dict)
    next_master: dict[str, str] = field(default_factory=dict)
    is_painted: bool = False
    _styles: dict[tuple[str, str], _Style] = field(default_factory=dict)
    _paragraphs: dict[str, ParagraphStyle] = field(default_factory=dict)
    _looks: dict[str | None, Look] = field(default_factory=lambda: {None: text_look.NONE})
    _values: dict[str, DataStyle | None] = field(default_factory=dict)

    def add(self, family: str, name: str, style: _Style) -> None:
        self._styles[family, name] = style
        self._paragraphs.clear()
        self._looks = {None: text_look.NONE}
        self._values.clear()

    def paragraph(self, name: str | None) -> ParagraphStyle:
        if name is None:
            return PLAIN
        found = self._paragraphs.get(name)
        if found is None:
            found = self._paragraphs[name] = self._read_paragraph(name)
        return found

    def is_hidden(self, family: str, name: str | None) -> bool:
        """Whether a style of the family `table` or `drawing-page` says that nothing is shown."""
        hidden = (style.hidden for _, style in self._chain(family, name))
        return next((found for found in hidden if found is not None), False)

    def span(self, name: str | None) -> Look:
        """What a style of the family `text` says of its text."""
        found = self._looks.get(name)
        if found is None:
            found = self._looks[name] = together(style.look for _, style in self._chain("text", name))
        return found

    def list_style(self, name: str | None) -> ListStyle:
        return self.lists.get(name or "", {})

    def data_style(self, cell_style: str | None) -> DataStyle | None:
        """How a cell of that style shows its value (19.485)."""
        if cell_style is None:
            return None
        if cell_style not in self._values:
            names = (style.data_style for _, style in self._chain("table-cell", cell_style))
            name = next((found for found in names if found is not None), None)
            self._values[cell_style] = None if name is None else self.data.get(name)
        return self._values[cell_style]

    def _read_paragraph(self, name: str) -> ParagraphStyle:
        chain = self._chain("paragraph", name)
        headings = (_heading(one) for one, _ in chain)
        lists = (style.list_style for _, style in chain)
        masters = (style.master_page for _, style in chain)
        look = together(style.look for _, style in chain)
        roles = (_ROLES[one] for one, _ in chain if one in _ROLES)
        style = ParagraphStyle(
            next(roles, "paragraph"),
            next((found for found in headings if found is not None), None),
            next((found for found in lists if found is not None), None),
            next((found for found in masters if found is not None), None),
            bool(look.hidden),
            look._replace(hidden=None) if look.is_unseen(on_white=True) else Look(backed=look.backed),
        )
        return PLAIN if style == replace(PLAIN, is_plain=False) else style

    def _chain(self, family: str, name: str | None) -> list[tuple[str, _Style]]:
        """The style and all that it is based on, the nearest first; a loop ends where it would start again."""
        found: dict[str, _Style] = {}
        while name is not None and name not in found and len(found) < MAX_CHAIN:
            # Built-in styles need not be there for their names to say what they are.
            style = self._styles.get((family, name)) or _Style()
            found[name] = style
            name = style.parent
        return list(found.items())


def _heading(name: str) -> int | None:
    named = _HEADING.fullmatch(name)
    if named is not None:
        return int(named[1])
    return 1 if name == "Title" else None


class StyleReader:
    """Reads styles wherever they stand: in `styles.xml`, in front of the content, in a flat document."""

    def __init__(self, dispatcher: Dispatcher, styles: Styles) -> None:
        self.styles = styles
        self._style: _Style | None = None
        self._levels: dict[int, Level] = {}
        on = dispatcher.on
        on("style:style", self._start_style, self._end_style)
        on("style:text-properties", self._text_properties)
        on("style:paragraph-properties", self._paragraph_properties)
        on("style:table-properties", self._table_properties)
        on("style:drawing-page-properties", self._page_properties)
        on("text:list-style", self._start_list)
        on("text:outline-style", self._start_outline)
        on("text:list-level-style-number", self._numbered_level)
        on("text:outline-level-style", self._numbered_level)
        on("text:list-level-style-bullet", self._bullet_level)
        on("text:list-level-style-image", self._bullet_level)
        on("style:page-layout-properties", self._painter(is_filled))
        on("style:background-image", self._painter(is_picture))
        on("style:graphic-properties", self._painter(is_behind))
        dispatcher.skip_all("office:font-face-decls", "text:notes-configuration")
        dispatcher.skip_all("style:default-style", "style:default-page-layout", "table:table-template")

    # ---- styles ----------------------------------------------------------------------------------

    def _start_style(self, attributes: Attributes) -> None:
        style = self._style = _Style(
            attributes.get(_PARENT),
            attributes.get(_LIST),
            attributes.get(_DATA),
            attributes.get(_MASTER),
        )
        self.styles.add(attributes.get(_FAMILY, ""), attributes.get(_NAME, ""), style)

    def _end_style(self) -> None:
        self._style = None

    def _text_properties(self, attributes: Attributes) -> None:
        if self._style is not None:
            self._style.look = look_of(attributes).over(self._style.look)

    def _paragraph_properties(self, attributes: Attributes) -> None:
        if self._style is not None and is_filled(attributes):
            self._style.look = self._style.look._replace(backed=True)

    def _painter(self, paints: Callable[[Attributes], bool]) -> Start:
        def start(attributes: Attributes) -> None:
            self.styles.is_painted = self.styles.is_painted or paints(attributes)

        return start

    def _table_properties(self, attributes: Attributes) -> None:
        display = attributes.get(_TABLE_DISPLAY)
        if self._style is not None and display is not None:
            self._style.hidden = display == "false"

    def _page_properties(self, attributes: Attributes) -> None:
        visibility = attributes.get(_VISIBILITY)
        if self._style is not None and visibility is not None:
            self._style.hidden = visibility == "hidden"

    # ---- lists -----------------------------------------------------------------------------------

    def _start_list(self, attributes: Attributes) -> None:
        self._levels = self.styles.lists[attributes.get(_NAME, "")] = {}

    def _start_outline(self, attributes: Attributes) -> None:
        self._levels = self.styles.outline = {}

    def _numbered_level(self, attributes: Attributes) -> None:
        self._levels[level_of(attributes)] = numbered(attributes)

    def _bullet_level(self, attributes: Attributes) -> None:
        self._levels[level_of(attributes)] = bullet(attributes)

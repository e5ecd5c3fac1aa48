"""What slides have from their layouts and masters (ECMA-376 part 1, 19.3.1.39, 19.3.1.42): places, bullets, page text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.ooxml_branches import BRANCHES, Branches
from fumehood.loaders.shared.ooxml_drawing_text import read_text
from fumehood.loaders.shared.ooxml_names import Element, by_name, names
from fumehood.loaders.shared.ooxml_xml import BrokenXml, empty, stream
from fumehood.loaders.shared.opc import Package, Relationship, first_of_type
from fumehood.loaders.shared.pptx_frame import Frame, Placeholder, is_on, placeholder_of, read_frame
from fumehood.loaders.shared.pptx_text import Levels, read_levels
from fumehood.loaders.shared.shape_order import Box
from fumehood.loaders.shared.tally import Tally

_BODY: Final = names("p:txBody")
_KINDS: Final = by_name(
    {
        "p:sldLayout": "root",
        "p:sp": "shape",
        "p:titleStyle": "title",
        "p:bodyStyle": "body",
        "p:otherStyle": "other",
        **dict.fromkeys(BRANCHES, "branches"),
    }
)
# 19.7.10: a master has five placeholders; which of them those of a layout and a slide go by.
_MASTER_TYPES: Final = {"title": "title", "ctrTitle": "title", "dt": "dt", "ftr": "ftr", "sldNum": "sldNum"}
_STYLES: Final = {"title": "title", "body": "body"}


class Form(NamedTuple):
    """What a placeholder has from above: its place, and list styles, the nearest first."""

    box: Box | None = None
    styles: tuple[Levels, ...] = ()


@dataclass(slots=True)
class _Page:
    """A layout or a master. Its placeholders and list styles are read when a slide asks for them, which is for few."""

    texts: list[str] = field(default_factory=list)
    styles: dict[str, Element] = field(default_factory=dict)
    shows_master: bool = True
    by_number: dict[str, Element] = field(default_factory=dict)
    by_type: dict[str, Element] = field(default_factory=dict)
    _levels: dict[str, Levels] = field(default_factory=dict)

    def levels(self, kind: str) -> Levels:
        """Of one of the list styles of a master."""
        levels = self._levels.get(kind)
        if levels is None:
            levels = self._levels[kind] = read_levels(self.styles[kind]) if kind in self.styles else {}
        return levels


class Layout:
    """A layout with its master, either of which may be missing."""

    def __init__(self, layout: _Page | None, master: _Page | None) -> None:
        self._layout = layout
        self._master = master
        self._forms: dict[Placeholder, Form] = {}

    def form(self, placeholder: Placeholder) -> Form:
        """What a slide's placeholder has from its layout's, by number or else by type, and from the master's, by type."""
        form = self._forms.get(placeholder)
        if form is None:
            form = self._forms[placeholder] = self._find(placeholder)
        return form

    def _find(self, placeholder: Placeholder) -> Form:
        frames: list[Frame] = []
        kind = placeholder.type
        if self._layout is not None:
            found = self._layout.by_number.get(placeholder.number)
            found = self._layout.by_type.get(kind) if found is None else found
            if found is not None:
                frame = read_frame(found)
                frames.append(frame)
                if frame.placeholder is not None and kind == "obj":
                    kind = frame.placeholder.type
        general = _MASTER_TYPES.get(kind, "body")
        styles: list[Levels] = []
        if self._master is not None:
            found = self._master.by_type.get(general)
            if found is not None:
                frames.append(read_frame(found))
            styles.append(self._master.levels(_STYLES.get(general, "other")))
        box = next((frame.box for frame in frames if frame.box is not None), None)
        return Form(box, (*(frame.levels for frame in frames), *styles))

    def texts(self) -> list[str]:
        """Text that stands on every slide of this layout, and that no slide replaces."""
        pages = [self._layout]
        if self._layout is None or self._layout.shows_master:
            pages.append(self._master)
        return [text for page in pages if page is not None for text in page.texts]


class Layouts:
    """The layouts of a presentation, each read once."""

    def __init__(self, package: Package, budget: Budget, tally: Tally) -> None:
        self._package = package
        self._budget = budget
        self._tally = tally
        self._pages: dict[str, _Page] = {}
        self._layouts: dict[str, Layout] = {}

    def of(self, arrows: Mapping[str, Relationship]) -> Layout:
        """The layout that a slide's relationships name."""
        named = first_of_type(arrows, "slideLayout")
        part = "" if named is None else named.target
        layout = self._layouts.get(part)
        if layout is None:
            layout = self._layouts[part] = self._read(part) if self._package.has(part) else Layout(None, None)
        return layout

    def _read(self, part: str) -> Layout:
        master = first_of_type(self._package.relationships(part), "slideMaster")
        page = self._page(part)
        return Layout(page, None if master is None else self._page(master.target))

    def _page(self, part: str) -> _Page | None:
        page = self._pages.get(part)
        if page is not None:
            return page
        data = self._package.read_if_there(part)
        if data is None:
            return None
        page = self._pages[part] = _Page()
        try:
            self._read_page(data, page)
        except BrokenXml:
            self._package.say_unreadable(part)
        return page

    def _read_page(self, data: bytes, page: _Page) -> None:
        branches = Branches(self._budget)
        for what, element in stream(data, self._budget, _KINDS):
            kind = _KINDS[element.tag]
            if kind == "branches":
                branches.event(what == "start", element)
            elif kind == "root":
                page.shows_master = is_on(element.get("showMasterSp"), "1")
            elif what == "end" and not branches.skipped:
                if kind == "shape":
                    self._shape(element, page)
                else:
                    page.styles[kind] = element

    def _shape(self, element: Element, page: _Page) -> None:
        placeholder = placeholder_of(element)
        if placeholder is not None:
            page.by_number.setdefault(placeholder.number, element)
            page.by_type.setdefault(placeholder.type, element)
            return
        if not read_frame(element).hidden:
            for body in element.iterchildren(*_BODY):
                text = read_text(body, self._budget, self._tally)[0]
                if any(map(str.isalnum, text)):
                    page.texts.append(text)
        empty(element)

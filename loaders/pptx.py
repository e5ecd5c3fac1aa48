"""Presentations (ECMA-376 part 1, 13 and 19, Transitional and Strict), slide by slide in the order in which they are shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from lxml import etree

from fumehood.errors import refusal
from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.limits.zip import BadEntry
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.ooxml_container import MainPart, find_main, judge_container, say_macros, warm_xml
from fumehood.loaders.shared.ooxml_names import Element, attribute, names
from fumehood.loaders.shared.ooxml_properties import describe
from fumehood.loaders.shared.ooxml_xml import BrokenXml, release, stream
from fumehood.loaders.shared.opc import Package, first_of_type
from fumehood.loaders.shared.pptx_comments import read_authors
from fumehood.loaders.shared.pptx_slides import Slides
from fumehood.loaders.shared.shape_order import Box

ENGINES: Final[Mapping[str, str]] = {"lxml": ".".join(map(str, etree.LXML_VERSION[:3]))}

_MAIN: Final = MainPart(
    "ppt/presentation.xml",
    ("presentationml", "ms-powerpoint"),
    (
        "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml",
        "application/vnd.openxmlformats-officedocument.presentationml.template.main+xml",
        "application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml",
        "application/vnd.ms-powerpoint.presentation.macroenabled.main+xml",
        "application/vnd.ms-powerpoint.template.macroenabled.main+xml",
        "application/vnd.ms-powerpoint.slideshow.macroenabled.main+xml",
    ),
)
_PRESENTATION: Final = names("p:presentation")
_SLIDE: Final = names("p:sldId")
_SIZE: Final = names("p:sldSz")
_R_ID: Final = names("r:id")
_SIZE_IN_UNITS: Final = re.compile(r"[0-9]{1,10} [0-9]{1,10}")
_DIGITS: Final = re.compile(r"[0-9]{1,9}")


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    """Raises the refusals of the archive's and the XML's prechecks, `kind-mismatch`, `encrypted` and `unsupported-kind`."""
    judge_container(data, "pptx", "ppt")
    package = Package(data, out, budget)
    arrows = package.relationships()
    main = find_main(package, arrows, _MAIN)
    describe(package, arrows, out, budget)
    _Presentation(package, main, out, budget).read()
    say_macros(package, out)


def warm() -> None:
    warm_xml()


class _Presentation:
    """One presentation while it is read."""

    def __init__(self, package: Package, main: str, out: Builder, budget: Budget) -> None:
        self._package = package
        self._main = main
        self._out = out
        self._budget = budget
        self._arrows = package.relationships(main)
        self._stage: Box | None = None

    def read(self) -> None:
        """Raises the refusals `kind-mismatch` if the main part is no presentation, `malformed` if it cannot be read."""
        parts = self._slides()
        slides = Slides(self._package, self._out, self._budget, parts, self._authors(), self._stage)
        for part in parts:
            self._budget.spend("pages")
            slides.write(part)
        slides.finish()
        if parts:
            self._out.set_metadata("slides", len(parts))

    def _slides(self) -> list[str]:
        """The parts of the slides in the order in which they are shown (19.2.1.34), each once."""
        try:
            part = self._package.read(self._main)
        except BadEntry:
            raise refusal("malformed") from None
        identifiers: list[str] = []
        is_presentation = is_broken = False
        try:
            for what, element in stream(part, self._budget, (*_PRESENTATION, *_SLIDE, *_SIZE)):
                is_presentation = is_presentation or element.tag in _PRESENTATION
                if what == "end" and element.tag in _SLIDE:
                    identifiers.append(attribute(element, _R_ID) or "")
                    release(element)
                elif what == "end" and element.tag in _SIZE:
                    self._stage = _stage(element)
        except BrokenXml:
            is_broken = True
            self._package.say_unreadable(self._main)
        if not is_presentation:
            raise refusal("malformed" if is_broken else "kind-mismatch")
        return self._listed(identifiers) if identifiers or not is_broken else self._named()

    def _listed(self, identifiers: list[str]) -> list[str]:
        found: dict[str, str] = {}
        lost = repeated = 0
        for identifier in identifiers:
            named = self._arrows.get(identifier)
            key = "" if named is None else named.target.casefold()
            if key in found:
                repeated += 1
            elif named is None or not named.is_part:
                lost += 1
            elif self._package.has(named.target):
                found[key] = named.target
        if lost:
            self._out.notice("part-missing", detail=lost)
        if repeated:
            self._out.notice("repaired", detail="page")
        return list(found.values())

    def _named(self) -> list[str]:
        """All slides by the numbers in their names: the list of them cannot be read."""
        self._out.notice("repaired", detail="page")
        parts = {arrow.target for arrow in self._arrows.values() if arrow.type == "slide" and arrow.is_part}
        return sorted(filter(self._package.has, parts), key=_natural)

    def _authors(self) -> dict[str, str]:
        """Who comments, by identifier; each generation of comments has a list of its own."""
        found: dict[str, str] = {}
        for relationship in ("commentAuthors", "authors"):
            named = first_of_type(self._arrows, relationship)
            if named is None or not self._package.has(named.target):
                continue
            part = self._package.read_if_there(named.target)
            try:
                read_authors(part or b"", self._budget, found)
            except BrokenXml:
                self._package.say_unreadable(named.target)
        return found


def _stage(size: Element) -> Box | None:
    width, height = size.get("cx") or "", size.get("cy") or ""
    return Box(0, 0, int(width), int(height)) if _SIZE_IN_UNITS.fullmatch(f"{width} {height}") else None


def _natural(part: str) -> tuple[int, str]:
    digits = _DIGITS.findall(part)
    return (int(digits[-1]) if digits else 0), part

"""What an Office document says about itself: core properties (ECMA-376 part 2, 8.3) and the program's own (part 1, 22.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.dates import date
from fumehood.loaders.shared.ooxml_names import names
from fumehood.loaders.shared.ooxml_xml import BrokenXml, release, stream
from fumehood.loaders.shared.opc import Package, Relationship, first_of_type

_CORE: Final = {
    "dc:creator": "author",
    "dc:subject": "subject",
    "cp:keywords": "keywords",
    "dc:language": "language",
    "dcterms:created": "created",
    "dcterms:modified": "modified",
    "dc:title": "title",
}
_APP: Final = {
    "ep:Application": "generator",
    "ep:AppVersion": "version",
    "ep:Pages": "pages",
    "ep:Words": "words",
    "ep:Slides": "slides",
}
_DATES: Final = frozenset({"created", "modified"})
_COUNTS: Final = frozenset({"pages", "words", "slides"})
_COUNT: Final = re.compile(r"[0-9]{1,15}")


def describe(package: Package, arrows: Mapping[str, Relationship], out: Builder, budget: Budget) -> None:
    """Sets title and metadata from the parts that `arrows`, the package's own relationships, name."""
    core = first_of_type(arrows, "core-properties")
    app = first_of_type(arrows, "extended-properties")
    found = _properties(package, core.target, _CORE, budget) if core else {}
    found |= _properties(package, app.target, _APP, budget) if app else {}
    out.set_title(found.pop("title", None))
    version = found.pop("version", "")
    if "generator" in found and version:
        found["generator"] += f" {version}"
    for key, value in found.items():
        good = checked(key, value)
        if good:
            out.set_metadata(key, good)


def _properties(package: Package, part: str, wanted: dict[str, str], budget: Budget) -> dict[str, str]:
    data = package.read_if_there(part) if package.has(part) else None
    if data is None:
        return {}
    keys = {name: key for short, key in wanted.items() for name in names(short)}
    found: dict[str, str] = {}
    try:
        for event, element in stream(data, budget, keys):
            if event == "end":
                found.setdefault(keys[element.tag], (element.text or "").strip())
                release(element)
    except BrokenXml:
        package.say_unreadable(part)
    return found


def checked(key: str, value: str) -> str | None:
    """The value of a metadata key in its form; None if it cannot be that."""
    if key in _DATES:
        return date(value)
    if key in _COUNTS:
        return value if _COUNT.fullmatch(value) else None
    return value

"""Open Packaging Conventions (ECMA-376 part 2): parts, their content types, and the relationships between them.

Nothing is ever fetched: an external target is a string. A part that is missing or unreadable is a notice,
not an end, unless the caller cannot do without it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple
from urllib.parse import unquote

from fumehood.document import Locator
from fumehood.limits.budget import Budget
from fumehood.limits.zip import Archive, BadEntry
from fumehood.loaders.shared.builder import Builder, name
from fumehood.loaders.shared.ooxml_names import Element, names
from fumehood.loaders.shared.ooxml_xml import BrokenXml, release, stream

CONTENT_TYPES: Final = "[Content_Types].xml"

# The same relationship has a different type in Strict (ISO/IEC 29500-1) and Transitional (ISO/IEC 29500-4).
_TYPE_BASES: Final = (
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships/metadata/",
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships/",
    "http://purl.oclc.org/ooxml/officeDocument/relationships/metadata/",
    "http://purl.oclc.org/ooxml/officeDocument/relationships/",
    "http://schemas.openxmlformats.org/package/2006/relationships/metadata/",
    "http://schemas.openxmlformats.org/package/2006/relationships/",
    "http://schemas.microsoft.com/office/2006/relationships/",
    "http://schemas.microsoft.com/office/2018/10/relationships/",
)
_SAME_TYPE: Final = {"extendedProperties": "extended-properties", "customProperties": "custom-properties"}
_LINKS: Final = frozenset({"hyperlink"})
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_RELATIONSHIP: Final = names("rel:Relationship")
_DEFAULT: Final = names("ct:Default")
_OVERRIDE: Final = names("ct:Override")


class Relationship(NamedTuple):
    """One arrow from a part, or from the package.

    - `type`: without its base: `styles`, `hyperlink`; the whole URI where the base is none we know.
    - `target`: the name of a part without the leading slash; as written if it is external; `#name` for a
      place inside the source part.
    """

    id: str
    type: str
    target: str
    external: bool

    @property
    def is_part(self) -> bool:
        """Whether it points to a part, be it there or not."""
        return not self.external and not self.target.startswith("#")


class Package:
    """The parts of one package, by name without the leading slash; ASCII case makes no difference (7.2.3)."""

    def __init__(self, data: bytes, out: Builder, budget: Budget) -> None:
        """Raises the refusals of the archive's prechecks."""
        self._archive = Archive.check(data, budget)
        self._out = out
        self._budget = budget
        self._defaults: dict[str, str] = {}
        self._overrides: dict[str, str] = {}
        self._said: set[str] = set()
        self._read_content_types()

    def has(self, part: str) -> bool:
        return self._archive.find(part) is not None

    def parts(self) -> Iterator[str]:
        """The names of all parts, in the archive's order."""
        return (entry.name for entry in self._archive.entries if not entry.is_directory)

    def read(self, part: str) -> bytes:
        """The part's bytes. Raises `BadEntry` if it is missing or cannot be read."""
        entry = self._archive.find(part)
        if entry is None:
            raise BadEntry(part)
        return self._archive.read(entry)

    def read_if_there(self, part: str) -> bytes | None:
        """The part's bytes; None with a notice if it is missing or cannot be read."""
        if not self.has(part):
            self.say_missing(part)
            return None
        try:
            return self.read(part)
        except BadEntry:
            self.say_unreadable(part)
            return None

    def say_missing(self, part: str) -> None:
        self._say("part-missing", part)

    def say_unreadable(self, part: str) -> None:
        self._say("part-unreadable", part)

    def content_type(self, part: str) -> str:
        """The part's media type, in lower case, by its name or else by its extension (7.3.7); empty if there is none."""
        folded = part.casefold()
        return self._overrides.get(folded) or self._defaults.get(folded.rpartition(".")[2], "")

    def relationships(self, part: str = "") -> dict[str, Relationship]:
        """The relationships of a part, or of the package, by identifier; the first of an identifier counts.

        Says which of them point to what is not there or lies outside.
        """
        folder, base = posixpath.split(part)
        source = posixpath.join(folder, "_rels", f"{base}.rels")
        if not self.has(source):
            return {}
        data = self.read_if_there(source)
        if data is None:
            return {}
        found: dict[str, Relationship] = {}
        reader = _RelationshipReader(folder)
        try:
            for event, element in stream(data, self._budget, _RELATIONSHIP):
                if event == "end":
                    self._budget.spend("nodes", len(element.attrib))
                    relationship = reader.read(element)
                    found.setdefault(relationship.id, relationship)
                    release(element)
        except BrokenXml:
            self.say_unreadable(source)
        for relationship in found.values():
            self._judge(relationship)
        return found

    def _judge(self, relationship: Relationship) -> None:
        if relationship.external:
            if relationship.type not in _LINKS:
                self._say("external-target", relationship.target)
        elif relationship.is_part and not self.has(relationship.target):
            self.say_missing(relationship.target)

    def _say(self, code: str, part: str) -> None:
        """Once for each code and part."""
        if (said := f"{code} {part.casefold()}") in self._said:
            return
        self._said.add(said)
        if code == "external-target":
            # Where it points is the document's own text, and may be an address meant to be opened.
            self._out.notice("external-target")
        elif code == "part-missing":
            self._out.notice("part-missing", Locator(part=name(part)))
        else:
            self._out.notice("part-unreadable", Locator(part=name(part)))

    def _read_content_types(self) -> None:
        data = self.read_if_there(CONTENT_TYPES)
        if data is None:
            return
        try:
            for event, element in stream(data, self._budget, (*_DEFAULT, *_OVERRIDE)):
                if event == "start":
                    continue
                media_type = (element.get("ContentType") or "").strip().lower()
                if element.tag in _OVERRIDE:
                    part = (element.get("PartName") or "").lstrip("/").casefold()
                    self._overrides.setdefault(part, media_type)
                else:
                    self._defaults.setdefault((element.get("Extension") or "").casefold(), media_type)
                release(element)
        except BrokenXml:
            self.say_unreadable(CONTENT_TYPES)


def first_of_type(relationships: Mapping[str, Relationship], kind: str) -> Relationship | None:
    """The first relationship of type `kind` that points to a part."""
    return next((found for found in relationships.values() if found.type == kind and found.is_part), None)


class _RelationshipReader:
    """Reads the relationships of a part in `folder`: many of few types, and often many to one target."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._types: dict[str, str] = {}
        self._targets: dict[tuple[str, bool], tuple[str, bool]] = {}

    def read(self, element: Element) -> Relationship:
        uri, target = element.get("Type") or "", element.get("Target") or ""
        external = (element.get("TargetMode") or "").strip().lower() == "external"
        kind = self._types.get(uri)
        if kind is None:
            kind = self._types[uri] = _type(uri)
        found = self._targets.get((target, external))
        if found is None:
            part = target if external else resolved(target, self._folder)
            found = self._targets[target, external] = (part, external or _SCHEME.match(target) is not None)
        return Relationship(element.get("Id") or "", kind, *found)


def _type(uri: str) -> str:
    for base in _TYPE_BASES:
        if uri.startswith(base):
            short = uri[len(base) :]
            return _SAME_TYPE.get(short, short)
    return uri


def resolved(target: str, folder: str) -> str:
    """The part that an internal `target` names, seen from a part in `folder` (6.4 and RFC 3986, 5.2).

    Absolute or relative, percent-encoded or not; producers write backslashes as well. A fragment alone names a
    place in the source part, and stays as it is. What climbs out of the package stays at its root.
    """
    if target.startswith("#") or _SCHEME.match(target):
        return target
    path = unquote(target.partition("#")[0].partition("?")[0]).replace("\\", "/")
    return posixpath.normpath(posixpath.join("/", folder, path)).lstrip("/")

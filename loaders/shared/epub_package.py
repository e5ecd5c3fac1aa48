"""What an EPUB says of itself: the container (OCF 3.3), its package document, and what of it is encrypted."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote

from fumehood.document import Locator
from fumehood.errors import Refusal, refusal
from fumehood.limits.budget import Budget
from fumehood.limits.xml_prolog import without_document_type
from fumehood.limits.zip import Archive, BadEntry
from fumehood.loaders.shared.builder import Builder, name
from fumehood.loaders.shared.ooxml_names import Element
from fumehood.loaders.shared.ooxml_xml import BrokenXml, release, stream

CONTAINER: Final = "META-INF/container.xml"
_ENCRYPTION: Final = "META-INF/encryption.xml"
_MIMETYPE: Final = b"application/epub+zip"
_PACKAGE_TYPE: Final = "application/oebps-package+xml"
_OBFUSCATIONS: Final = frozenset({"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"})
"""Of fonts (OCF 3.3, 4.3): they hide no text."""
_DESCRIBED: Final = ("title", "creator", "language", "subject", "description", "date", "publisher", "identifier")


@dataclass(frozen=True, slots=True)
class Item:
    """One resource of the manifest. `path`: its name in the archive; empty for what lies outside."""

    path: str
    media_type: str
    properties: frozenset[str]
    fallback: str


@dataclass(slots=True)
class Package:
    """A package document (EPUB 3.3, 5). `described`: values of each element of Dublin Core, in order."""

    path: str
    items: dict[str, Item] = field(default_factory=dict)
    spine: list[str] = field(default_factory=list)
    toc: str = ""
    described: dict[str, list[str]] = field(default_factory=dict)
    modified: str = ""
    is_fixed: bool = False


class Container:
    """The archive's entries, by path; what is missing or broken is said once."""

    def __init__(self, data: bytes, out: Builder, budget: Budget) -> None:
        """Raises the refusals of the archive's prechecks."""
        self._archive = Archive.check(data, budget)
        self._out = out
        self._budget = budget
        self._said: set[str] = set()

    def has(self, path: str) -> bool:
        return self._archive.find(path) is not None

    def paths(self) -> Iterator[str]:
        return (entry.name for entry in self._archive.entries if not entry.is_directory)

    def read(self, path: str) -> bytes | None:
        """The entry's bytes; None with a notice if it is missing or damaged."""
        entry = self._archive.find(path)
        if entry is None:
            self.say_missing(path)
            return None
        try:
            return self._archive.read(entry)
        except BadEntry:
            self.say_unreadable(path)
            return None

    def elements(self, path: str, tags: tuple[str, ...]) -> Iterator[tuple[str, str, Element]]:
        """`start` or `end`, the local name and the element, for those of the XML part at `path` with such names."""
        data = self.read(path)
        if data is None:
            return
        try:
            for event, element in stream(without_document_type(data), self._budget, [f"{{*}}{tag}" for tag in tags]):
                local = str(element.tag).rpartition("}")[2]
                if event == "start":
                    self._budget.spend("nodes", len(element.attrib))
                yield event, local, element
                if event == "end":
                    release(element)
        except BrokenXml:
            self.say_unreadable(path)
        except Refusal as refused:
            # A table of contents with a document type of its own is no reason not to read the book.
            if refused.code != "malformed":
                raise
            self.say_unreadable(path)

    def say_missing(self, path: str) -> None:
        if path not in self._said:
            self._said.add(path)
            self._out.notice("part-missing", Locator(path=name(path)))

    def say_unreadable(self, path: str) -> None:
        if path not in self._said:
            self._said.add(path)
            self._out.notice("part-unreadable", Locator(path=name(path)))


def find_package(container: Container) -> str:
    """The path of the package document: the first rootfile, else any `.opf` there is.

    Raises `kind-mismatch` for another kind of archive, `malformed` for an EPUB without one.
    """
    rootfiles: list[tuple[bool, str]] = []
    if container.has(CONTAINER):
        for event, _, element in container.elements(CONTAINER, ("rootfile",)):
            path = resolved(element.get("full-path") or "", "")
            if event == "start" and path:
                rootfiles.append((element.get("media-type", "").strip() != _PACKAGE_TYPE, path))
    # Sorting is stable: those of the right type come first, each in their order.
    for _, path in sorted(rootfiles, key=lambda found: found[0]):
        if container.has(path):
            return path
    spare = next((path for path in container.paths() if path.lower().endswith(".opf")), None)
    if spare is not None:
        container.say_missing(rootfiles[0][1] if rootfiles else CONTAINER)
        return spare
    is_ours = bool(rootfiles) or (container.has("mimetype") and _MIMETYPE in (container.read("mimetype") or b""))
    raise refusal("malformed" if is_ours else "kind-mismatch", stage="precheck")


def encrypted_paths(container: Container) -> frozenset[str]:
    """The entries that nobody reads without a key (OCF 3.3, 4.2.5)."""
    if not container.has(_ENCRYPTION):
        return frozenset()
    found: set[str] = set()
    algorithm = ""
    for event, local, element in container.elements(_ENCRYPTION, ("EncryptionMethod", "CipherReference")):
        if event == "end":
            continue
        if local == "EncryptionMethod":
            algorithm = (element.get("Algorithm") or "").strip()
        elif algorithm not in _OBFUSCATIONS:
            found.add(resolved(element.get("URI") or "", ""))
    return frozenset(found)


def read_package(container: Container, path: str, budget: Budget) -> Package:
    """The package document at `path`, as far as it can be read."""
    package = Package(path)
    folder = posixpath.dirname(path)
    for event, local, element in container.elements(path, ("item", "itemref", "spine", "meta", *_DESCRIBED)):
        if event == "start":
            if local == "spine":
                package.toc = element.get("toc") or ""
            continue
        taker = _TAKERS.get(local)
        if taker is not None:
            taker(package, element, folder)
        elif local != "spine" and (element.text or "").strip():
            package.described.setdefault(local, []).append((element.text or "").strip())
        if local == "itemref":
            budget.spend("parts")
    return package


def _item(package: Package, element: Element, folder: str) -> None:
    package.items.setdefault(
        element.get("id") or "",
        Item(
            resolved(element.get("href") or "", folder),
            (element.get("media-type") or "").strip().lower(),
            frozenset((element.get("properties") or "").split()),
            element.get("fallback") or "",
        ),
    )


def _itemref(package: Package, element: Element, folder: str) -> None:
    package.spine.append(element.get("idref") or "")


def _meta(package: Package, element: Element, folder: str) -> None:
    said = element.get("property") or element.get("name") or ""
    value = (element.text or element.get("content") or "").strip()
    if said == "dcterms:modified":
        package.modified = value
    elif said in ("rendition:layout", "fixed-layout") and value in ("pre-paginated", "true"):
        package.is_fixed = True


_TAKERS: Final[dict[str, Callable[[Package, Element, str], None]]] = {"item": _item, "itemref": _itemref, "meta": _meta}


def resolved(href: str, folder: str) -> str:
    """The path in the archive that `href` names, seen from a file in `folder` (OCF 3.3, 3.2.2; RFC 3986, 5.2).

    Empty for what lies outside, by its scheme. What climbs out of the container stays at its root.
    """
    path = href.strip().partition("#")[0].partition("?")[0]
    if ":" in path.partition("/")[0] or path.startswith("//"):
        return ""
    if not path:
        return ""
    return posixpath.normpath(posixpath.join("/", folder, unquote(path).replace("\\", "/"))).lstrip("/")

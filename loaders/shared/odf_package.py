"""The parts of an OpenDocument package, or of the one XML file that stands for it (ODF 1.3 part 2; part 3, 3.1.2)."""

from __future__ import annotations

import re
from typing import Final

from fumehood.document import Locator
from fumehood.errors import refusal
from fumehood.limits.budget import Budget
from fumehood.limits.zip import Archive, BadEntry
from fumehood.loaders.shared.builder import Builder, name
from fumehood.loaders.shared.odf_names import Attributes, qname
from fumehood.loaders.shared.odf_xml import Dispatcher, read
from fumehood.loaders.shared.ooxml_xml import BrokenXml

MANIFEST: Final = "META-INF/manifest.xml"
CONTENT: Final = "content.xml"
FLAT: Final = ""
"""The name of a document that is one XML file."""

_MIMETYPE: Final = "mimetype"
_LONGEST_TYPE: Final = 256
_TYPE: Final = re.compile(r"application/vnd\.oasis\.opendocument\.([a-z]+)")
_END_OF_ARCHIVE: Final = b"PK\x05\x06"
_END_WITHIN: Final = 66_000
_FULL_PATH: Final = qname("manifest:full-path")
_MEDIA_TYPE: Final = qname("manifest:media-type")
_ENCRYPTED: Final = frozenset({CONTENT, "styles.xml", "encrypted-package"})
_MACROS: Final = re.compile(r"(?:basic|scripts)/.*[^/]", re.IGNORECASE)


class Package:
    """Parts by name. Raises the refusals of the archive's prechecks, `kind-mismatch` and `encrypted`."""

    def __init__(self, data: bytes, body: str, out: Builder, budget: Budget) -> None:
        self._out = out
        self._budget = budget
        self._said: set[str] = set()
        self._flat: bytes | None = None
        self._archive: Archive | None = None
        if not data.strip():
            raise refusal("malformed", stage="precheck")
        if _END_OF_ARCHIVE in data[-_END_WITHIN:] or data.startswith(b"PK"):
            self._archive = Archive.check(data, budget)
            self._judge(body)
        elif b"<" in data[:_LONGEST_TYPE]:
            self._flat = data
        else:
            raise refusal("kind-mismatch", stage="precheck")

    @property
    def is_flat(self) -> bool:
        return self._flat is not None

    def has(self, part: str) -> bool:
        if self._flat is not None:
            return part == FLAT
        return self._archive is not None and self._archive.find(part) is not None

    def read(self, part: str) -> bytes:
        """The part's bytes. Raises `BadEntry` if it is missing or cannot be read."""
        if self._flat is not None and part == FLAT:
            return self._flat
        entry = None if self._archive is None else self._archive.find(part)
        if entry is None or self._archive is None:
            raise BadEntry(part)
        return self._archive.read(entry)

    def read_if_there(self, part: str) -> bytes | None:
        """The part's bytes; None if it is missing, None with a notice if it cannot be read."""
        if not self.has(part):
            return None
        try:
            return self.read(part)
        except BadEntry:
            self.say("part-unreadable", part)
            return None

    def say(self, code: str, part: str) -> None:
        """A notice of a part that is `part-missing` or `part-unreadable`, once."""
        if f"{code} {part}" not in self._said:
            self._said.add(f"{code} {part}")
            locator = Locator(part=name(part))
            if code == "part-missing":
                self._out.notice("part-missing", locator)
            else:
                self._out.notice("part-unreadable", locator)

    def has_macros(self) -> bool:
        """Whether there are modules of Basic or scripts (part 3, 3.12 and 3.13)."""
        entries = () if self._archive is None else self._archive.entries
        return any(_MACROS.fullmatch(entry.name) for entry in entries if not entry.is_directory)

    # ---- what it is ------------------------------------------------------------------------------

    def _judge(self, body: str) -> None:
        """By the entry `mimetype` (part 2, 3.3), else by the manifest; a package that has neither may be anything."""
        manifest = _Manifest(self._budget)
        data = self.read_if_there(MANIFEST)
        if data is not None:
            try:
                read(data, manifest.dispatcher, self._budget)
            except BrokenXml:
                self.say("part-unreadable", MANIFEST)
        declared = self._declared_type() or manifest.media_type
        # Templates, masters and web pages are of the same kind: `text-template`.
        is_ours = _TYPE.match(declared)
        if is_ours and is_ours[1] != body:
            raise refusal("kind-mismatch", stage="precheck")
        if manifest.encrypted:
            raise refusal("encrypted", stage="precheck")
        if not self.has(CONTENT):
            raise refusal("malformed" if is_ours else "kind-mismatch", stage="precheck")

    def _declared_type(self) -> str:
        data = self.read_if_there(_MIMETYPE) or b""
        return data[:_LONGEST_TYPE].decode("ascii", "replace").strip().lower()


class _Manifest:
    """What the manifest says of the package, and of the parts that nothing is read without (part 2, 3.2)."""

    def __init__(self, budget: Budget) -> None:
        self.media_type = ""
        self.encrypted = False
        self.dispatcher = Dispatcher(budget)
        self._path = ""
        self.dispatcher.on("manifest:file-entry", self._entry)
        self.dispatcher.on("manifest:encryption-data", self._encryption)

    def _entry(self, attributes: Attributes) -> None:
        self._path = attributes.get(_FULL_PATH, "")
        if self._path == "/":
            self.media_type = attributes.get(_MEDIA_TYPE, "").strip().lower()

    def _encryption(self, attributes: Attributes) -> None:
        self.encrypted = self.encrypted or self._path in _ENCRYPTED


def object_path(href: str) -> str | None:
    """The folder of an object in the package that a link names, such as `./Object 1`; None if it is none.

    What is not relative lies outside; what climbs out of its folder as well (part 2, 3.7).
    """
    path = href.partition("#")[0].removeprefix("./").strip("/")
    if not path or ":" in path or ".." in path.split("/") or href.startswith("/"):
        return None
    return path

"""The entities of a message (RFC 2046), in one pass over its lines, however deep they are nested.

Part numbers are those of IMAP (RFC 3501, 6.4.5): the parts of a multipart message are numbered 1, 2, ..., those within
part 2 are 2.1, 2.2, ..., and a message that has no parts is its own part 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from fumehood.document import Locator
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import MAX_NAME
from fumehood.loaders.shared.mime_headers import Headers, begins_with_field, read
from fumehood.loaders.shared.mime_parameters import Field
from fumehood.loaders.shared.mime_transfer import is_encoded

_LINE: Final = re.compile(rb"--([^\n]*)(?:\n|\Z)")
_BLANKS: Final = re.compile(rb"(?:[ \t]*\r?\n)*")
_STRAY: Final = re.compile(rb"(?:content-type|content-transfer-encoding|mime-version)[ \t]*:", re.IGNORECASE)
_MEDIA_TYPE: Final = re.compile(r"[^/]+/[^/]+")
PAGES: Final = frozenset({"text/html", "text/x-amp-html", "text/watch-html"})
SHOWN: Final = frozenset({"text/plain", "text/enriched", "text/richtext", *PAGES})
"""Media types that readers of mail show in place."""
_MESSAGES: Final = frozenset({"message/rfc822", "message/global", "message/news"})
_HEAD: Final = 4_096
_NEWLINE: Final = ord("\n")
_RETURN: Final = ord("\r")
_LONGEST_BOUNDARY: Final = 1_000
"""RFC 2046, 5.1.1 has 70; what is longer is no boundary anybody wrote."""


class Entity:
    """One entity: its fields, and its body, `data[start:end]`.

    - `children`: the parts of a multipart, or the message that a `message/rfc822` holds.
    - `is_shown`: somewhere in it is text that a reader of mail shows in place.
    - `preamble_end`, `epilogue_start`: of a multipart, what stands before and behind its parts.
    """

    __slots__ = (
        "children",
        "content",
        "data",
        "disposition",
        "encoding",
        "end",
        "epilogue_start",
        "headers",
        "is_shown",
        "number",
        "preamble_end",
        "repaired",
        "start",
    )

    def __init__(self, headers: Headers, content: Field, number: str, data: bytes, start: int) -> None:
        self.headers = headers
        self.content = content
        self.disposition = headers.field("content-disposition")
        self.encoding = headers.field("content-transfer-encoding").value
        self.number = number
        self.data = data
        self.start = start
        self.end = len(data)
        self.preamble_end = start
        self.epilogue_start: int | None = None
        self.children: list[Entity] = []
        self.is_shown = False
        self.repaired = False

    @property
    def media_type(self) -> str:
        return self.content.value

    @property
    def body(self) -> bytes:
        return self.data[self.start : self.end]

    @property
    def is_multipart(self) -> bool:
        return self.media_type.startswith("multipart/")

    @property
    def is_message(self) -> bool:
        return self.media_type in _MESSAGES

    @property
    def is_attachment(self) -> bool:
        return self.disposition.value == "attachment"

    @property
    def name(self) -> str:
        """The name of the file it was, as the sender gave it; empty where there was none."""
        return self.disposition.parameters.get("filename") or self.content.parameters.get("name") or ""

    @property
    def locator(self) -> Locator:
        return Locator(path=self.number[:MAX_NAME] or None)


def parse(data: bytes, budget: Budget, number: str = "", depth: int = 0) -> Entity:
    """The message that `data` is, which has part `number` of another one; `depth` of that one's entities are around it.

    Raises the refusals `parts` and `nesting`. Linear in `data`, whatever the depth.
    """
    return _Parser(data, budget, depth).parse(number)


def holds_encoded(entity: Entity) -> bool:
    """Whether the message in `entity` is encoded, which RFC 2046, 5.2.1 forbids. Some say so of one that is not."""
    if not is_encoded(entity.encoding):
        return False
    head = entity.data[entity.start : min(entity.end, entity.start + _HEAD)]
    return b"=3D" in head if entity.encoding == "quoted-printable" else not begins_with_field(head)


def leaves(entity: Entity) -> Iterator[Entity]:
    """The parts of a multipart that are none themselves, in order; a message within is one part."""
    stack = [entity]
    while stack:
        found = stack.pop()
        if found.is_multipart and found.children:
            stack.extend(reversed(found.children))
        else:
            yield found


class _Parser:
    def __init__(self, data: bytes, budget: Budget, depth: int) -> None:
        self._data = data
        self._budget = budget
        self._depth = depth
        self._open: list[tuple[Entity, bytes | None]] = []
        self._places: dict[bytes, list[int]] = {}

    def parse(self, number: str) -> Entity:
        at = self._enter(0, number, None)
        while self._places and (line := self._next(at)) is not None:
            at = line.end()
            boundary, closes = self._known(line[1])
            if boundary is not None:
                at = self._delimited(boundary, closes, line.start(), at)
        root = self._open[0][0]
        self._close_above(-1, len(self._data))
        return root

    # ---- delimiters --------------------------------------------------------------------------------

    def _next(self, at: int) -> re.Match[bytes] | None:
        """The first line from `at` on, which is the start of one, that begins as a delimiter does."""
        line = _LINE.match(self._data, at)
        # Ten times as fast as a search by the expression.
        return line or _LINE.match(self._data, self._data.find(b"\n--", at) + 1 or len(self._data))

    def _known(self, line: bytes) -> tuple[bytes | None, bool]:
        """The boundary that a line is after its `--`, all of it but white space, and whether it ends the multipart."""
        if len(line) > _LONGEST_BOUNDARY:
            return None, False
        text = line.rstrip(b" \t\r")
        if text in self._places:
            return text, False
        closed = text.removesuffix(b"--")
        return (closed, True) if closed in self._places and closed != text else (None, False)

    def _is_delimiter(self, at: int) -> bool:
        line = _LINE.match(self._data, at)
        return line is not None and self._known(line[1])[0] is not None

    def _delimited(self, boundary: bytes, closes: bool, start: int, end: int) -> int:
        """Ends the part at hand and begins the next; of two multiparts with one boundary the inner is meant."""
        place = self._places[boundary][-1]
        parent = self._open[place][0]
        if not parent.children:
            parent.preamble_end = start
        self._close_above(place, start)
        if closes:
            self._forget(boundary)
            parent.epilogue_start = end
            return end
        return self._enter(end, _within(parent.number, len(parent.children) + 1), parent)

    def _close_above(self, place: int, at: int) -> None:
        """What is open within the entity at `place` ends, with the line end that belongs to the delimiter left out."""
        if at < len(self._data) and at and self._data[at - 1] == _NEWLINE:
            at -= 2 if self._data[max(0, at - 2)] == _RETURN else 1
        while len(self._open) > place + 1:
            entity, boundary = self._open[-1]
            entity.end = max(entity.start, at)
            if not entity.children and entity.media_type in SHOWN and not entity.is_attachment:
                self._mark_shown()
            if boundary is not None and self._places.get(boundary, [-1])[-1] == len(self._open) - 1:
                self._forget(boundary)
            self._open.pop()

    def _forget(self, boundary: bytes) -> None:
        places = self._places[boundary]
        places.pop()
        if not places:
            del self._places[boundary]

    def _mark_shown(self) -> None:
        for entity, _ in reversed(self._open):
            if entity.is_shown:
                return
            entity.is_shown = True

    # ---- entities ----------------------------------------------------------------------------------

    def _enter(self, at: int, number: str, parent: Entity | None) -> int:
        """Opens the entity whose fields start at `at`, and the messages it holds; gives where its body starts."""
        while True:
            self._budget.spend("parts")
            self._budget.check("nesting", self._depth + len(self._open) + 1)
            starts_message = parent is None or parent.is_message
            if starts_message:
                blanks = _BLANKS.match(self._data, at)
                at = at if blanks is None else blanks.end()
            entity, at = self._entity(at, number, parent, starts_message)
            if parent is not None:
                parent.children.append(entity)
            self._push(entity)
            if not entity.is_message or holds_encoded(entity):
                return at
            number, parent = entity.number, entity

    def _entity(self, at: int, number: str, parent: Entity | None, starts_message: bool) -> tuple[Entity, int]:
        end = len(self._data)
        headers, at, is_parted = read(self._data, at, end, self._budget, self._is_delimiter)
        is_stray = "content-type" not in headers and _STRAY.match(self._data, at) is not None
        if is_stray:
            others, at, is_parted = read(self._data, at, end, self._budget, self._is_delimiter)
            headers.join(others)
        content = headers.field("content-type")
        if _MEDIA_TYPE.fullmatch(content.value) is None:
            # RFC 2045, 5.2; RFC 2046, 5.1.5.
            is_digest = parent is not None and parent.media_type == "multipart/digest"
            content = Field("message/rfc822" if is_digest else "text/plain", content.parameters)
        if starts_message and not content.value.startswith("multipart/"):
            number = _within(number, 1)
        entity = Entity(headers, content, number, self._data, at)
        entity.repaired = is_stray or not is_parted
        return entity, at

    def _push(self, entity: Entity) -> None:
        boundary = entity.content.parameters.get("boundary", "").rstrip() if entity.is_multipart else ""
        raw = boundary.encode("utf-8", "surrogateescape")
        if raw:
            self._places.setdefault(raw, []).append(len(self._open))
        self._open.append((entity, raw or None))


def _within(number: str, place: int) -> str:
    return f"{number}.{place}" if number else str(place)

"""The parent's decoder: every byte of a reply is untrusted until it has passed here.

One frame at a time, typed, capped before anything is allocated, and cheap enough that the event loop is
not held. What does not fit raises `BadReply`; what fits and is too much raises a `Refusal`.
"""

from __future__ import annotations

import math
from enum import Enum
from typing import Final, NamedTuple, TypeVar

import msgspec

from fumehood import kinds
from fumehood.document import (
    MAX_METADATA_VALUE,
    MAX_NOTICES,
    MAX_TITLE,
    Block,
    Link,
    Locator,
    Notice,
    is_link_target,
    is_metadata_key,
)
from fumehood.errors import DETAILS, Refusal, RefusalCode, RefusalFacts, refusal
from fumehood.hygiene import is_clean
from fumehood.limits.policy import LIMIT_NAMES, Limits
from fumehood.sandbox import frames
from fumehood.sandbox.frames import Type
from fumehood.sandbox.text import Text

_MAX_METADATA: Final = 1_000
_FEW_FRAMES: Final = 16
_FRAME_BYTES: Final = 16 * 1024
"""Past a few, frames hold at least this much on average: text in one-letter frames would cost thirty times its size."""
# What a worker may say of itself. The others are the parent's to judge.
_WORKERS_OWN: Final[frozenset[RefusalCode]] = frozenset(
    {
        "inflated-too-large", "too-many-entries", "output-too-large", "zip-overlap", "zip-lie", "zip-ratio", "zip-nested",
        "memory", "nodes", "xml-elements", "nesting", "table-cells", "pages", "parts", "image-pixels",
        "malformed", "kind-mismatch", "encrypted", "scanned", "unsupported-kind",
    }
)  # fmt: skip


_Item = TypeVar("_Item")


class BadReply(Exception):
    """The reply breaks the contract. Its text is ours, for the log."""


class _State(Enum):
    NEW = 0
    LOCKED = 1
    DOCUMENT = 2
    ENDED = 3


class Contents(NamedTuple):
    """A document's checked parts."""

    title: str | None
    metadata: dict[str, str]
    text: str
    blocks: tuple[Block, ...]
    links: tuple[Link, ...]
    notices: tuple[Notice, ...]
    inflated_bytes: int


_started: Final = msgspec.msgpack.Decoder(frames.Started)
_facts: Final = msgspec.msgpack.Decoder(RefusalFacts)
_name: Final = msgspec.msgpack.Decoder(str)
_head: Final = msgspec.msgpack.Decoder(frames.Head)
_blocks: Final = msgspec.msgpack.Decoder(list[Block])
_links: Final = msgspec.msgpack.Decoder(list[Link])
_notices: Final = msgspec.msgpack.Decoder(list[Notice])
_done: Final = msgspec.msgpack.Decoder(frames.Done)


class Reply:
    """One worker's reply. Feed it what was read; ask it what came of it once `complete`."""

    def __init__(self, limits: Limits, *, sniff: bool) -> None:
        self._limits = limits
        self._sniff = sniff
        self._buffer = bytearray()
        self._state = _State.NEW
        self._last = Type.READY
        self._output = 0
        self._frames = 0
        self._received = 0
        self._title: str | None = None
        self._metadata: dict[str, str] = {}
        self._text = Text()
        self._blocks: list[Block] = []
        self._links: list[Link] = []
        self._notices: list[Notice] = []
        self._inflated = 0
        self.started: frames.Started | None = None
        self.refused: Refusal | None = None
        self.kind: str | None = None

    @property
    def complete(self) -> bool:
        """Whether the reply has come to its proper end."""
        return self._state is _State.ENDED and not self._buffer

    def feed(self, untrusted_bytes: bytes) -> None:
        """Takes the next bytes. Raises `BadReply`, or the `Refusal` for a cap on output."""
        self._buffer += untrusted_bytes
        at = 0
        while len(self._buffer) - at >= frames.HEADER.size:
            size, untrusted_type = frames.HEADER.unpack_from(self._buffer, at)
            if size > frames.MAX_PAYLOAD:
                raise BadReply(f"a frame of {size:,} bytes")
            end = at + frames.HEADER.size + size
            if end > len(self._buffer):
                break
            payload = bytes(memoryview(self._buffer)[at + frames.HEADER.size : end])
            self._accept(untrusted_type, payload)
            at = end
        del self._buffer[:at]

    async def contents(self) -> Contents:
        """The document that arrived; only once `complete` and neither refused nor sniffed."""
        text = await self._text.joined()
        return Contents(
            self._title,
            self._metadata,
            text,
            tuple(self._blocks),
            tuple(self._links),
            tuple(self._notices),
            self._inflated,
        )

    # ---- frames ------------------------------------------------------------------------------------

    def _accept(self, untrusted_type: int, untrusted_payload: bytes) -> None:
        try:
            kind = Type(untrusted_type)
        except ValueError:
            raise BadReply(f"a frame of type {untrusted_type}") from None
        self._check_order(kind)
        self._frames += 1
        self._received += len(untrusted_payload)
        if self._frames > _FEW_FRAMES + self._received // _FRAME_BYTES:
            raise BadReply("more frames than their contents need")
        try:
            self._take(kind, untrusted_payload)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadReply(f"a {kind.name} frame that does not decode: {type(error).__name__}") from None

    def _check_order(self, kind: Type) -> None:
        if self._state is _State.NEW:
            fits = kind is Type.READY or kind is Type.REFUSED
        elif self._state is _State.LOCKED:
            fits = kind is Type.REFUSED or kind is (Type.SNIFFED if self._sniff else Type.HEAD)
        elif self._state is _State.DOCUMENT:
            # A worker that runs out of memory while it replies may still say so.
            fits = kind is Type.REFUSED or (kind is not Type.HEAD and kind >= self._last)
        else:
            fits = False
        if not fits:
            raise BadReply(f"a {kind.name} frame out of order")
        self._last = kind

    def _take(self, kind: Type, payload: bytes) -> None:
        match kind:
            case Type.READY:
                self.started, self._state = _started.decode(payload), _State.LOCKED
            case Type.REFUSED:
                self.refused = self._checked_refusal(_facts.decode(payload))
                self._state = _State.ENDED
            case Type.SNIFFED:
                self.kind, self._state = self._checked_kind(_name.decode(payload)), _State.ENDED
            case Type.HEAD:
                self._take_head(_head.decode(payload))
                self._state = _State.DOCUMENT
            case Type.TEXT:
                self._take_text(payload)
            case Type.BLOCKS:
                self._take_blocks(_counted(_blocks.decode(payload)))
            case Type.LINKS:
                self._take_links(_counted(_links.decode(payload)))
            case Type.NOTICES:
                self._take_notices(_counted(_notices.decode(payload)))
            case Type.DONE:
                self._take_done(_done.decode(payload))
                self._state = _State.ENDED

    def _checked_refusal(self, untrusted: RefusalFacts) -> Refusal:
        if self.started is None:
            if untrusted.code != "sandbox-unavailable":
                raise BadReply("a refusal before the worker was locked")
        elif untrusted.code not in _WORKERS_OWN:
            raise BadReply(f"a worker cannot judge {untrusted.code}")
        elif untrusted.detail is not None and not _is_known_name(untrusted.detail):
            raise BadReply("a refusal with a detail of no closed list")
        if untrusted.limit is not None and untrusted.limit not in LIMIT_NAMES:
            raise BadReply("a refusal that names no limit")
        if untrusted.observed is not None and not (
            math.isfinite(untrusted.observed) and 0 <= untrusted.observed <= 2**63
        ):
            raise BadReply("a refusal with an absurd number")
        # The bound is ours to say.
        bound = None if untrusted.limit is None else getattr(self._limits, untrusted.limit)
        return refusal(
            untrusted.code,
            limit=untrusted.limit,
            bound=bound,
            observed=untrusted.observed,
            stage=untrusted.stage,
            detail=untrusted.detail,
        )

    def _checked_kind(self, untrusted_kind: str) -> str:
        try:
            return kinds.get(untrusted_kind).name
        except ValueError:
            raise BadReply("a kind that is not registered") from None

    def _take_head(self, untrusted: frames.Head) -> None:
        if untrusted.title is not None:
            self._check_line(untrusted.title, MAX_TITLE)
        if len(untrusted.metadata) > _MAX_METADATA:
            raise BadReply("too many metadata")
        for key, value in untrusted.metadata.items():
            if not is_metadata_key(key):
                raise BadReply("a metadata key of no vocabulary")
            self._check_line(value, MAX_METADATA_VALUE)
        self._title, self._metadata = untrusted.title, untrusted.metadata

    def _take_text(self, untrusted_payload: bytes) -> None:
        self._spend(len(untrusted_payload))
        untrusted_text = untrusted_payload.decode("utf-8", "strict")
        if not untrusted_text or not is_clean(untrusted_text):
            raise BadReply("text that is empty or not clean")
        self._text.append(untrusted_text)

    def _take_blocks(self, untrusted: list[Block]) -> None:
        self._check_count(len(self._blocks) + len(untrusted))
        floor = self._blocks[-1].end if self._blocks else 0
        length = len(self._text)
        for block in untrusted:
            if not floor <= block.start < block.end <= length:
                raise BadReply("a block out of order or out of the text")
            floor = block.end
            if block.locator is not None:
                self._check_locator(block.locator)
        self._blocks += untrusted

    def _take_links(self, untrusted: list[Link]) -> None:
        self._check_count(len(self._links) + len(untrusted))
        length = len(self._text)
        for link in untrusted:
            if not 0 <= link.start < link.end <= length:
                raise BadReply("a link out of the text")
            if not is_link_target(link.target):
                raise BadReply("a link target that is not allowed")
            self._spend(_utf8_length(link.target))
        self._links += untrusted

    def _take_notices(self, untrusted: list[Notice]) -> None:
        if len(self._notices) + len(untrusted) > MAX_NOTICES + 1:
            raise BadReply("too many notices")
        for notice in untrusted:
            if isinstance(notice.detail, str) and not _is_known_name(notice.detail):
                raise BadReply("a notice with a detail of no closed list")
            if notice.locator is not None:
                self._check_locator(notice.locator)
        self._notices += untrusted

    def _take_done(self, claimed: frames.Done) -> None:
        arrived = (len(self._text), len(self._blocks), len(self._links), len(self._notices))
        if arrived != (claimed.length, claimed.blocks, claimed.links, claimed.notices):
            raise BadReply("less or more arrived than was announced")
        self._inflated = claimed.inflated_bytes

    # ---- checks ------------------------------------------------------------------------------------

    def _check_line(self, untrusted: str, longest: int) -> None:
        if not untrusted or len(untrusted) > longest or "\n" in untrusted or not is_clean(untrusted):
            raise BadReply("a line that is empty, too long or not clean")
        self._spend(_utf8_length(untrusted))

    def _check_locator(self, locator: Locator) -> None:
        for first, last in ((locator.paragraph, locator.paragraph_end), (locator.line, locator.line_end)):
            if last is not None and (first is None or last < first):
                raise BadReply("a locator that ends before it begins")
        for name in (locator.part, locator.path):
            if name is not None:
                if "\n" in name or not is_clean(name):
                    raise BadReply("a locator that is not clean")
                self._spend(_utf8_length(name))

    def _check_count(self, count: int) -> None:
        if count > self._limits.blocks:
            raise refusal("output-too-large", limit="blocks", bound=self._limits.blocks, observed=count, stage="reply")

    def _spend(self, size: int) -> None:
        self._output += size
        if self._output > self._limits.output_bytes:
            raise refusal(
                "output-too-large",
                limit="output_bytes",
                bound=self._limits.output_bytes,
                observed=self._output,
                stage="reply",
            )


def _counted(items: list[_Item]) -> list[_Item]:
    if not 0 < len(items) <= frames.MAX_ITEMS:
        raise BadReply(f"a frame of {len(items):,} items")
    return items


def _utf8_length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8"))


def _is_known_name(name: str) -> bool:
    return name in DETAILS or any(kind.name == name for kind in kinds.kinds())

"""The model: what a read returns. Immutable, typed, to and from JSON and MessagePack.

Offsets count code points of `Document.text`, as Python's slices do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NoReturn, get_args

import msgspec

from fumehood.errors import NoticeCode
from fumehood.hygiene import clean, is_clean

if TYPE_CHECKING:
    from fumehood.markdown import Span

Role = Literal[
    "heading",
    "paragraph",
    "list-item",
    "table-row",
    "code",
    "quote",
    "note",
    "comment",
    "header",
    "footer",
    "caption",
    "formula",
    "record",
]
ROLES: Final[tuple[Role, ...]] = get_args(Role)

METADATA_KEYS: Final = frozenset(
    [
        "author",
        "subject",
        "keywords",
        "created",
        "modified",
        "language",
        "generator",
        "pages",
        "slides",
        "sheets",
        "words",
    ]
)
METADATA_KEY: Final = re.compile(r"x-[a-z0-9][a-z0-9._-]{0,62}")
"""Keys outside the vocabulary start with `x-`."""

MAX_TITLE: Final = 1_000
MAX_METADATA_VALUE: Final = 10_000
MAX_TARGET: Final = 4_096
_LINK_TARGET: Final = re.compile(r"(?:https?://|mailto:)[^\s]+|\#[^\s]+", re.IGNORECASE)

MAX_NOTICES: Final = 1_000
"""After so many notices a last `notices-truncated` closes the list."""

_LARGEST: Final = 2**53 - 1
Offset = Annotated[int, msgspec.Meta(ge=0, le=_LARGEST)]
Ordinal = Annotated[int, msgspec.Meta(ge=1, le=_LARGEST)]
Level = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Cells = Annotated[str, msgspec.Meta(pattern=r"^[A-Z]{1,3}[1-9][0-9]{0,6}(:[A-Z]{1,3}[1-9][0-9]{0,6})?$")]
Name = Annotated[str, msgspec.Meta(max_length=1_024)]


class Locator(
    msgspec.Struct,
    frozen=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    gc=False,
    array_like=False,
    kw_only=True,
):
    """Where in the source something stands. Every field is optional; numbers count from 1.

    `cells` is a range in A1 notation (ECMA-376 part 1, 18.18.62). `path` is a JSON pointer (RFC 6901), a
    MIME part number or an EPUB item. `part` names a part of a package. `paragraph_end` and `line_end` are
    inclusive and stand only where the thing spans more than one.
    """

    page: Ordinal | None = None
    slide: Ordinal | None = None
    sheet: Ordinal | None = None
    cells: Cells | None = None
    part: Name | None = None
    paragraph: Ordinal | None = None
    paragraph_end: Ordinal | None = None
    line: Ordinal | None = None
    line_end: Ordinal | None = None
    path: Name | None = None


class Block(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A leaf of the document: `text[start:end]`, never empty, in order, disjoint from the next.

    - `level`: of a heading, the depth of a list item, 1 on a table's header row.
    - `group`: one number for all rows of a table or all items of a list.
    - `visible`: False for what a reader of the document does not see.
    """

    start: Offset
    end: Offset
    role: Role
    level: Level | None = None
    group: Ordinal | None = None
    locator: Locator | None = None
    visible: bool = True


class Link(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """`text[start:end]` points to `target`: an http, https or mailto URL, or `#name` inside the document."""

    start: Offset
    end: Offset
    target: Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_TARGET)]


class Notice(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """Something that was left out, repaired or guessed. `detail`: how many, or a name from a closed list."""

    code: NoticeCode
    locator: Locator | None = None
    detail: Annotated[int, msgspec.Meta(ge=0, le=_LARGEST)] | Annotated[str, msgspec.Meta(max_length=40)] | None = None


class Receipt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the document was read, as the registry, the parent and the kernel know it.

    `inflated_bytes` alone is what the worker claims: nobody else counted. `peak_bytes` is the worker's
    peak resident memory above the zygote it was forked from.
    """

    loader: str
    version: int
    engine: str
    sha256: str
    size: int
    wall_seconds: float
    cpu_seconds: float
    peak_bytes: int
    layers: tuple[str, ...]
    inflated_bytes: int


class Metadata(dict[str, str]):
    """A read-only `dict`, so that a document can be shared and still encodes and pickles as plain data."""

    __slots__ = ()

    def _refuse(self, *_arguments: object, **_named: object) -> NoReturn:
        raise TypeError("a document's metadata is read-only; copy it with dict(document.metadata)")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return Metadata, (dict(self),)


class Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One document that was read whole.

    `text` is what people read and models eat; `blocks`, `links` and `notices` say what its parts are and
    what is missing from it. Equal documents have equal fields. Instances are immutable.
    """

    kind: str
    title: str | None
    metadata: Mapping[str, str]
    text: str
    blocks: tuple[Block, ...]
    links: tuple[Link, ...]
    notices: tuple[Notice, ...]
    receipt: Receipt | None = None

    def __post_init__(self) -> None:
        if type(self.metadata) is not Metadata:
            msgspec.structs.force_setattr(self, "metadata", Metadata(self.metadata))

    @property
    def visible_text(self) -> str:
        """The text of the visible blocks, with what separates them in `text`."""
        if all(block.visible for block in self.blocks):
            return self.text
        return "".join(self._visible_pieces())

    def _visible_pieces(self) -> Iterator[str]:
        previous_end: int | None = None
        skipped = False
        for block in self.blocks:
            if not block.visible:
                skipped = True
                continue
            if previous_end is not None:
                yield "\n\n" if skipped else self.text[previous_end : block.start]
            yield self.text[block.start : block.end]
            previous_end, skipped = block.end, False

    def to_json(self) -> bytes:
        return msgspec.json.encode(self)

    def to_msgpack(self) -> bytes:
        return msgspec.msgpack.encode(self)

    @staticmethod
    def from_json(data: bytes | str) -> Document:
        """The document that `to_json` wrote. Raises `msgspec.ValidationError` on anything else."""
        return msgspec.json.decode(data, type=Document)

    @staticmethod
    def from_msgpack(data: bytes) -> Document:
        return msgspec.msgpack.decode(data, type=Document)

    @staticmethod
    def from_markdown(text: str) -> Document:
        """The document of kind `markdown` that `text` is, made here and now: for text one wrote or trusts.

        Front matter is not looked for. A stranger's file goes through the reader.
        """
        # Only this needs the scanner; the process that reads does without.
        from fumehood.markdown import scan
        from fumehood.markdown_inline import heading_text, marks

        if not isinstance(text, str):
            raise TypeError(
                f"from_markdown takes a str, not {type(text).__name__}; a file's bytes go through the reader"
            )
        text, removed = clean(text)
        references: dict[str, str] = {}
        spans = list(scan(text, references))
        inline = (span for span in spans if span.content == "inline")
        marked = (mark for span in inline for mark in marks(text, span.start, span.end, references))
        found = [mark for mark in marked if mark.kind == "link"]
        links = tuple(Link(mark.start, mark.end, mark.target) for mark in found if is_link_target(mark.target))
        notices = []
        if len(links) < len(found):
            notices.append(Notice("link-dropped", detail=len(found) - len(links)))
        if removed:
            notices.append(Notice("controls-removed", detail=removed))
        if not spans:
            notices.append(Notice("empty-document"))
        heading = next((span for span in spans if span.role == "heading" and span.level == 1), None)
        title = "" if heading is None else heading_text(text[heading.start : heading.end])
        blocks = tuple(map(_block, spans))
        return Document("markdown", title[:MAX_TITLE] or None, {}, text, blocks, links, tuple(notices))


def _block(span: Span) -> Block:
    where = line_locator(span.line, span.line_end)
    return Block(span.start, span.end, span.role, span.level, span.group, where, span.visible)


def line_locator(line: int, line_end: int) -> Locator:
    """The locator of lines `line` to `line_end`, both inclusive, counting from 1."""
    return Locator(line=line, line_end=line_end if line_end > line else None)


def is_metadata_key(key: str) -> bool:
    """Whether `key` is of the fixed vocabulary or starts with `x-`."""
    return key in METADATA_KEYS or METADATA_KEY.fullmatch(key) is not None


def is_link_target(target: str) -> bool:
    """Whether a link may point there: web, mail, or `#name` inside the document.

    Other schemes could make a click run or open something on the reader's machine (`javascript:`, `file:`).
    """
    return len(target) <= MAX_TARGET and is_clean(target) and _LINK_TARGET.fullmatch(target) is not None

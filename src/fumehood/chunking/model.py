"""`Chunk`: a slice of a document that knows where it came from. Immutable, typed, to and from JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from fumehood.document import Locator, Offset, Role

Piece = Literal["whole", "start", "middle", "end"]
Value = str | int | float | bool | None
"""What metadata may hold: what JSON has without nesting."""


class Context(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """What stands around a chunk's text so that it can be understood alone; none of it counts against `max_size`.

    - `breadcrumb`: `document name > section > subsection`.
    - `opening`: a table's header row with its delimiter line, or the line that opens a code fence.
    - `closing`: the line that closes the fence.
    """

    breadcrumb: str = ""
    opening: str = ""
    closing: str = ""


NO_CONTEXT = Context()


class Chunk(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """`document.text[start:end]`, and what it takes to find and understand it.

    - `index`: from 0, in the order of the document.
    - `headings`: the path of enclosing headings, outermost first, its own included.
    - `locators`: the first and the last source position; one if they are the same, none if the source has none.
    - `roles`: of its blocks, each once, in the order of the text.
    - `piece`: what it holds of a block that had to be split: its `start`, a `middle`, its `end`; else `whole`.
      One that holds the end of a block and more is an `end`, whatever it ends with.
    - `visible`: False for text that a reader of the document does not see.
    - `metadata`: the caller's.
    - `id`: the same for the same document, strategy, settings and span, in every run.
    """

    id: str
    index: Offset
    start: Offset
    end: Offset
    text: str
    headings: tuple[str, ...]
    locators: tuple[Locator, ...]
    roles: tuple[Role, ...]
    context: Context
    piece: Piece
    visible: bool
    metadata: Mapping[str, Value]

    @property
    def embedding_text(self) -> str:
        """Breadcrumb, context and text: what to give to a model. What `max_tokens` counts."""
        return embedding_text(self.text, self.context)

    def to_json(self) -> bytes:
        return msgspec.json.encode(self)

    @staticmethod
    def from_json(data: bytes | str) -> Chunk:
        """The chunk that `to_json` wrote. Raises `msgspec.ValidationError` on anything else."""
        return msgspec.json.decode(data, type=Chunk)


def embedding_text(text: str, context: Context) -> str:
    """`text` with its context: a blank line after the breadcrumb, table header and fences on lines of their own."""
    if context.opening:
        text = f"{context.opening}\n{text}"
    if context.closing:
        text = f"{text}\n{context.closing}"
    return f"{context.breadcrumb}\n\n{text}" if context.breadcrumb else text


def copied(metadata: Mapping[str, Any]) -> dict[str, Value]:
    """The caller's metadata. Raises `TypeError` and `ValueError` for what could not be stored as a line of JSON."""
    for key, value in metadata.items():
        if type(key) is not str or not isinstance(value, str | int | float | bool | None):
            raise TypeError(
                f"metadata takes names with a str, number, bool or None each, not {key!r}: {type(value).__name__}"
            )
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"metadata takes numbers that JSON has, not {value} for {key!r}")
    return dict(metadata)

"""Jupyter notebooks (nbformat 3 and 4): Markdown cells word for word, code and text outputs as code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fumehood.document import Locator
from fumehood.errors import refusal
from fumehood.hygiene import clean
from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.encoding import decode
from fumehood.loaders.shared.encoding import warm as warm
from fumehood.loaders.shared.json_text import measure, parsed
from fumehood.loaders.shared.markdown_blocks import say_blocks
from fumehood.loaders.shared.notebook import Piece, pieces
from fumehood.loaders.shared.tree import Members

ENGINES: Final[Mapping[str, str]] = {}

_BETWEEN: Final = "\n\n"


def load(data: bytes, out: Builder, budget: Budget, options: ReadOptions) -> None:
    """Raises the refusals `kind-mismatch` for what is no notebook, `malformed` for what is no JSON, `nesting` and `nodes`."""
    text = decode(data, out, options.charset)
    measure(text, budget)
    try:
        notebook = parsed(text)
    except ValueError:
        raise refusal("malformed") from None
    if not isinstance(notebook, Members):
        raise refusal("kind-mismatch")
    found = [_cleaned(piece, out) for piece in pieces(notebook, out)]
    _say([piece for piece in found if piece.text.strip()], out, budget)


def _cleaned(piece: Piece, out: Builder) -> Piece:
    text, removed = clean(piece.text)
    if removed:
        out.notice("controls-removed", Locator(path=piece.path), removed)
    return piece._replace(text=text)


def _say(found: list[Piece], out: Builder, budget: Budget) -> None:
    out.verbatim(_BETWEEN.join(piece.text for piece in found))
    at = 0
    for piece in found:
        locator = Locator(path=piece.path)
        if piece.is_markdown:
            say_blocks(piece.text, at, out, budget, lambda _, here=locator: here)  # type: ignore[misc]
        else:
            out.span(at, at + len(piece.text), "code", locator=locator)
        at += len(piece.text) + len(_BETWEEN)

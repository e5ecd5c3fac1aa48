"""Targets of what is done with text: `markdown-scan`, and `chunk:STRATEGY` for every strategy that is registered."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from fumehood.chunking import ChunkingError, Strategy, UnitTooLarge, chunk, strategies
from fumehood.chunking.options import resolve
from fumehood.document import Document
from fumehood.fuzz.bomb import READ
from fumehood.fuzz.oracle import broken, check_loaded
from fumehood.fuzz.target import Target
from fumehood.limits.policy import Limits

TOO_LARGE: Final = "unit-too-large"
"""Beside the codes of refusals: a row, item, line or cluster above the cap, where that is asked to be an error."""

_MOST_CHARACTERS: Final = 20_000
"""The checks count every cluster, in Python: more would only be slower."""


def targets() -> Iterator[Target]:
    yield Target("markdown-scan", markdown_scan, "markdown")
    for strategy in strategies():
        yield Target(f"chunk:{strategy.name}", partial(chunks, strategy), "markdown")


def markdown_scan(data: bytes) -> str:
    """`Document.from_markdown` over whatever is valid text."""
    text = data.decode("utf-8", "replace")
    document = Document.from_markdown(text)
    check_loaded(document, "markdown", Limits())
    covered = sum(len(document.text[block.start : block.end].split()) for block in document.blocks)
    if covered > len(document.text.split()) + len(document.blocks):
        broken("blocks that hold more words than the text")
    return READ


def chunks(strategy: Strategy, data: bytes) -> str:
    """The chunks of a text, by options that the first two bytes choose, keep what every strategy promises."""
    options = _options(data[:2])
    document = Document.from_markdown(data[2:].decode("utf-8", "replace")[:_MOST_CHARACTERS])
    settings = resolve(strategy.defaults, options)
    try:
        made = chunk(document, strategy.name, **options)
    except UnitTooLarge:
        return TOO_LARGE if settings.on_too_large == "raise" else broken("asked to split, it raised UnitTooLarge")
    except ChunkingError as error:
        broken("a bound that so short a text passes", type(error).__name__)
    if made != chunk(document, strategy.name, **options):
        broken("the same call gave other chunks")
    # The suite for loaders and strategies runs fuzz targets, so that it stands above this package and is imported late.
    from fumehood.testing.strategies import check_chunks

    check_chunks(document, made, settings)
    return READ


def _options(choice: bytes) -> dict[str, Any]:
    """A size from the first byte, and one more choice from the second."""
    size = 8 + 6 * (choice[0] if choice else 0)
    sized = {"max_size": size, "min_size": size // 3, "overlap": 0}
    further: tuple[dict[str, Any], ...] = (
        {},
        {"overlap": size // 4},
        {"max_tokens": max(4, size // 4)},
        {"visible_only": False},
        {"on_too_large": "raise"},
    )
    return sized | further[(choice[1] if len(choice) > 1 else 0) % len(further)]

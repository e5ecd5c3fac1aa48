"""`chunk` and `sections`: from a document to its chunks."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Unpack

from fumehood import kinds
from fumehood.chunking.bound import Bounder, Meter
from fumehood.chunking.dress import (
    Dresser,
    Passed,
    Surroundings,
    locators_of,
    piece_of,
    roles_of,
    section_metadata,
)
from fumehood.chunking.errors import TooManyChunks
from fumehood.chunking.model import Chunk, Value, copied
from fumehood.chunking.options import Given, IdFactory, Options, of_type, resolve
from fumehood.chunking.outline import Outline, outlined
from fumehood.chunking.overlap import with_overlap
from fumehood.chunking.pack import Span
from fumehood.chunking.registry import Strategy, get_strategy, structural
from fumehood.chunking.units import stretches
from fumehood.document import Block, Document, Metadata

VERSION: Final = 4
"""Raised when the same document, strategy and options give other chunks; it is part of every id."""

_PIECE: Final = 1024 * 1024
_ID_DIGITS: Final = 32
"""128 bits in hexadecimal: a billion chunks collide with a chance of 1 in 10^20."""


def chunk(document: Document, strategy: str | None = None, **options: Unpack[Given]) -> list[Chunk]:
    """The chunks of `document`, in order; none if it holds nothing that was asked for.

    `strategy` None takes the one that the document's kind names. The options, their units and defaults are those of
    :class:`fumehood.chunking.Options`; a strategy has defaults of its own (docs/chunking.md).

    Raises, before any work, `TypeError` for an option that does not exist or a wrong type and `ValueError` for a wrong
    value; then `UnitTooLarge`, `TooManyChunks` or `SearchExhausted`, all `ChunkingError`.
    """
    return list(iter_chunks(document, strategy, **options))


def iter_chunks(document: Document, strategy: str | None = None, **options: Unpack[Given]) -> Iterator[Chunk]:
    """The same one by one, for who stores them as they come: all chunks of a text take about twice its memory.

    Wrong options are told by the call itself, a `ChunkingError` when its place in the text is reached.
    """
    of_type("document", document, Document)
    chosen = get_strategy(kinds.get(document.kind).chunker if strategy is None else strategy)
    return _chunks(document, chosen, resolve(chosen.defaults, options))


def sections(
    document: Document, level: int = 1, *, visible_only: bool = True, metadata: Mapping[str, Value] | None = None
) -> list[Chunk]:
    """The document in one chunk, of any size, for each heading at or above `level` (0 to 6; 0 is no split).

    The metadata of each is `metadata` and `heading.text`, `heading.level`, `heading.path`, `heading.source` (the
    document's title). What stands before the first heading is a chunk of level 0.
    """
    of_type("level", level, int)
    if not 0 <= level <= 6:
        raise ValueError(f"level is between 0 and 6, not {level}")
    size = max(1, len(document.text))
    defaults: Given = {
        "max_size": size,
        "min_size": size,
        "structural_levels": level,
        "merge_headings": False,
        "keep_sections": True,
        "section_metadata": True,
    }
    given: Given = {"visible_only": visible_only, "metadata": metadata}
    return list(_chunks(document, Strategy(f"sections-{level}", structural), resolve({**defaults}, given)))


def _chunks(document: Document, strategy: Strategy, options: Options) -> Iterator[Chunk]:
    name = (document.title or "") if options.name is None else options.name
    maker = _Maker(document.text, name, options, _identify(document, strategy, options))
    passed = Passed(name, options.max_breadcrumb)
    meter = Meter(options, len(document.text))
    for units in stretches(document, visible_only=options.visible_only):
        outline = outlined(document.text, units, options)
        dresser = Dresser(document.text, outline, passed, options)
        spans = _spans(document.text, outline, strategy, options)
        if options.max_tokens is None:
            found = _dressed(dresser, spans)
        else:
            bounder = Bounder(document.text, outline.units, dresser, meter, options.max_tokens, options)
            found = (fitting for span in spans for fitting in bounder.fitting(span))
        yield from maker.made(outline.units, found)
        dresser.finish()


def _dressed(dresser: Dresser, spans: Iterator[Span]) -> Iterator[tuple[Span, Surroundings]]:
    for span in spans:
        dresser.come_to(span.start)
        yield span, dresser.surroundings(span)


def _spans(text: str, outline: Outline, strategy: Strategy, options: Options) -> Iterator[Span]:
    """The strategy's spans. Raises `ValueError` for some that no strategy may return."""
    planned = strategy.plan(text, outline, options)
    if options.overlap:
        planned = with_overlap(text, outline.units, planned, options.overlap)
    before, last = outline.units[0].start, outline.units[-1].end
    for section in planned:
        for span in section:
            if not (before <= span.core < span.end <= last and span.start <= span.core):
                raise ValueError(
                    f"strategy {strategy.name} returned a span that is empty, out of order or outside: {span}"
                )
            before = span.end
            yield span


def _identify(document: Document, strategy: Strategy, options: Options) -> Callable[[int, int], str]:
    """What makes the id of a span."""
    digest = hashlib.sha256()
    for at in range(0, len(document.text), _PIECE):  # All at once would be the text once more.
        digest.update(document.text[at : at + _PIECE].encode("utf-8", "surrogatepass"))
    digest.update((document.receipt.sha256 if document.receipt else "").encode())
    factory = options.id_factory
    if factory is not None:
        return functools.partial(_made, factory, digest.hexdigest())
    said = f"\n{VERSION}\n{strategy.name} {strategy.version}\n{options.fingerprint()}\n"
    settings = hashlib.sha256(digest.digest() + said.encode("utf-8", "surrogatepass"))

    def identify(start: int, end: int) -> str:
        one = settings.copy()
        one.update(b"%d:%d" % (start, end))
        return one.hexdigest()[:_ID_DIGITS]

    return identify


def _made(factory: IdFactory, digest: str, start: int, end: int) -> str:
    made = factory(digest, start, end)
    if not isinstance(made, str):
        raise TypeError(f"id_factory returns a str, not {type(made).__name__}")
    return made


class _Maker:
    """Makes chunks of spans. The metadata that all share is kept once."""

    def __init__(self, text: str, name: str, options: Options, identify: Callable[[int, int], str]) -> None:
        self._text = text
        self._name = name
        self._identify = identify
        self._most = options.max_chunks
        # Read-only, so that one copy can serve all chunks.
        self._metadata = Metadata(copied(options.metadata or {}))  # type: ignore[arg-type]  # it refuses writes of any type
        self._with_section = options.section_metadata
        self._count = 0

    def made(self, units: Sequence[Block], found: Iterator[tuple[Span, Surroundings]]) -> Iterator[Chunk]:
        """Raises `TooManyChunks`."""
        text = self._text
        first = last = -1
        for span, around in found:
            if self._count >= self._most:
                raise TooManyChunks(self._most)
            start, end, _ = span
            if first != around.first or last != around.last:  # Parts of a long unit have all of this in common.
                first, last = around.first, around.last
                locators, roles = locators_of(units, first, last), roles_of(units, first, last)
            yield Chunk(
                self._identify(start, end),
                self._count,
                start,
                end,
                text[start:end],
                around.headings,
                locators,
                roles,
                around.context,
                piece_of(text, units, span, around),
                units[last].visible,
                self._metadata_of(around),
            )
            self._count += 1

    def _metadata_of(self, around: Surroundings) -> Mapping[str, Value]:
        if not self._with_section:
            return self._metadata
        return section_metadata(self._metadata, around.headings, around.level, self._name)

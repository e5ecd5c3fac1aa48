"""Spans that end where the subject changes: sentences whose vectors point elsewhere than those before them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence, Sized

from fumehood.chunking.boundaries import section_starts
from fumehood.chunking.options import Embed, Options
from fumehood.chunking.outline import Outline
from fumehood.chunking.pack import Span, pack
from fumehood.chunking.segmentation import sentences
from fumehood.document import Block

_BATCH = 256
"""Texts of one call; the work of a model is best given to it in lots."""
_PROSE = frozenset({"paragraph", "quote", "note", "comment", "caption", "record"})


def semantic(text: str, outline: Outline, options: Options) -> Iterator[list[Span]]:
    """Sentences are grouped up to `max_size` while the cosine of neighbours is at least `threshold`.

    Tables, lists and code are one text each. Without `embed` it is plain packing by size.
    """
    if options.embed is None:
        yield from pack(text, outline.units, section_starts(outline, options), options)
        return
    atoms, first = _atoms(text, outline.units)
    near = _near(text, atoms, options.embed, options.threshold)
    starts = {first[head] for head in section_starts(outline, options)}
    # The engine packs what belongs together; it sees each group as a section of units of its own.
    starts.update(index + 1 for index, close in enumerate(near) if not close)
    yield from pack(text, atoms, sorted(starts), options)


def _atoms(text: str, units: Sequence[Block]) -> tuple[list[Block], list[int]]:
    """Sentences of prose and all other units as blocks; and for each unit the index of its first one."""
    atoms: list[Block] = []
    first: list[int] = []
    for unit in units:
        first.append(len(atoms))
        if unit.role in _PROSE:
            for start, end in sentences(text, unit.start, unit.end):
                atoms.append(Block(start, end, unit.role, unit.level, unit.group, unit.locator, unit.visible))
        else:
            atoms.append(unit)
    return atoms, first


def _near(text: str, atoms: Sequence[Block], embed: Embed, threshold: float) -> Iterator[bool]:
    """Whether each atom but the first is about the same as the one before it; what goes on in a table or list is."""
    before: Sequence[float] | None = None
    for at in range(0, len(atoms), _BATCH):
        batch = range(at, min(at + _BATCH, len(atoms)))
        asked = [index for index in batch if not _goes_on(atoms, index)]
        vectors = embed([text[atoms[index].start : atoms[index].end] for index in asked]) if asked else []
        _check_answer(vectors, len(asked))
        answered = dict(zip(asked, vectors, strict=True))
        for index in batch:
            vector = answered.get(index, before)
            if index:
                yield before is None or vector is None or cosine(before, vector) >= threshold
            before = vector


def _check_answer(vectors: object, wanted: int) -> None:
    if not isinstance(vectors, Sized):
        raise TypeError(f"embed returns a sequence with a vector for each text, not {type(vectors).__name__}")
    if len(vectors) != wanted:
        raise ValueError(f"embed returned {len(vectors)} vectors for {wanted} texts")


def _goes_on(atoms: Sequence[Block], index: int) -> bool:
    group = atoms[index].group
    return index > 0 and group is not None and atoms[index - 1].group == group


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Of the angle between two vectors; 0 if either has no direction.

    Raises `ValueError` for different lengths and for what is no number.
    """
    product = math.sqrt(math.fsum(a * a for a in one) * math.fsum(b * b for b in other))
    found = math.fsum(a * b for a, b in zip(one, other, strict=True)) / product if product else 0.0
    if math.isnan(found):
        raise ValueError("embed returned a vector that holds NaN, or numbers too large to compare")
    return found

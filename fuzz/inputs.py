"""Where inputs come from: engines, as endless iterators of bytes, the same for the same seed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final, Literal, get_args

from fumehood import kinds
from fumehood.fuzz import mutators, seeds
from fumehood.fuzz.target import Target

if TYPE_CHECKING:
    from hypothesis import settings
    from hypothesis.strategies import SearchStrategy

Engine = Literal["mutate", "generate", "atheris"]
ENGINES: Final[tuple[Engine, ...]] = get_args(Engine)
EXTRA: Final = "pip install 'fumehood[fuzz]'"

_BATCH: Final = 25
"""Examples that Hypothesis draws at once: it begins each batch with simple ones."""
_MUTATIONS_EACH: Final = 4
"""Of an example: drawing one takes as long as many executions."""
_BY_CONTENT: Final = {"zip": b"PK", "xml": b"<"}
_OF_ANY_KIND: Final = ("sniff", "auto")


def seeds_for(target: Target, folder: Path | None) -> list[bytes]:
    """Ours for the target, and those of the folder that suit it: by extension, or for some targets by content."""
    own = seeds.for_target(target.name, target.kind)
    if folder is None:
        return own
    given = seeds.of_folder(folder, suits=partial(_suits, target))
    start = _BY_CONTENT.get(target.name)
    return own + [data for data in given if start is None or data.startswith(start)]


def _suits(target: Target, path: Path) -> bool:
    if target.kind is None:
        return target.name in _OF_ANY_KIND or target.name in _BY_CONTENT
    known = kinds.by_extension(path.name)
    # A kind without extensions is one from outside, whose files nobody else knows.
    return known.name == target.kind if known else not kinds.get(target.kind).extensions


def mutated(target: Target, starts: Sequence[bytes], seed: int) -> Iterator[bytes]:
    """The seeds themselves, then their mutations."""
    rng = Random(seed)
    made = itertools.chain(starts, mutators.mutations(starts, seed, target.kind or target.name))
    return (rng.randbytes(target.choices) + data for data in made)


def generated(target: Target, seed: int) -> Iterator[bytes]:
    """What the target's Hypothesis strategy draws, and a few mutations of each. Raises `ImportError` where Hypothesis is absent."""
    import hypothesis

    from fumehood.fuzz.generators import for_target

    strategy = for_target(target.name, target.kind)
    quiet = hypothesis.settings(
        max_examples=_BATCH,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    for batch in itertools.count(seed * 1_000_003):
        rng = Random(batch)
        for data in _drawn(strategy, hypothesis.seed(batch), quiet):
            changed = (mutators.mutated(data, rng, target.kind or target.name) for _ in range(_MUTATIONS_EACH))
            yield from (rng.randbytes(target.choices) + each for each in (data, *changed))


def _drawn(
    strategy: SearchStrategy[bytes], seeded: Callable[[Callable[[], None]], Callable[[], None]], quiet: settings
) -> list[bytes]:
    from hypothesis import given

    drawn: list[bytes] = []

    def draw(data: bytes) -> None:
        drawn.append(data)

    seeded(quiet(given(strategy)(draw)))()
    return drawn

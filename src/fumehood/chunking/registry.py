"""The named strategies: sets of options for the one engine, and whatever an application registers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from fumehood.chunking.boundaries import section_starts
from fumehood.chunking.options import OPTION_NAMES, Options, resolve
from fumehood.chunking.outline import Outline
from fumehood.chunking.pack import Span, pack
from fumehood.chunking.semantic import semantic
from fumehood.errors import is_name

Plan = Callable[[str, Outline, Options], Iterator[list[Span]]]
"""From the document's text, the units of one stretch of it and the options to spans: for each section its own, in order."""


def structural(text: str, outline: Outline, options: Options) -> Iterator[list[Span]]:
    """The engine itself."""
    return pack(text, outline.units, section_starts(outline, options), options)


class Strategy(NamedTuple):
    """A strategy: its name, how it divides, the options that differ from :class:`Options`, and its version.

    `version` is raised when the same options give other chunks; indexes then chunk anew.
    """

    name: str
    plan: Plan = structural
    defaults: Mapping[str, Any] = MappingProxyType({})
    version: int = 1


_LARGE_SECTION: Final = {"max_size": 16_000, "min_size": 8_000, "keep_sections": True, "overflow_margin": 0.0}
_FIXED: Final = {
    "max_size": 512,
    "min_size": 512,
    "overlap": 64,
    "structural_levels": 0,
    "fill": True,
    "overflow_margin": 0.0,
}

_BUILT_IN: Final = (
    Strategy("structure"),
    Strategy("markdown", defaults=_LARGE_SECTION),
    Strategy(
        "outline",
        defaults={
            "max_size": 2_048,
            "min_size": 1_600,
            "overlap": 200,
            "keep_sections": True,
            "promote_headings": "outline",
        },
    ),
    Strategy("fixed", defaults=_FIXED),
    Strategy(
        "hierarchical",
        defaults={**_LARGE_SECTION, "merge_headings": False, "section_metadata": True},
    ),
    Strategy("layout", defaults={**_FIXED, "max_size": 16_000, "target": 512, "overlap": 0, "keep_runs": True}),
    Strategy("semantic", plan=semantic, defaults={**_FIXED, "max_size": 1_500, "min_size": 1_500, "overlap": 0}),
    Strategy("records", defaults={"boundaries": "records", "structural_levels": 0, "keep_sections": True}),
)

_registry: dict[str, Strategy] = {strategy.name: strategy for strategy in _BUILT_IN}


def register_strategy(strategy: Strategy) -> Strategy:
    """Adds a strategy, or replaces the one of the same name; call it in the application's own code.

    `fumehood.testing.check_strategy` says whether it keeps what every strategy promises. Raises `TypeError` for what is no
    strategy, `ValueError` for a name that could not be told apart in a log, and what :func:`resolve` raises for its
    defaults.
    """
    if not isinstance(strategy, Strategy) or not callable(strategy.plan):
        raise TypeError(f"register_strategy takes a Strategy whose plan is a function, not {strategy!r:.100}")
    if not is_name(strategy.name):
        raise ValueError(f"a strategy's name is lower-case letters, digits and _.+- (at most 40): {strategy.name!r}")
    unknown = sorted(set(strategy.defaults) - set(OPTION_NAMES))
    if unknown:
        raise ValueError(f"strategy {strategy.name} sets options that do not exist: {', '.join(unknown)}")
    resolve(strategy.defaults, {})
    _registry[strategy.name] = strategy
    return strategy


def get_strategy(name: str) -> Strategy:
    """The strategy of that name. Raises `ValueError` with the list of strategies."""
    strategy = _registry.get(name)
    if strategy is None:
        raise ValueError(f"there is no strategy {name!r}; the strategies are {', '.join(sorted(_registry))}")
    return strategy


def strategies() -> tuple[Strategy, ...]:
    """All strategies, in order of their names."""
    return tuple(_registry[name] for name in sorted(_registry))

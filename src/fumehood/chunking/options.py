"""Every option of every strategy, its default, and the checks that come before any work."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal, TypedDict, get_args

from fumehood.chunking.model import Value, copied
from fumehood.chunking.tokens import Tokenizer

OnTooLarge = Literal["split", "raise"]
Promote = Literal["none", "phrases", "outline"]
Boundaries = Literal["headings", "records"]
Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]
IdFactory = Callable[[str, int, int], str]
"""Takes the document's digest and a span's start and end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Sizes are characters (code points); a strategy is a set of these with other defaults.

    Sizes
    - `max_size`: of a chunk's text, never exceeded.
    - `min_size`: neighbours of one section are merged until a chunk has so many.
    - `target`: what prose is filled to where `fill` is on; None: `max_size`.
    - `overlap`: at most so many of the chunk before are carried over, counted in `max_size`.
    - `overflow_margin`: where something must be split, pieces are filled only so far that a last rest up to this
      share of `max_size` still fits into the last of them.
    - `max_tokens`, `tokenizer`: a cap on `embedding_text`; without a tokenizer four bytes are a token.
    - `on_too_large`: what to do with a table row, list item, code line or grapheme cluster that exceeds the cap alone.

    Boundaries
    - `visible_only`: leave out what a reader of the document does not see; else it has chunks of its own.
    - `structural_levels`: headings of level 1 to this are boundaries; None: of every level.
    - `boundaries`: `records` starts a chunk for each top-level element of data, and after a mail's header.
    - `merge_headings`: a heading right below another, deeper and with nothing between, shares its chunk.
    - `keep_sections`: a section that fits into `max_size` is one chunk.
    - `keep_runs`: tables and code are chunks of their own.
    - `fill`: prose is split at words so that chunks are as full as they can be.
    - `promote_headings`: `phrases` takes questions and short phrases, `outline` titles in capitals and numbered
      points, for headings; `max_header_words` and `max_header_chars` say what is short.

    What stands beside the text
    - `name`: the document's, first in the breadcrumb; None: its title. `max_breadcrumb`: its length, cut from the left.
    - `metadata`: copied into every chunk. `section_metadata`: adds `heading.*` keys, which win.
    - `id_factory`: makes ids; None: a digest.

    Bounds on work
    - `max_chunks`; `max_search_work`: characters handed to the tokenizer; None: 64 for each of the document.

    `embed`, `threshold`: of `semantic`. Texts to vectors; neighbours of a cosine below the threshold are parted.
    """

    max_size: int = 1_500
    min_size: int = 600
    target: int | None = None
    overlap: int = 0
    overflow_margin: float = 0.15
    max_tokens: int | None = None
    tokenizer: Tokenizer | None = None
    on_too_large: OnTooLarge = "split"
    visible_only: bool = True
    structural_levels: int | None = None
    boundaries: Boundaries = "headings"
    merge_headings: bool = True
    keep_sections: bool = False
    keep_runs: bool = False
    fill: bool = False
    promote_headings: Promote = "none"
    max_header_words: int = 10
    max_header_chars: int = 80
    name: str | None = None
    max_breadcrumb: int = 200
    metadata: Mapping[str, Value] | None = None
    section_metadata: bool = False
    id_factory: IdFactory | None = None
    max_chunks: int = 1_000_000
    max_search_work: int | None = None
    embed: Embed | None = None
    threshold: float = 0.3

    def fingerprint(self) -> str:
        """What decides where chunks begin and end and what they say, as text: part of their ids."""
        said = {field.name: getattr(self, field.name) for field in fields(self) if field.name not in _BESIDE}
        said["tokenizer"] = self.tokenizer.name if self.tokenizer and self.max_tokens else None
        said["embed"] = self.embed is not None
        return " ".join(f"{name}={value!r}" for name, value in sorted(said.items()))


class Given(TypedDict, total=False):
    """The options as keyword arguments, each as in :class:`Options`."""

    max_size: int
    min_size: int
    target: int | None
    overlap: int
    overflow_margin: float
    max_tokens: int | None
    tokenizer: Tokenizer | None
    on_too_large: OnTooLarge
    visible_only: bool
    structural_levels: int | None
    boundaries: Boundaries
    merge_headings: bool
    keep_sections: bool
    keep_runs: bool
    fill: bool
    promote_headings: Promote
    max_header_words: int
    max_header_chars: int
    name: str | None
    max_breadcrumb: int
    metadata: Mapping[str, Value] | None
    section_metadata: bool
    id_factory: IdFactory | None
    max_chunks: int
    max_search_work: int | None
    embed: Embed | None
    threshold: float


OPTION_NAMES: Final = tuple(field.name for field in fields(Options))

_BESIDE: Final = frozenset({"name", "metadata", "id_factory", "max_chunks", "max_search_work"})
"""What moves no boundary: chunks keep their ids when a file is renamed."""
_WHOLE_NUMBERS: Final = {
    "max_size": 1,
    "min_size": 0,
    "target": 1,
    "overlap": 0,
    "max_tokens": 1,
    "structural_levels": 0,
    "max_header_words": 1,
    "max_header_chars": 1,
    "max_breadcrumb": 0,
    "max_chunks": 1,
    "max_search_work": 1,
}
_SWITCHES: Final = ("visible_only", "merge_headings", "keep_sections", "keep_runs", "fill", "section_metadata")
_TYPES: Final[Mapping[str, type]] = {**dict.fromkeys(_SWITCHES, bool), "name": str, "metadata": Mapping}
_SHARES: Final = {"overflow_margin": 0.0, "threshold": -1.0}
"""Each with its least; 1 is the most."""
_CHOICES: Final = {
    "on_too_large": get_args(OnTooLarge),
    "promote_headings": get_args(Promote),
    "boundaries": get_args(Boundaries),
}
_MAY_BE_NONE: Final = frozenset(
    {
        "target",
        "max_tokens",
        "tokenizer",
        "structural_levels",
        "name",
        "metadata",
        "id_factory",
        "max_search_work",
        "embed",
    }
)


def resolve(defaults: Mapping[str, Any], given: Mapping[str, Any]) -> Options:
    """The options of one call: `given` over a strategy's `defaults` over our own.

    A default that a smaller `max_size` leaves no room for gives way; what the caller gave does not. Raises `TypeError`
    for an unknown name or a wrong type, `ValueError` for a wrong value.
    """
    unknown = sorted(set(given) - set(OPTION_NAMES))
    if unknown:
        raise TypeError(f"there is no option {', '.join(unknown)}; the options are {', '.join(OPTION_NAMES)}")
    options = Options(**{**defaults, **given})
    for name in OPTION_NAMES:
        _check(name, getattr(options, name))
    copied(options.metadata or {})
    return _fitted(options, given)


def of_type(name: str, value: Any, wanted: type | tuple[type, ...]) -> None:
    """Raises `TypeError` unless `value` is of the type; a truth value is no number."""
    if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
        names = wanted.__name__ if isinstance(wanted, type) else " or ".join(each.__name__ for each in wanted)
        raise TypeError(f"{name} takes {names}, not {type(value).__name__}")


def _check(name: str, value: Any) -> None:
    if value is None and name in _MAY_BE_NONE:
        return
    if name in _WHOLE_NUMBERS:
        of_type(name, value, int)
        if value < _WHOLE_NUMBERS[name]:
            raise ValueError(f"{name} is at least {_WHOLE_NUMBERS[name]}, not {value}")
    elif name in _CHOICES:
        if value not in _CHOICES[name]:
            raise ValueError(f"{name} is one of {', '.join(_CHOICES[name])}, not {value!r}")
    elif name in _SHARES:
        _check_share(name, value)
    elif name in _TYPES:
        of_type(name, value, _TYPES[name])
    elif name == "tokenizer":
        if not callable(getattr(value, "count", None)):
            raise TypeError("tokenizer has no method count(text); see fumehood.chunking.Tokenizer")
    elif not callable(value):
        raise TypeError(f"{name} takes a function, not {type(value).__name__}")


def _check_share(name: str, value: Any) -> None:
    of_type(name, value, (int, float))
    least = _SHARES[name]
    if not (math.isfinite(value) and least <= value <= 1.0):
        raise ValueError(f"{name} is between {least:g} and 1, not {value}")


def _fitted(options: Options, given: Mapping[str, Any]) -> Options:
    changes: dict[str, Any] = {}
    for name, most in (
        ("min_size", options.max_size),
        ("target", options.max_size),
        ("overlap", options.max_size // 2),
    ):
        value = getattr(options, name)
        if value is None or value <= most:
            continue
        if name in given:
            allowed = "half of max_size" if name == "overlap" else "max_size"
            raise ValueError(f"{name} is at most {allowed}, which is {most} here, not {value}")
        changes[name] = most
    return replace(options, **changes) if changes else options

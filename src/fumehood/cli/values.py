"""The values of arguments: from what stands on the command line to what is meant. All raise `ValueError` for the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from fumehood import kinds
from fumehood.kinds import AUTO, OPTION_NAMES, ReadOptions
from fumehood.limits.policy import Limits, parse_limit
from fumehood.sandbox.layers import DEFAULT_REQUIRE, check_requirements

PRESETS: Final = {"strict": Limits.strict, "generous": Limits.generous}
_LONGEST_NUMBER: Final = 12
_SWITCHES: Final = ("attachments", "lenient")


def kind_name(name: str) -> str:
    return name if name == AUTO else kinds.get(name).name


def limits_from(preset: str | None, pairs: Sequence[str]) -> Limits:
    limits = PRESETS[preset]() if preset else Limits()
    return limits.replace(**{name: parse_limit(name, value) for name, value in map(pair, pairs)})


def pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise ValueError(f"takes NAME=VALUE, not {text!r}")
    return name, value


def options_from(kind: str, pairs: Sequence[str]) -> ReadOptions:
    values: dict[str, Any] = {}
    for name, text in map(pair, pairs):
        if name not in OPTION_NAMES:
            raise ValueError(f"there is no option {name!r}; the options are {', '.join(OPTION_NAMES)}")
        values[name] = _switch(name, text) if name in _SWITCHES else text
    options = ReadOptions(**values)
    _check_against_kinds(kind, options)
    return options


def _switch(name: str, text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError(f"{name} takes true or false, not {text!r}")
    return text == "true"


def _check_against_kinds(kind: str, options: ReadOptions) -> None:
    """For `auto`, where each document takes the options that it has, some kind must have each of them."""
    able = kinds.kinds() if kind == AUTO else (kinds.get(kind),)
    has = frozenset[str]().union(*(each.options for each in able))
    unknown = sorted(options.chosen() - has)
    if unknown:
        raise ValueError(f"kind {kind} has no option {', '.join(unknown)}; it has {', '.join(sorted(has)) or 'none'}")
    if options.engine is not None:
        kinds.check_engine(able, options.engine)


def strategy_name(chunks: bool, name: str | None) -> str | None:
    if name is None:
        return None
    if not chunks:
        raise ValueError("goes with --chunks")
    from fumehood.chunking.registry import get_strategy

    return get_strategy(name).name


def workers_count(text: str | None) -> int | None:
    return None if text is None else whole_number(text, 1)


def whole_number(text: str, least: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER and int(text) >= least):
        raise ValueError(f"takes a whole number from {least}, not {text!r}")
    return int(text)


def requirements(text: str | None) -> frozenset[str]:
    if text is None:
        return DEFAULT_REQUIRE
    if text == "none":
        return frozenset()
    return check_requirements(name for name in text.split(",") if name)


def namespace(name: str | None) -> str | None:
    """Raises `ValueError` for one that an index cannot have; None is none."""
    from fumehood.index.model import checked_namespace  # Other commands do without.

    return None if name is None else checked_namespace(name)

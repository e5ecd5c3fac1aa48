"""`Limits`: positive, finite, whole where they count things, and never less than a worker needs."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest

from fumehood.limits.policy import LIMIT_NAMES, MIB, Limits, parse_limit


@pytest.mark.parametrize("name", LIMIT_NAMES)
@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf, 2**54])
def test_a_value_that_bounds_nothing_is_refused(name: str, value: float) -> None:
    with pytest.raises((ValueError, TypeError), match=name):
        Limits(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", LIMIT_NAMES)
@pytest.mark.parametrize("value", ["1", None, True, [1]])
def test_a_value_of_another_type_is_refused(name: str, value: Any) -> None:
    with pytest.raises(TypeError, match=name):
        Limits(**{name: value})


@pytest.mark.parametrize(("name", "value"), [("heap_bytes", 1), ("wall_seconds", 0.001)])
def test_less_than_a_worker_needs_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match="to start"):
        Limits(**{name: value})


@pytest.mark.parametrize("preset", [Limits(), Limits.strict(), Limits.generous()])
def test_presets_are_ordered_within_themselves(preset: Limits) -> None:
    assert preset.entry_bytes <= preset.inflated_bytes
    assert preset.input_bytes <= preset.heap_bytes


@pytest.mark.parametrize("name", LIMIT_NAMES)
def test_strict_is_no_more_and_generous_no_less_than_the_default(name: str) -> None:
    strict, default, generous = (getattr(limits, name) for limits in (Limits.strict(), Limits(), Limits.generous()))
    assert strict <= default <= generous


def test_they_cannot_be_changed_but_copied() -> None:
    limits = Limits()
    with pytest.raises(dataclasses.FrozenInstanceError):
        limits.pages = 3  # type: ignore[misc]
    assert limits.replace(pages=3).pages == 3
    with pytest.raises(ValueError, match="pages"):
        limits.replace(pages=0)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("pages", "12", 12),
        ("heap_bytes", "64MiB", 64 * MIB),
        ("output_bytes", "2 KiB", 2048),
        ("wall_seconds", "1.5", 1.5),
        ("pages", "1_000", 1000),
    ],
)
def test_limits_are_read_from_words(name: str, text: str, value: float) -> None:
    assert parse_limit(name, text) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pages", "x"),
        ("pages", "1.5"),
        ("pages", "-1"),
        ("pages", ""),
        ("sheets", "1"),
        ("wall_seconds", "nan"),
        ("wall_seconds", "inf"),
    ],
)
def test_words_that_are_no_limit_say_what_is(name: str, text: str) -> None:
    with pytest.raises(ValueError, match=r"limit|Limits"):
        parse_limit(name, text)

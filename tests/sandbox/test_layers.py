"""Requirements: which layers give which promise, and what is missing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood import Refusal
from fumehood.sandbox.layers import (
    DEFAULT_REQUIRE,
    LAYERS,
    REQUIREMENTS,
    LayerName,
    check_requirements,
    missing,
    unavailable,
)

subsets = st.frozensets(st.sampled_from(LAYERS))


@given(st.frozensets(st.sampled_from(REQUIREMENTS)), subsets)
def test_what_is_missing_is_part_of_what_is_required_and_none_with_everything(
    require: frozenset[str], have: frozenset[LayerName]
) -> None:
    assert set(missing(require, have)) <= require
    assert missing(require, frozenset(LAYERS)) == []


@given(subsets, subsets)
def test_more_layers_never_miss_more(fewer: frozenset[LayerName], others: frozenset[LayerName]) -> None:
    every = frozenset(REQUIREMENTS)
    assert set(missing(every, fewer | others)) <= set(missing(every, fewer))


@pytest.mark.parametrize(
    ("have", "lacking"),
    [
        ({"seccomp", "rlimits", "no-new-privs", "deadline"}, []),
        ({"seccomp", "rlimits", "no-new-privs"}, ["deadline"]),
        ({"landlock", "rlimits", "no-new-privs", "deadline"}, ["process", "network", "seccomp"]),
    ],
)
def test_the_default_asks_for_a_closed_file_system_and_network_by_whichever_layer(
    have: set[LayerName], lacking: list[str]
) -> None:
    assert missing(DEFAULT_REQUIRE, frozenset(have)) == lacking


@pytest.mark.parametrize("mistaken", ["seccomp", 5, None, ["seccomp", ["network"]]])
def test_what_is_no_set_of_names_is_told_what_is(mistaken: Any) -> None:
    with pytest.raises(TypeError, match=r"require takes a set of names, such as \{'seccomp', 'network'\}, not "):
        check_requirements(mistaken)


def test_an_unknown_name_is_answered_with_the_list() -> None:
    with pytest.raises(ValueError, match=r"apparmor.*landlock"):
        check_requirements(["apparmor"])


def test_the_refusal_names_what_is_missing_and_the_option_that_accepts_less() -> None:
    said = str(unavailable(["seccomp", "landlock"], frozenset({"network", "landlock", "seccomp", "rlimits"})))
    assert "seccomp, landlock required" in said
    assert "--require network,rlimits accepts less" in said
    assert "--require none accepts less" in str(unavailable(["landlock"], frozenset({"landlock"})))


def test_the_longest_refusal_can_be_carried() -> None:
    every = frozenset(REQUIREMENTS)
    made = unavailable(sorted(every)[:10], every)
    assert Refusal.from_json(made.to_json()) == made

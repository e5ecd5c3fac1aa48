"""One target's executions: counted, cut down, one finding for each cause, and no hang that goes unseen."""

from __future__ import annotations

import itertools
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from fumehood.fuzz.causes import cause_of, digest
from fumehood.fuzz.minimise import minimised
from fumehood.fuzz.oracle import BrokenPromise
from fumehood.fuzz.reports import FINDING, Found, Progress, Report
from fumehood.fuzz.session import Session
from fumehood.fuzz.slate import Slate
from fumehood.fuzz.target import Target
from fumehood.sandbox import loading

Ran = tuple[Counter[str], list[Found]]


def ran(run: Callable[[bytes], str], inputs: list[bytes], path: Path, patience: float = 5.0) -> Ran:
    ends: Counter[str] = Counter()
    found: list[Found] = []

    def report(said: Report) -> None:
        if isinstance(said, Progress):
            ends.update(said.ends)
        else:
            found.append(said)

    Session(Target("load:toy", run, "toy"), report, Slate.open(path / "slate"), patience=patience).run(
        iter(inputs), seconds=30
    )
    return ends, found


def toy(data: bytes) -> str:
    if b"!" in data:
        raise BrokenPromise(f"a mark: {data!r}")
    if b"?" in data:
        raise IndexError
    return "read" if data else "malformed"


def test_ends_are_counted_and_each_cause_is_found_once_and_cut_down(tmp_path: Path) -> None:
    inputs = [b"", b"a", b"some text! and more", b"other! text", b"and ? as well", b"? again"]
    ends, found = ran(toy, inputs, tmp_path)
    assert ends == {"malformed": 1, "read": 1, FINDING: 4}
    assert [each.data for each in found] == [b"!", b"?"]
    assert found[0].cause.startswith("a mark (toy, ")
    assert found[1].cause.startswith("IndexError (")
    assert "test_session.py" in found[0].what


def test_a_hang_is_found_even_where_the_interrupt_is_caught(tmp_path: Path) -> None:
    def stubborn(data: bytes) -> str:
        try:
            while data == b"stay":
                pass
        except BaseException:
            return "malformed"
        return "read"

    ends, found = ran(stubborn, [b"go", b"stay", b"go"], tmp_path, patience=0.05)
    assert ends == {"read": 2, FINDING: 1}
    assert [(each.cause, each.data) for each in found] == [("a hang (load:toy)", b"stay")]


def test_a_loaders_guard_lets_the_interrupt_pass(tmp_path: Path) -> None:
    from fumehood.limits.budget import Budget
    from fumehood.limits.policy import Limits

    def guarded(data: bytes) -> str:
        loading.guarded(lambda: next(_ for _ in itertools.count() if not data), Budget(Limits()))
        return "read"

    _, found = ran(guarded, [b"a"], tmp_path, patience=0.05)
    assert [each.cause for each in found] == ["a hang (load:toy)"]


def test_descriptors_that_are_not_closed_are_found(tmp_path: Path) -> None:
    held = []

    def leaky(_data: bytes) -> str:
        held.append(os.dup(2))
        return "read"

    try:
        _, found = ran(leaky, [b"a"] * 200, tmp_path)
    finally:
        for descriptor in held:
            os.close(descriptor)
    assert [each.cause for each in found] == ["descriptors that are not closed (load:toy)"]


def test_the_input_that_is_tried_is_written_down(tmp_path: Path) -> None:
    watching = Slate.open(tmp_path / "slate")
    seen = []

    def look(_data: bytes) -> str:
        seen.append(watching.read())
        return "read"

    ran(look, [b"one", b"", b"three"], tmp_path)
    assert seen == [b"one", b"", b"three"]
    assert watching.read() is None
    assert watching.count == 6


# ---- cutting down, and causes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"aaXbbbbbYcc", b"XY", b"X" + b"-" * 5_000 + b"Y"])
def test_what_is_not_needed_is_cut(data: bytes) -> None:
    assert minimised(data, lambda cut: b"X" in cut and b"Y" in cut, seconds=20, runs=20_000) == b"XY"


def test_cutting_ends_with_its_runs() -> None:
    tried = []

    def count(cut: bytes) -> bool:
        tried.append(cut)
        return False

    assert minimised(b"a" * 1_000, count, seconds=20, runs=7) == b"a" * 1_000
    assert len(tried) == 7


def test_causes_are_told_apart_by_place_and_not_by_what_was_seen() -> None:
    target = Target("load:toy", toy, "toy")

    def cause(data: bytes) -> str:
        with pytest.raises((BrokenPromise, IndexError)) as raised:
            toy(data)
        return cause_of(target, raised.value)

    assert cause(b"1!") == cause(b"22!") != cause(b"?")
    assert digest(cause(b"!")) != digest(cause(b"?"))
    assert len(digest("a")) == 8

"""Attacks on the documents that come after: nothing of one worker is there in the next, however many die."""

from __future__ import annotations

import os
import signal

import pytest

from tests.attacks.acts.traces import EVERYTHING
from tests.attacks.attack import LIMITS, MIB
from tests.attacks.control import Outside
from tests.attacks.hostile import HONEST, Order
from tests.attacks.jail import Jail

_CRASHES = 60


@pytest.mark.attack
def test_changes_end_with_the_worker(jail: Jail) -> None:
    """The document that made them sees them; the next one does not."""
    assert jail.outcome(Order("traces.leave")) == EVERYTHING
    assert jail.outcome(Order("traces.find")) == "clean"


def test_changes_are_seen_outside(outside: Outside) -> None:
    assert outside.perform(Order("traces.leave")) == EVERYTHING


@pytest.mark.attack
def test_hash_seed_is_the_zygotes_own(jail: Jail, outside: Outside) -> None:
    """A sender cannot know which texts collide; it is no secret among the workers of one zygote."""
    order = Order("traces.hash_of_text")
    inside = {jail.outcome(order) for _ in range(3)}
    assert len(inside) == 1
    assert inside.isdisjoint({outside.perform(order), str(hash("fumehood"))})


@pytest.mark.attack
@pytest.mark.parametrize("act", ["memory.read_nothing", "memory.end_by_assertion", "process.fork"])
def test_crashes_in_a_row(act: str, jail: Jail) -> None:
    """Each is refused, the reader goes on, and the zygote's successors do not pile up."""
    outcomes = {jail.outcome(Order(act)) for _ in range(_CRASHES)}
    assert outcomes == {"policy-violation" if act == "process.fork" else "crashed"}


@pytest.mark.attack
def test_memory_is_given_back(jail: Jail) -> None:
    """The next document has all of its heap, whatever the last one took."""
    greedy, order = LIMITS.replace(heap_bytes=32 * MIB), Order("memory.many_objects", {"count": 10**9})
    for _ in range(3):
        assert jail.outcome(order, greedy) == "memory"
        assert jail.outcome(HONEST, greedy) == "honest"


@pytest.mark.attack
def test_no_core_is_left(jail: Jail) -> None:
    before = {entry for entry in os.listdir() if entry.startswith("core")}
    assert jail.outcome(Order("memory.end_by_assertion")) == "crashed"
    assert {entry for entry in os.listdir() if entry.startswith("core")} == before
    assert signal.getsignal(signal.SIGCHLD) in (signal.SIG_DFL, None)

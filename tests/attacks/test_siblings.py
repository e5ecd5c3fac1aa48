"""Attacks of one worker on others: two siblings are in flight, and their documents come out right."""

from __future__ import annotations

import os

import pytest

from tests.attacks.acts.siblings import FORGED
from tests.attacks.control import Outside
from tests.attacks.hostile import DONE, Order
from tests.attacks.jail import Jail
from tests.attacks.siblings import ATTACKS, REPLY, TEXTS, SiblingAttack, attack

_TRIES = 5


@pytest.mark.attack
@pytest.mark.parametrize("one", ATTACKS, ids=str)
def test_siblings_are_untouched(one: SiblingAttack, jail: Jail) -> None:
    for _ in range(_TRIES):
        outcome = attack(jail, one)
        assert dict(outcome.ended) == {"first": TEXTS[0], "second": TEXTS[1], "attacker": one.must}
        if outcome.in_flight:
            return
    pytest.fail("the siblings were never in flight while the attacker was at work; this machine is too busy")


def test_writing_succeeds_outside(outside: Outside) -> None:
    """Without the jail a pipe that was inherited, at whatever number, is written to."""
    order = Order("siblings.write_every_descriptor", {"own": [0, 1, 2, REPLY, 501]})
    assert DONE in outside.perform(order).split()


def test_opening_succeeds_outside(outside: Outside) -> None:
    """Without the jail a process of the same user opens others' pipes by way of /proc."""
    order = Order("siblings.open_descriptors_of", {"pids": [os.getpid()], "descriptor": 1})
    assert DONE in outside.perform(order).split()


def test_forgery_would_be_noticed() -> None:
    assert not any(FORGED.decode() in text for text in TEXTS)

"""Attacks of one worker on others: two siblings are in flight, and their documents come out right."""

from __future__ import annotations

import anyio
import pytest

from fumehood import Reader, Refusal
from tests.attacks import hostile
from tests.attacks.acts.siblings import FORGED
from tests.attacks.attack import LIMITS, POLICY
from tests.attacks.control import Outside
from tests.attacks.hostile import DONE, Order
from tests.attacks.jail import Jail

_BUSY_SECONDS = 0.4
_TRIES = 5
_TEXTS = ("the first sibling's own words", "the second sibling's own words")
_PIDS = list(range(100))
_REPLY, _STDERR = 4, 2

ATTACKS = {
    "write_every_descriptor": (Order("siblings.write_every_descriptor", {"own": [_STDERR, _REPLY]}), "EBADF"),
    "open_descriptors": (Order("siblings.open_descriptors_of", {"pids": _PIDS, "descriptor": _REPLY}), "EACCES"),
    "trace": (Order("siblings.trace_neighbours"), POLICY),
    "write_into": (Order("siblings.write_into_neighbours"), POLICY),
    "take_descriptors": (Order("siblings.take_descriptors_of_neighbours"), POLICY),
    "kill": (Order("siblings.kill_neighbours"), POLICY),
}


async def _three(reader: Reader, attack: Order) -> list[tuple[str, str]]:
    """Two siblings that take their time, and the attacker between them. Who ended how, in the order of ending."""
    ended: list[tuple[str, str]] = []

    async def read(name: str, order: Order) -> None:
        try:
            document = await reader.read("hostile", hostile.encode(order), limits=LIMITS)
        except Refusal as refused:
            ended.append((name, refused.code))
        else:
            ended.append((name, document.text))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(read, "first", Order("siblings.say", {"text": _TEXTS[0], "seconds": _BUSY_SECONDS}))
        await anyio.sleep(0.02)
        tasks.start_soon(read, "attacker", attack)
        tasks.start_soon(read, "second", Order("siblings.say", {"text": _TEXTS[1], "seconds": _BUSY_SECONDS}))
    return ended


@pytest.mark.parametrize("name", ATTACKS)
def test_siblings_are_untouched(name: str, jail: Jail) -> None:
    attack, must = ATTACKS[name]
    for _ in range(_TRIES):
        ended = jail.reader.call(lambda reader: _three(reader, attack))
        assert dict(ended) == {"first": _TEXTS[0], "second": _TEXTS[1], "attacker": must}
        if ended[0][0] == "attacker":
            return
    pytest.fail("the siblings were never in flight while the attacker was at work; this machine is too busy")


def test_writing_succeeds_outside(outside: Outside) -> None:
    """Without the jail a pipe that was inherited, at whatever number, is written to."""
    attack, _ = ATTACKS["write_every_descriptor"]
    assert DONE in outside.perform(Order(attack.act, {"own": [0, 1, 2, _REPLY, 501]})).split()


def test_opening_succeeds_outside(outside: Outside) -> None:
    """Without the jail a process of the same user opens its own and others' pipes by way of /proc."""
    attack, _ = ATTACKS["open_descriptors"]
    assert DONE in outside.perform(Order(attack.act, {"pids": [0], "descriptor": _REPLY})).split()


def test_forgery_would_be_noticed() -> None:
    assert not any(FORGED.decode() in text for text in _TEXTS)

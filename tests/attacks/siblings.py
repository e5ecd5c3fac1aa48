"""Attacks of one worker on others: two siblings in flight, the attacker between them, and what becomes of each."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import anyio
import psutil

from fumehood import Reader, Refusal
from tests.attacks import hostile
from tests.attacks.attack import LIMITS, POLICY
from tests.attacks.hostile import Order
from tests.attacks.jail import Attacked
from tests.attacks.witnesses import is_well

BUSY_SECONDS: Final = 0.2
_HEAD_START_SECONDS: Final = 0.02
_AFTERMATH_SECONDS: Final = 0.05
"""A zygote that was sent rubbish ends a little later."""
TEXTS: Final = ("the first sibling's own words", "the second sibling's own words")
REPLY, STDERR = 4, 2


class SiblingAttack(NamedTuple):
    """`must`: how the attacker's own read ends."""

    act: str
    must: str
    arguments: Mapping[str, Any] = {}
    aimed: bool = True

    def __str__(self) -> str:
        return self.act

    def order(self, pids: list[int]) -> Order:
        return Order(self.act, {**self.arguments, "pids": pids} if self.aimed else dict(self.arguments))


ATTACKS: Final = (
    SiblingAttack("siblings.write_every_descriptor", "EBADF", {"own": [STDERR, REPLY]}, aimed=False),
    SiblingAttack("siblings.open_descriptors_of", "EACCES", {"descriptor": REPLY}),
    SiblingAttack("siblings.trace", POLICY),
    SiblingAttack("siblings.write_into", POLICY),
    SiblingAttack("siblings.take_descriptors", POLICY, {"descriptor": REPLY}),
    SiblingAttack("siblings.kill", POLICY),
)


Ended = tuple[tuple[str, str], ...]


class Outcome(NamedTuple):
    """Who ended how, in the order of ending, and whether the zygote they have in common is well."""

    ended: Ended
    zygote_is_well: bool

    @property
    def attacker(self) -> str:
        return dict(self.ended)["attacker"]

    @property
    def reached(self) -> bool:
        """Whether a sibling said anything but its own words, or cannot be followed by others."""
        return not self.zygote_is_well or (dict(self.ended)["first"], dict(self.ended)["second"]) != TEXTS

    @property
    def in_flight(self) -> bool:
        """Whether the siblings were still at work when the attacker was done."""
        return self.ended[0][0] == "attacker" or self.reached


def attack(jail: Attacked, one: SiblingAttack) -> Outcome:
    """The attack, while two siblings take their time."""
    zygote = jail.zygote()
    ended = jail.reader.call(lambda reader: _three(reader, one, zygote))
    time.sleep(_AFTERMATH_SECONDS)
    return Outcome(ended, is_well(zygote))


async def _three(reader: Reader, one: SiblingAttack, zygote: int) -> Ended:
    ended: list[tuple[str, str]] = []

    async def read(name: str, order: Order) -> None:
        try:
            document = await reader.read("hostile", hostile.encode(order), limits=LIMITS)
        except Refusal as refused:
            ended.append((name, refused.code))
        else:
            ended.append((name, document.text))

    async with anyio.create_task_group() as tasks:
        for name, text in zip(("first", "second"), TEXTS, strict=True):
            tasks.start_soon(read, name, Order("siblings.say", {"text": text, "seconds": BUSY_SECONDS}))
        await anyio.sleep(_HEAD_START_SECONDS)
        tasks.start_soon(read, "attacker", one.order(_children(zygote)))
    return tuple(ended)


def _children(zygote: int) -> list[int]:
    """The zygote's children by the numbers they have among themselves (proc_pid_status(5), NSpid)."""
    return [_inner_number(child.pid) for child in psutil.Process(zygote).children()]


def _inner_number(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    (numbers,) = [line for line in lines if line.startswith("NSpid:")]
    return int(numbers.split()[-1])

"""Attacks on the parent's patience: replies that come slowly, or stop at any stage, end at the deadline and hold nobody up."""

from __future__ import annotations

import base64
from itertools import accumulate

import anyio
import pytest

from fumehood import Reader, Refusal
from fumehood.sandbox.frames import HEADER
from tests.attacks import hostile
from tests.attacks.attack import LIMITS
from tests.attacks.hostile import HONEST, Order
from tests.attacks.jail import Jail
from tests.attacks.test_protocol import VALID, Forgery

_BRIEF = LIMITS.replace(wall_seconds=0.15)
_LONGER = LIMITS.replace(wall_seconds=1.0)


def _frames(data: bytes) -> list[bytes]:
    found = []
    while data:
        size = HEADER.size + HEADER.unpack_from(data)[0]
        found.append(data[:size])
        data = data[size:]
    return found


_EDGES = [0, *accumulate(map(len, _frames(VALID)))]
_STAGES = sorted({at + step for at in _EDGES for step in (0, 2) if at + step <= len(VALID)})
"""After each frame, and within each header; the payload is test_protocol.py's "half a frame"."""


@pytest.mark.attack
@pytest.mark.parametrize("stage", _STAGES)
def test_stall_ends_at_the_deadline(stage: int, jail: Jail) -> None:
    """Even after the last byte: a reply has ended when its worker has."""
    assert jail.outcome(Forgery("stall", VALID[:stage], ending="sleep").order, _BRIEF) == "wall-clock"


def _trickle(pause: float, ending: str) -> Order:
    return Order("reply.trickle", {"data": base64.b64encode(VALID).decode(), "pause": pause, "ending": ending})


@pytest.mark.attack
def test_trickle_ends_at_the_deadline(jail: Jail) -> None:
    assert jail.outcome(_trickle(1.0, "sleep"), _BRIEF) == "wall-clock"


def test_slow_and_whole_is_read(jail: Jail) -> None:
    """The control: byte by byte is no fault by itself."""
    assert jail.outcome(_trickle(0.0005, "exit")).startswith("# A letter")


@pytest.mark.attack
def test_stalls_hold_nobody_up(jail: Jail) -> None:
    """Two that never end, and a document that is read meanwhile."""
    ended: list[str] = []

    async def read(reader: Reader, name: str, order: Order) -> None:
        try:
            await reader.read("hostile", hostile.encode(order), limits=_LONGER)
        except Refusal as refused:
            name = f"{name} {refused.code}"
        ended.append(name)

    async def three(reader: Reader) -> None:
        async with anyio.create_task_group() as tasks:
            for order in (_trickle(1.0, "sleep"), Forgery("stall", VALID[:-3], ending="sleep").order):
                tasks.start_soon(read, reader, "stalled", order)
            tasks.start_soon(read, reader, "honest", HONEST)

    jail.reader.call(three)
    assert ended == ["honest", "stalled wall-clock", "stalled wall-clock"]

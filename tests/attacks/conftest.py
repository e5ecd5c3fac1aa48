"""The jail, what is outside of it, and the check after every attack that nothing has changed."""

from __future__ import annotations

import gc
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import psutil
import pytest

from fumehood import Document, Limits, Reader, Refusal, register
from fumehood.sandbox.loop_thread import LoopThread
from tests.attacks import hostile
from tests.attacks.acts.network import KEY
from tests.attacks.attack import LARGE, LIMITS, MIB, Attack
from tests.attacks.control import Outside
from tests.attacks.hostile import HONEST, Order

_WORKERS: Final = 3
_WARM_UP: Final = 30
_LARGE: Final = 30 * MIB
"""The C library keeps the room that the largest reply has taken, once."""
_SETTLED_SECONDS: Final = 15.0
"""How long a successor of a zygote may take on a busy machine."""
_GROWTH_BYTES: Final = 8 * MIB
_MARK: Final = "fumehood-attack"
_HONEST_TEXT: Final = b"An honest letter.\n\nYours.\n"


class State(NamedTuple):
    """What the parent holds: processes of its own, and open descriptors."""

    processes: int
    descriptors: int


def _state() -> State:
    return State(len(psutil.Process().children(recursive=True)), len(os.listdir("/proc/self/fd")))


class Jail:
    """A reader like any application's, and what it holds when nothing is being read."""

    def __init__(self) -> None:
        self._reader = LoopThread(lambda: Reader(workers=_WORKERS))
        for _ in range(_WARM_UP):
            assert self.outcome(HONEST) == "honest"
        for _ in range(2):
            assert len(self.outcome(Order("reply.say_much", {"size": _LARGE}), LARGE)) == _LARGE
        self.steady = self._steady()

    @property
    def reader(self) -> LoopThread[Reader]:
        return self._reader

    def read(self, order: Order, limits: Limits = LIMITS) -> Document:
        data = hostile.encode(order)
        return self._reader.call(lambda reader: reader.read("hostile", data, limits=limits))

    def outcome(self, order: Order, limits: Limits = LIMITS) -> str:
        """The refusal's code, or the document's text: what the act says it met."""
        try:
            return self.read(order, limits).text
        except Refusal as refused:
            return refused.code

    def read_text(self) -> str:
        return self._reader.call(lambda reader: reader.read("text", _HONEST_TEXT)).text

    def _steady(self) -> State:
        """What stays the same for a while: spares are forked ahead after each read."""
        seen, since = _state(), time.monotonic()
        while time.monotonic() - since < 0.3:
            time.sleep(0.02)
            now = _state()
            if now != seen:
                seen, since = now, time.monotonic()
        return seen

    def settle(self) -> State:
        """What is held once it is no more than before, or after all the patience there is."""
        until = time.monotonic() + _SETTLED_SECONDS
        while (now := _state()) != self.steady and time.monotonic() < until:
            time.sleep(0.01)
        return now

    def close(self) -> None:
        self._reader.close()


@pytest.fixture(scope="session")
def outside() -> Iterator[Outside]:
    """Acts without the jail."""
    server = Outside()
    yield server
    server.close()


@pytest.fixture(scope="session")
def built_jail(outside: Outside) -> Iterator[Jail]:
    register(hostile.KIND)
    before = _state()
    made = Jail()
    yield made
    made.close()
    assert _state() == before, "a closed reader left something behind"


def _resident_bytes() -> int:
    return int(psutil.Process().memory_info().rss)


def _growth_bytes(before: int) -> int:
    growth = _resident_bytes() - before
    if growth < _GROWTH_BYTES:
        return growth
    gc.collect()  # What only waits to be collected is no growth; looking costs too much to do it every time.
    return _resident_bytes() - before


def _left_behind() -> list[str]:
    """Files, System V objects and keys that an attack, and nobody else, would have made."""
    found = [str(path) for place in ("/dev/shm", tempfile.gettempdir()) for path in Path(place).glob(f"{_MARK}*")]
    for kind in ("shm", "sem", "msg"):
        lines = Path(f"/proc/sysvipc/{kind}")
        if lines.exists():
            found += [line for line in lines.read_text().splitlines()[1:] if int(line.split()[0]) == KEY]
    keys = Path("/proc/keys")
    if keys.exists():
        found += [line for line in keys.read_text().splitlines() if _MARK in line]
    return found


@pytest.fixture
def jail(built_jail: Jail) -> Iterator[Jail]:
    """The jail, for one attack. After it the parent lives and is no larger, the next documents are right, and nothing is left."""
    before = _resident_bytes()
    yield built_jail
    assert built_jail.outcome(Order("traces.find")) == "clean"
    assert built_jail.read_text() == _HONEST_TEXT.decode()
    assert built_jail.settle() == built_jail.steady
    assert _left_behind() == []
    assert _growth_bytes(before) < _GROWTH_BYTES


@pytest.fixture
def refused(jail: Jail, tmp_path: Path) -> Callable[[Attack], None]:
    """Runs an attack in the jail and checks how it ends, and that its witness saw nothing."""

    def run(attack: Attack) -> None:
        if not attack.possible:
            pytest.skip(f"this architecture has no {', '.join(attack.needs)}")
        if attack.witness is None:
            assert jail.outcome(attack.order({}), attack.limits) == attack.must
            return
        with attack.witness(tmp_path) as witness:
            assert jail.outcome(attack.order(witness.arguments), attack.limits) == attack.must
            assert not witness.reached()

    return run


@pytest.fixture
def succeeds_outside(outside: Outside, tmp_path: Path) -> Callable[[Attack], None]:
    """Runs the same act without the jail, so that a broken attack cannot pass as a refused one."""

    def run(attack: Attack) -> None:
        if attack.outside is None:
            pytest.skip(attack.why)
        if not attack.possible:
            pytest.skip(f"this architecture has no {', '.join(attack.needs)}")
        if attack.witness is None:
            _check(attack, outside.perform(attack.order(attack.outside_arguments), endless=attack.endless))
            return
        with attack.witness(tmp_path) as witness:
            _check(attack, outside.perform(attack.order({**witness.arguments, **attack.outside_arguments})))
            assert witness.reached()

    return run


def _check(attack: Attack, outcome: str) -> None:
    if outcome in attack.unless:
        pytest.skip(f"refused outside the jail too ({outcome}), so a refusal shows nothing on this machine")
    assert outcome == attack.outside

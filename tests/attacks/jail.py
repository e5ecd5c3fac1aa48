"""A reader to attack, and what can be seen of it from outside: memory, processes, descriptors, and things left behind."""

from __future__ import annotations

import gc
import os
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple, Protocol

import psutil

from fumehood import Document, Limits, Reader, Refusal
from fumehood.sandbox.loop_thread import LoopThread
from fumehood.sandbox.text import give_back
from tests.attacks import hostile
from tests.attacks.acts.network import KEY
from tests.attacks.attack import LARGE, LIMITS, MIB, Scene
from tests.attacks.hostile import HONEST, Order

HONEST_TEXT: Final = b"An honest letter.\n\nYours.\n"
_WORKERS: Final = 3
_WARM_UP: Final = 30
_LARGE: Final = 30 * MIB
"""The C library keeps the room that the largest reply has taken, once."""
_SETTLED_SECONDS: Final = 15.0
"""How long a successor of a zygote may take on a busy machine."""
_WORTH_A_LOOK: Final = 4 * MIB
_MARK: Final = "fumehood-attack"


class State(NamedTuple):
    """What the parent holds: processes of its own, and open descriptors."""

    processes: int
    descriptors: int


def state() -> State:
    return State(len(psutil.Process().children(recursive=True)), len(os.listdir("/proc/self/fd")))


class Attacked(Protocol):
    """What attacks need of a jail, whole or weakened."""

    @property
    def reader(self) -> LoopThread[Reader]: ...

    def outcome(self, order: Order, limits: Limits = LIMITS) -> str: ...

    def zygote(self) -> int: ...

    def scene(self, place: Path) -> Scene: ...


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

    def zygote(self) -> int:
        """The process that forks the hostile workers: the one child of the one that the reader started."""
        return zygote_of(self._reader)

    def ask(self, act: str) -> list[str]:
        """What documents say that are read now, the last of them by a worker that was not forked yet."""
        return [self.outcome(Order(act)) for _ in range(_WORKERS + 2)]

    def scene(self, place: Path) -> Scene:
        return Scene(place, self.zygote, self.ask)

    def read_text(self) -> str:
        return self._reader.call(lambda reader: reader.read("text", HONEST_TEXT)).text

    def _steady(self) -> State:
        """What stays the same for a while: spares are forked ahead after each read."""
        seen, since = state(), time.monotonic()
        while time.monotonic() - since < 0.3:
            time.sleep(0.02)
            now = state()
            if now != seen:
                seen, since = now, time.monotonic()
        return seen

    def settle(self) -> State:
        """What is held once it is no more than before, or after all the patience there is."""
        until = time.monotonic() + _SETTLED_SECONDS
        while (now := state()) != self.steady and time.monotonic() < until:
            time.sleep(0.01)
        return now

    def close(self) -> None:
        self._reader.close()


def zygote_of(reader: LoopThread[Reader]) -> int:
    """The process that forks the hostile workers: the one child of the one that the reader started."""

    async def outer(opened: Reader) -> int:
        (pid,) = [zygote.pid for zygote in opened._opened().zygotes() if zygote.family.startswith("kind:")]
        return pid

    (inner,) = psutil.Process(reader.call(outer)).children()
    return int(inner.pid)


def resident_bytes() -> int:
    return int(psutil.Process().memory_info().rss)


def growth_bytes(before: int) -> int:
    growth = resident_bytes() - before
    if growth < _WORTH_A_LOOK:
        return growth
    gc.collect()  # What only waits to be collected is no growth; looking costs too much to do it every time.
    give_back()
    return resident_bytes() - before


def left_behind() -> list[str]:
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

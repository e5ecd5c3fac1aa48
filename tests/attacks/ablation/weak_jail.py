"""A jail that lacks layers: an ordinary reader, whose zygotes start without some and whose parent leaves out its own."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final
from unittest import mock

import anyio

from fumehood import Limits, Reader, Refusal, register
from fumehood.sandbox import cgroup, family, host, jobs, messages, spawn
from fumehood.sandbox.layers import Layer
from fumehood.sandbox.loop_thread import LoopThread
from tests.attacks import hostile
from tests.attacks.ablation.layers import Profile
from tests.attacks.attack import LIMITS, RUNNING, Scene
from tests.attacks.hostile import Order
from tests.attacks.jail import zygote_of

_BOOT: Final = (
    "import sys; sys.path += sys.argv[2:]; from tests.attacks.ablation.weakened import main; main(int(sys.argv[1]), {!r})"
)
_WORKERS: Final = 3
_ANSWER_SECONDS: Final = 1.0


def _patience(limits: Limits) -> float:
    """Longer than the limits allow, by enough for a busy machine; the hard limit on processor time is a second later."""
    return 0.5 + 1.3 * min(limits.wall_seconds, limits.cpu_seconds + 1.0)


class WeakJail:
    """What attacks need of a jail."""

    def __init__(self, reader: LoopThread[Reader]) -> None:
        self.reader = reader
        assert self.outcome(hostile.HONEST) == "honest"
        self._zygote = zygote_of(reader)

    def outcome(self, order: Order, limits: Limits = LIMITS) -> str:
        """As `Jail.outcome`; `running` if nothing ended the read."""
        data = hostile.encode(order)

        async def read(reader: Reader) -> str:
            with anyio.move_on_after(_patience(limits)):
                return (await reader.read("hostile", data, limits=limits)).text
            return RUNNING

        try:
            return self.reader.call(read)
        except Refusal as refused:
            return refused.code

    def zygote(self) -> int:
        """The first one; whoever finds it gone takes another jail."""
        return self._zygote

    def ask(self, act: str) -> list[str]:
        return [self.outcome(Order(act)) for _ in range(_WORKERS + 2)]

    def scene(self, place: Path) -> Scene:
        return Scene(place, self.zygote, self.ask)

    def layers(self) -> tuple[Layer, ...]:
        return self.reader.call(lambda reader: reader.layers())


def _no_cgroup() -> cgroup.Group:
    raise cgroup.NoCgroup("left out")


def _never(_deadline: jobs.Deadline) -> float:
    return math.inf


def _not_at_all(_exited: messages.Exited | None, _killed: bool) -> bool:
    return False


_PARENTS: Final[dict[str, Callable[[], Any]]] = {
    "cgroup": lambda: mock.patch.object(cgroup, "create", _no_cgroup),
    "watchdog": lambda: mock.patch.object(jobs._Run, "watched", jobs._Run.to_the_end),
    "deadline": lambda: mock.patch.object(jobs.Deadline, "begun", _never),
}


@contextlib.contextmanager
def without(out: Profile) -> Iterator[WeakJail]:
    """A reader whose reads lack the layers in `out`."""
    register(hostile.KIND)
    with contextlib.ExitStack() as patches:
        patches.enter_context(mock.patch.object(spawn, "_BOOT", _BOOT.format(sorted(out))))
        # A worker that dies of a signal makes its zygote be replaced, which these zygotes need not be.
        patches.enter_context(mock.patch.object(host, "died_of_its_own", _not_at_all))
        # Nor need a stopped one be given as long to answer as on a machine that is only slow.
        patches.enter_context(mock.patch.object(family, "_ANSWER_SECONDS", _ANSWER_SECONDS))
        for name in out:
            if name in _PARENTS:
                patches.enter_context(_PARENTS[name]())
        reader = LoopThread(lambda: Reader(workers=_WORKERS, require=()))
        try:
            yield WeakJail(reader)
        finally:
            reader.close()

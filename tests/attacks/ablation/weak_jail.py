"""A jail that lacks layers: an ordinary reader, whose zygotes start without some and whose parent leaves out its own."""

from __future__ import annotations

import contextlib
import math
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final
from unittest import mock

import anyio
import psutil

from fumehood import Limits, Reader, Refusal, kinds, register
from fumehood.sandbox import cgroup, child, family, host, jobs, messages, spawn, timer
from fumehood.sandbox.layers import Layer
from fumehood.sandbox.loop_thread import LoopThread
from tests.attacks import hostile
from tests.attacks.ablation.layers import Profile
from tests.attacks.attack import LIMITS, RUNNING, Scene
from tests.attacks.hostile import Order
from tests.attacks.jail import zygote_of
from tests.attacks.witnesses import is_well

_BOOT: Final = "import sys; sys.path += sys.argv[2:]; from tests.attacks.ablation.weakened import main; main(int(sys.argv[1]), {!r})  # {}"
_WORKERS: Final = 3
_ANSWER_SECONDS: Final = 1.0
_LOOK_SECONDS: Final = 0.05
_OVERDUE_SECONDS: Final = timer.GRACE_SECONDS + 1.0
"""By how much a read may miss a limit on time before it is said to go on for ever."""


def _spent_seconds(zygote: int) -> float:
    """The processor time of the worker that has taken most of it."""
    spent = [0.0]
    with contextlib.suppress(psutil.Error):
        for child in psutil.Process(zygote).children():
            with contextlib.suppress(psutil.Error):
                times = child.cpu_times()
                spent.append(times.user + times.system)
    return max(spent)


async def _give_up(scope: anyio.CancelScope, zygote: int, limits: Limits) -> None:
    """Ends what nothing else does, also where the zygote cannot tell any more that a worker ended. Processor time is looked at as such, since a busy machine gives little of it."""
    until = anyio.current_time() + limits.wall_seconds + _OVERDUE_SECONDS
    # The hard limit on processor time is a second behind the soft one.
    most = limits.cpu_seconds + 1.5
    while anyio.current_time() < until and _spent_seconds(zygote) < most and is_well(zygote):
        await anyio.sleep(_LOOK_SECONDS)
    scope.cancel()


class WeakJail:
    """What attacks need of a jail."""

    def __init__(self, reader: LoopThread[Reader]) -> None:
        self.reader = reader
        assert reader.call(lambda opened: opened.read("hostile", hostile.encode(hostile.HONEST))).text == "honest"
        self._zygote = zygote_of(reader)

    def outcome(self, order: Order, limits: Limits = LIMITS) -> str:
        """As `Jail.outcome`; `running` if nothing ended the read."""
        data = hostile.encode(order)

        async def read(reader: Reader) -> str:
            said = RUNNING
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_give_up, tasks.cancel_scope, self._zygote, limits)
                try:
                    said = (await reader.read("hostile", data, limits=limits)).text
                except Refusal as refused:
                    said = refused.code
                tasks.cancel_scope.cancel()
            return said

        return self.reader.call(read)

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


def _kill_with_children(zygote: family.Zygote) -> None:
    """Without parent-death nothing else ends them, and without closed descriptors they hold its socket open."""
    zygote._process.kill()
    zygote._lost()


_PARENTS: Final[dict[str, Callable[[], Any]]] = {
    "cgroup": lambda: mock.patch.object(cgroup, "create", _no_cgroup),
    "watchdog": lambda: mock.patch.object(jobs._Run, "watched", jobs._Run.to_the_end),
    "deadline": lambda: mock.patch.object(jobs.Deadline, "begun", _never),
}


def _end_all(mark: str) -> None:
    """Workers that outlive a zygote without parent-death: nobody else would end them."""
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if any(mark in word for word in process.cmdline()):
                process.kill()


@contextlib.contextmanager
def without(out: Profile) -> Iterator[WeakJail]:
    """A reader whose reads lack the layers in `out`."""
    register(hostile.KIND)
    mark = secrets.token_hex(8)
    with contextlib.ExitStack() as patches:
        patches.enter_context(mock.patch.object(spawn, "_BOOT", _BOOT.format(sorted(out), mark)))
        # The canaries try the zygote under attack, and no other is started.
        patches.enter_context(mock.patch.object(host, "PLAIN", kinds.get("hostile").family))
        # A worker that dies of a signal makes its zygote be replaced, which these zygotes need not be.
        patches.enter_context(mock.patch.object(host, "died_of_its_own", _not_at_all))
        # Nor need a stopped one be given as long to answer as on a machine that is only slow.
        patches.enter_context(mock.patch.object(child, "_ANSWER_SECONDS", _ANSWER_SECONDS))
        patches.enter_context(mock.patch.object(family.Zygote, "kill", _kill_with_children))
        for name in out:
            if name in _PARENTS:
                patches.enter_context(_PARENTS[name]())
        reader = LoopThread(lambda: Reader(workers=_WORKERS, require=()))
        try:
            yield WeakJail(reader)
        finally:
            reader.close()
            _end_all(mark)

"""What a process holds of the machine, so that what a run leaves behind can be told: counted by the kernel, not by us."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import psutil

from fumehood.sandbox import system
from fumehood.sandbox.privileges import NOBODY

_PR_SET_CHILD_SUBREAPER: Final = 36
_PATIENCE_SECONDS: Final = 1.0


class Holdings(NamedTuple):
    """Processes below this one, whoever forked them; descriptors; threads; and every object that outlives a process."""

    processes: int
    descriptors: int
    threads: int
    shared: tuple[str, ...]


def adopt_orphans() -> None:
    """Whatever loses its parent below this process becomes its child, and so is seen (prctl(2))."""
    system.prctl(_PR_SET_CHILD_SUBREAPER, 1)


def own_ipc() -> None:
    """A System V namespace of this process's own, where that is allowed: all that is in it then comes from this run."""
    if os.geteuid() == 0:
        system.unshare(system.CLONE_NEWIPC)


def holdings() -> Holdings:
    return Holdings(
        len(survivors()), len(os.listdir("/proc/self/fd")), len(os.listdir("/proc/self/task")), tuple(_shared())
    )


def survivors() -> list[psutil.Process]:
    """Every process below this one that still runs; the dead are reaped."""
    me = psutil.Process()
    for child in me.children():
        if child.status() == psutil.STATUS_ZOMBIE:
            child.wait()
    return me.children(recursive=True)


def settled(wanted: Holdings) -> Holdings:
    """What is held once it is `wanted`, or after a second."""
    until = time.monotonic() + _PATIENCE_SECONDS
    while (now := holdings()) != wanted and time.monotonic() < until:
        time.sleep(0.01)
    return now


def _shared() -> list[str]:
    found = [f"/dev/shm/{name}" for name in os.listdir("/dev/shm") if "fumehood" in name]
    found += [link for link in _links() if link.startswith("/memfd:")]
    return [*found, *_system_v()]


def _system_v() -> Iterator[str]:
    """Who may not have a namespace to itself sees everybody's, so only what such as we made counts."""
    makers = {str(os.geteuid()), str(NOBODY)}
    for kind in ("shm", "sem", "msg"):
        table = Path(f"/proc/sysvipc/{kind}")
        if not table.exists():
            continue
        heads, *rows = (line.split() for line in table.read_text().splitlines())
        yield from (f"{kind} {row[1]}" for row in rows if row[heads.index("cuid")] in makers)


def _links() -> list[str]:
    links = []
    for name in os.listdir("/proc/self/fd"):
        try:
            links.append(os.readlink(f"/proc/self/fd/{name}"))
        except FileNotFoundError:  # The listing's own descriptor.
            continue
    return links


def resident_bytes(pid: int | None = None) -> int:
    return int(psutil.Process(pid).memory_info().rss)


def slope(points: list[tuple[float, float]]) -> float:
    """Growth of the second coordinate for each unit of the first, by Theil and Sen: a few outliers do not move it."""
    rises = sorted(
        (later[1] - earlier[1]) / (later[0] - earlier[0])
        for number, earlier in enumerate(points)
        for later in points[number + 1 :]
    )
    return rises[len(rises) // 2] if rises else 0.0

"""cgroup v2: one group for a family, where a delegated tree is writable; found by trying (cgroups(7)).

A second cap on memory and processes, over all workers of a zygote together, that counts what rlimits do not:
page tables, pipes, the kernel's own allocations.
"""

from __future__ import annotations

import contextlib
import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_CONTROLLERS: Final = ("memory", "pids")
_ESCAPE: Final = re.compile(r"\\([0-7]{3})")
"""Space, tab, newline and backslash in a name; every other byte is there as it is (fstab(5), proc_pid_mounts(5))."""


class NoCgroup(Exception):
    """There is no group to be had; the text says why and how to get one."""


@dataclass(frozen=True, slots=True)
class Group:
    """A group of our own; `close` removes it once it is empty."""

    path: Path

    def add(self, pid: int) -> None:
        (self.path / "cgroup.procs").write_text(str(pid))

    def limit(self, memory_bytes: int, processes: int) -> None:
        (self.path / "memory.max").write_text(str(memory_bytes))
        (self.path / "pids.max").write_text(str(processes))
        with contextlib.suppress(OSError):  # Absent where the kernel has no swap accounting.
            (self.path / "memory.swap.max").write_text("0")

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self.path.rmdir()


def create(mounts: Path = Path("/proc/self/mounts"), own: Path = Path("/proc/self/cgroup")) -> Group:
    """A new group beside or below our own. Raises `NoCgroup`."""
    root = _mount(mounts)
    place = root / _own(own).lstrip("/")
    why = "no group here is delegated to this user; run under a systemd unit with Delegate=yes"
    # Beside us first: a group that holds processes cannot hand controllers down (no internal processes rule).
    for parent in (place.parent, place):
        if not parent.is_relative_to(root):
            continue
        missing = [name for name in _CONTROLLERS if name not in _words(parent / "cgroup.subtree_control")]
        if missing:
            why = f"controllers {', '.join(missing)} are not handed down on cgroup v2; they may be on v1, or need Delegate=yes"
            continue
        path = parent / f"fumehood-{secrets.token_hex(4)}"
        try:
            path.mkdir()
        except OSError as error:
            why = f"{error.strerror}; run under a systemd unit with Delegate=yes"
            continue
        return Group(path)
    raise NoCgroup(why)


def _mount(mounts: Path) -> Path:
    for line in _lines(mounts):
        fields = line.split(" ")
        if len(fields) > 2 and fields[2] == "cgroup2":
            return Path(_ESCAPE.sub(lambda escape: chr(int(escape[1], 8)), fields[1]))
    raise NoCgroup("cgroup v2 is not mounted")


def _own(own: Path) -> str:
    for line in _lines(own):
        if line.startswith("0::"):
            return line[3:]
    raise NoCgroup("this process is in no cgroup v2 group")


def _words(path: Path) -> list[str]:
    return " ".join(_lines(path)).split()


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape").split("\n")
    except OSError:
        return []

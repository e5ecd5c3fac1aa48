"""Resource limits: the kernel's hard caps on memory, time, files and processes (setrlimit(2)).

`DATA` *and* `AS`: `DATA` alone lets shared mappings through, and `AS` alone would count the shared
libraries of a large zygote. Both are relative to the zygote's own size, which every worker inherits.
"""

from __future__ import annotations

import resource
from typing import Final, NamedTuple

OPEN_FILES: Final = 8
"""Input, reply, stderr and a few for C libraries that duplicate one."""
STACK_BYTES: Final = 8 * 1024 * 1024


class Size(NamedTuple):
    """A process's size in bytes: whole address space, and private writable part (proc_pid_statm(5))."""

    address_space: int
    data: int


def own_size() -> Size:
    """The size of this process; needs `/proc`, so it is taken before the root is emptied."""
    page = resource.getpagesize()
    with open("/proc/self/statm", encoding="ascii") as statm:
        fields = statm.read().split()
    return Size(int(fields[0]) * page, int(fields[5]) * page)


def install(base: Size, heap_bytes: int, cpu_seconds: int) -> None:
    """Sets every limit, soft and hard. Raises `OSError` or `ValueError` if the kernel does not take one."""
    for kind, soft, hard in (
        (resource.RLIMIT_AS, base.address_space + heap_bytes, base.address_space + heap_bytes),
        (resource.RLIMIT_DATA, base.data + heap_bytes, base.data + heap_bytes),
        # SIGXCPU at the soft limit; whoever ignores it is killed a second later.
        (resource.RLIMIT_CPU, cpu_seconds, cpu_seconds + 1),
        (resource.RLIMIT_STACK, STACK_BYTES, STACK_BYTES),
        (resource.RLIMIT_FSIZE, 0, 0),
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_NPROC, 0, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES, OPEN_FILES),
        (resource.RLIMIT_MEMLOCK, 0, 0),
        (resource.RLIMIT_MSGQUEUE, 0, 0),
        (resource.RLIMIT_SIGPENDING, 0, 0),
        (resource.RLIMIT_NICE, 0, 0),
        (resource.RLIMIT_RTPRIO, 0, 0),
    ):
        _lower(kind, soft, hard)


def _lower(kind: int, soft: int, hard: int) -> None:
    """Sets a limit, never above what this process may have already."""
    highest = resource.getrlimit(kind)[1]
    if highest != resource.RLIM_INFINITY:
        soft, hard = min(soft, highest), min(hard, highest)
    resource.setrlimit(kind, (soft, hard))

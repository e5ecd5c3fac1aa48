"""The zygote's memory in huge pages: a fork copies one entry for two megabytes instead of five hundred (madvise(2)).

What no worker writes to stays huge, so neither its fork nor its end goes through it page by page: of the
processor time of a pdf worker that is a twentieth (measured). Kernels before 6.1 do not know the advice, and a
machine short of memory refuses it: then nothing changes.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Final

from fumehood.sandbox import system

HUGE_PAGE: Final = 2 * 1024 * 1024
"""On x86-64, and on aarch64 with pages of 4 KiB; elsewhere the kernel looks for its own size within the range."""


def collapse() -> None:
    """Asks for huge pages under all private memory of this process; needs `/proc`, so before the root is emptied."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as lines:
        found = list(ranges(lines))
    for start, end in found:
        with contextlib.suppress(OSError):
            system.collapse(start, end - start)


def ranges(maps: Iterable[str]) -> Iterator[tuple[int, int]]:
    """The whole huge pages within private, writable, anonymous mappings (proc_pid_maps(5))."""
    for line in maps:
        addresses, permissions, _offset, _device, inode, *name = line.split(maxsplit=5)
        if permissions != "rw-p" or inode != "0" or (name and name[0].strip() != "[heap]"):
            continue
        first, last = (int(address, 16) for address in addresses.split("-"))
        start, end = -(-first // HUGE_PAGE) * HUGE_PAGE, last // HUGE_PAGE * HUGE_PAGE
        if start < end:
            yield start, end

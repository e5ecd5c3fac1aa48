"""A worker holds its input, its reply pipe and its stderr, and no other descriptor: no sibling's, no zygote's."""

from __future__ import annotations

import fcntl
import os
import resource
from typing import Final

STDERR: Final = 2
INPUT: Final = 3
REPLY: Final = 4
CHANNEL: Final = 5
"""The job's socket, open only while the worker waits."""
CONTROL: Final = CHANNEL + 1
"""The zygote's socket to the parent, which no worker holds. At a place of its own, so that a filter can name it."""
ELSEWHERE: Final = CONTROL + 1
"""From this number on a worker has no business. Descriptors are moved there before they take their places."""


def waiting(channel: int, reply: int, stderr: int) -> None:
    """Moves the three to their places and closes everything else. Raises `OSError`."""
    _place({CHANNEL: channel, REPLY: reply, STDERR: stderr})
    os.closerange(0, STDERR)
    os.closerange(INPUT, REPLY)
    os.closerange(CONTROL, _end())


def control(descriptor: int) -> int:
    """Moves the zygote's socket to its place, and gives that. Raises `OSError`."""
    if descriptor != CONTROL:
        os.dup2(descriptor, CONTROL, inheritable=False)
        os.close(descriptor)
    return CONTROL


def working(document: int) -> None:
    """Puts the document in its place and closes what only a waiting worker needs. Raises `OSError`."""
    _place({INPUT: document})
    # It arrived under the lowest free number, which is one of these.
    os.closerange(0, STDERR)
    os.closerange(REPLY + 1, _end())


def _place(wanted: dict[int, int]) -> None:
    far = {place: fcntl.fcntl(descriptor, fcntl.F_DUPFD, ELSEWHERE) for place, descriptor in wanted.items()}
    for place, descriptor in far.items():
        os.dup2(descriptor, place, inheritable=False)


def _end() -> int:
    """One more than any descriptor this process can hold; `closerange` is one close_range(2) where the kernel has it."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return 1_048_576 if hard == resource.RLIM_INFINITY else min(hard, 1_048_576)

"""Acts on other workers of the same zygote, and the honest acts that those are busy with meanwhile."""

from __future__ import annotations

import errno
import os
import time

from tests.attacks.acts import process
from tests.attacks.calls import call

FORGED = b"fumehood-attack forged this"
_DESCRIPTORS = 1_024


def say(text: str, seconds: float = 0.0) -> str:
    """Honest: takes its time, then says `text`."""
    time.sleep(seconds)
    return text


def _try_write(descriptor: int) -> str:
    try:
        os.write(descriptor, FORGED)
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    return "done"


def write_every_descriptor(own: list[int]) -> str:
    """Every number a descriptor could have, but `own`. The kinds of outcome."""
    return " ".join(sorted({_try_write(number) for number in range(_DESCRIPTORS) if number not in own}))


def _try_open(path: str) -> str:
    try:
        descriptor = os.open(path, os.O_WRONLY)
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    os.close(descriptor)
    return "done"


def open_descriptors_of(pids: list[int], descriptor: int) -> str:
    """The descriptor of other processes through /proc (proc_pid_fd(5)). The kinds of outcome."""
    return " ".join(sorted({_try_open(f"/proc/{pid or os.getpid()}/fd/{descriptor}") for pid in pids}))


def neighbours() -> list[int]:
    """Siblings are forked one after another, so their numbers are near ours."""
    own = os.getpid()
    return [own + step for step in (-3, -2, -1, 1, 2, 3)]


def trace_neighbours() -> None:
    for pid in neighbours():
        process.attach(pid)


def write_into_neighbours() -> None:
    for pid in neighbours():
        process.write_memory(pid)


def take_descriptors_of_neighbours() -> None:
    for pid in neighbours():
        process.take_descriptor(call("pidfd_open", pid, 0))


def kill_neighbours() -> None:
    for pid in neighbours():
        process.kill(pid, 9)

"""Acts on other workers of the same zygote, and the honest acts that those are busy with meanwhile."""

from __future__ import annotations

import ctypes
import errno
import os
import time
from collections.abc import Callable, Iterable

from tests.attacks.acts import process
from tests.attacks.calls import address, call

FORGED = b"fumehood-attack forged this"
_DESCRIPTORS = 1_024
_SPOKEN = ctypes.create_string_buffer(256)
"""What a worker is about to say; at the same address in all of them, since they are copies of one zygote."""


def say(text: str, seconds: float = 0.0) -> str:
    """Honest: takes its time, then says `text`."""
    _SPOKEN.value = text.encode()
    time.sleep(seconds)
    return _SPOKEN.value.decode("utf-8", "replace")


def _each(act: Callable[[int], object], numbers: Iterable[int]) -> str:
    """The kinds of outcome of doing it to each."""
    seen = set()
    for number in numbers:
        try:
            act(number)
        except OSError as error:
            seen.add(errno.errorcode[error.errno or 0])
        else:
            seen.add("done")
    return " ".join(sorted(seen))


def _inode(number: int) -> int | None:
    """None where the filter does not let it be asked, or nothing is open."""
    try:
        return os.fstat(number).st_ino
    except OSError:
        return None


def write_every_descriptor(own: list[int]) -> str:
    """Every number a descriptor could have, but `own` and others for the same pipes: a reply spoilt by itself ends the attack."""
    pipes = {_inode(number) for number in own} - {None}
    numbers = (number for number in range(_DESCRIPTORS) if number not in own and _inode(number) not in pipes)
    return _each(lambda number: os.write(number, FORGED), numbers)


def _write_by_path(pid: int, descriptor: int) -> None:
    opened = os.open(f"/proc/{pid}/fd/{descriptor}", os.O_WRONLY)
    os.write(opened, FORGED)
    os.close(opened)


def open_descriptors_of(pids: list[int], descriptor: int) -> str:
    """The descriptor of other processes through /proc (proc_pid_fd(5))."""
    return _each(lambda pid: _write_by_path(pid, descriptor), _others(pids))


def _others(pids: list[int]) -> list[int]:
    own = os.getpid()
    return [pid for pid in pids if pid != own]


def trace(pids: list[int]) -> str:
    return _each(process.trace, _others(pids))


def write_into(pids: list[int]) -> str:
    return _each(lambda pid: process.write_memory(pid, address(_SPOKEN)), _others(pids))


def take_descriptors(pids: list[int], descriptor: int) -> str:
    def forge(pid: int) -> None:
        taken = call("pidfd_getfd", call("pidfd_open", pid, 0), descriptor, 0)
        os.write(taken, FORGED)

    return _each(forge, _others(pids))


def kill(pids: list[int]) -> str:
    return _each(lambda pid: os.kill(pid, 9), _others(pids))

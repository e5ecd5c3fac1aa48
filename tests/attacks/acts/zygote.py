"""Acts on the process that forked the worker: ending it, tracing it, reading and changing what its next children get."""

from __future__ import annotations

import ctypes
import os

from tests.attacks.acts import files, process
from tests.attacks.calls import address, call

ZYGOTE = os.getpid()
"""Whoever imports this is the zygote, long before a worker is forked: its number as its children see it."""

_VACANT = b"vacant"
_CELL = ctypes.create_string_buffer(_VACANT)
"""At the same address in every worker, since they are copies."""


def look() -> str:
    """What every worker gets from the zygote's memory."""
    return _CELL.value.decode()


def kill(number: int) -> None:
    os.kill(ZYGOTE, number)


def trace() -> None:
    process.trace(ZYGOTE)


def read_memory() -> str:
    return process.read_memory(ZYGOTE, address(_CELL), len(_VACANT))


def write_memory() -> None:
    process.write_memory(ZYGOTE, address(_CELL))


def write_memory_file() -> None:
    """By way of a path, which asks the same leave and ignores page protections (proc_pid_mem(5))."""
    memory = os.open(f"/proc/{ZYGOTE}/mem", os.O_WRONLY)
    os.pwrite(memory, b"forged", address(_CELL))


def read_environment() -> str:
    return files.read_environment(ZYGOTE)


def read_layout() -> str:
    return files.read_file(f"/proc/{ZYGOTE}/maps")


def take_descriptor(descriptor: int) -> str:
    """A descriptor of the zygote's own, such as its socket to the application. Which file it is."""
    taken = call("pidfd_getfd", call("pidfd_open", ZYGOTE, 0), descriptor, 0)
    return str(os.fstat(taken).st_ino)

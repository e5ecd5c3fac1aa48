"""A loader that does one forbidden thing: `files`, `network`, `fork`, `trace` or `kill`, and says what it met.

The document is `ACT PID PORT`: an application's process, and a port that it listens on.
"""

from __future__ import annotations

import ctypes
import errno
import os
import socket
from collections.abc import Callable
from typing import Final

from fumehood.kinds import ReadOptions
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import Builder

ENGINES: dict[str, str] = {}
DONE: Final = "done"
_PTRACE_SEIZE: Final = 0x4206
_libc: Final = ctypes.CDLL(None, use_errno=True)


def _files(_pid: int, _port: int) -> None:
    with open("/etc/passwd", "rb") as file:
        file.read(1)


def _network(_pid: int, port: int) -> None:
    with socket.socket() as client:
        client.connect(("127.0.0.1", port))


def _fork(_pid: int, _port: int) -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def _trace(pid: int, _port: int) -> None:
    if _libc.ptrace(_PTRACE_SEIZE, pid, None, None):
        raise OSError(ctypes.get_errno(), "ptrace")


def _kill(pid: int, _port: int) -> None:
    os.kill(pid, 0)


ACTS: Final[dict[str, Callable[[int, int], None]]] = {
    "files": _files,
    "network": _network,
    "fork": _fork,
    "trace": _trace,
    "kill": _kill,
}


def attempt(order: str) -> str:
    """`done`, or the name of the errno."""
    act, pid, port = order.split()
    try:
        ACTS[act](int(pid), int(port))
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, "EIO")
    return DONE


def load(data: bytes, out: Builder, _budget: Budget, _options: ReadOptions) -> None:
    out.paragraph(attempt(data.decode("ascii")))

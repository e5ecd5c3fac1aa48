"""Acts on the reply: the worker writes the bytes itself, since whoever has taken it over can."""

from __future__ import annotations

import base64
import contextlib
import ctypes
import errno
import os
import signal
import sys
import time
from collections.abc import Callable

from tests.attacks.calls import call, libc

REPLY = 4
"""The reply's descriptor (fumehood.sandbox.descriptors). Spelt out: an attacker knows it."""


def _write_all(data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(REPLY, view) :]


def write(data: str, repeat: int = 1, ending: str = "exit", first: str = "", last: str = "") -> None:
    """Writes base64 `first`, then `data` `repeat` times over, then `last`, and ends as `ending` says, never as a worker would."""
    piece = base64.b64decode(data)
    _write_all(base64.b64decode(first))
    for _ in range(repeat):
        _write_all(piece)
    _write_all(base64.b64decode(last))
    _ENDINGS[ending]()


def trickle(data: str, pause: float, ending: str = "sleep") -> None:
    """One byte at a time."""
    for byte in base64.b64decode(data):
        _write_all(bytes([byte]))
        time.sleep(pause)
    _ENDINGS[ending]()


def flood(descriptor: int, size: int) -> str:
    """Writes `size` bytes whether or not anybody takes them. What the refusals were."""
    piece = b"\x1b[2Jfumehood-attack\n" * 2_000
    seen: set[str] = set()
    for _ in range(0, size, len(piece)):
        try:
            os.write(descriptor, piece)
        except OSError as error:
            seen.add(errno.errorcode[error.errno or 0])
    return " ".join(sorted(seen)) or "done"


def print_flood(size: int) -> str:
    """The same through Python's own streams."""
    try:
        for _ in range(0, size, 20_000):
            print("x" * 20_000, flush=True)
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    return "done"


def duplicate_reply() -> None:
    os.dup2(REPLY, 1)


def close_reply() -> None:
    os.close(REPLY)


def say_much(size: int) -> str:
    """Honest, and as large as allowed."""
    return "x" * size


def _kill_self() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _kill_own_thread() -> None:
    call("tgkill", os.getpid(), call("gettid"), signal.SIGKILL)


def _crash() -> None:
    ctypes.string_at(0)


def _run_on() -> None:
    with contextlib.suppress(BaseException):
        time.sleep(86_400)


_ENDINGS: dict[str, Callable[[], object]] = {
    "exit": lambda: os._exit(0),
    "exit-1": lambda: os._exit(1),
    "return": lambda: None,
    "kill": _kill_self,
    "kill-thread": _kill_own_thread,
    "abort": lambda: libc.abort(),
    "segfault": _crash,
    "sleep": _run_on,
    "system-exit": lambda: sys.exit(0),
}

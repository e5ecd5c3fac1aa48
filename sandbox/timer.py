"""The kernel's own deadline for a worker: SIGKILL, a little after the parent should have ended it.

The parent's kill is the layer; this stands behind it, for a parent that is stopped, stuck or gone. SIGKILL can be
neither blocked nor handled, and the filter forbids to change or delete the timer (timer_create(2)).
"""

from __future__ import annotations

import ctypes
import math
import os
import signal
from typing import Final

from fumehood.sandbox import system

# arch/x86/entry/syscalls/syscall_64.tbl, include/uapi/asm-generic/unistd.h
TIMER_CREATE: Final = {"x86_64": 222, "aarch64": 107}
TIMER_SETTIME: Final = {"x86_64": 223, "aarch64": 110}
CLOCK_MONOTONIC: Final = 1
GRACE_SECONDS: Final = 0.5
_MACHINE: Final = os.uname().machine
"""Asked while it may be: the zygote's filter has no uname."""
_SIGEV_SIGNAL: Final = 0


class _SignalEvent(ctypes.Structure):
    """`struct sigevent` (include/uapi/asm-generic/siginfo.h): 64 bytes."""

    _fields_ = [
        ("value", ctypes.c_uint64),
        ("number", ctypes.c_int),
        ("notify", ctypes.c_int),
        ("padding", ctypes.c_char * 48),
    ]


class _TimerSetting(ctypes.Structure):
    """`struct itimerspec`: interval and first expiry, each in seconds and nanoseconds."""

    _fields_ = [
        ("interval_seconds", ctypes.c_int64),
        ("interval_nanoseconds", ctypes.c_int64),
        ("seconds", ctypes.c_int64),
        ("nanoseconds", ctypes.c_int64),
    ]


def install(wall_seconds: float) -> None:
    """Kills this process `wall_seconds` and a grace from now. Before the limit on pending signals, of which a timer needs one.

    Raises `OSError`; `KeyError` on a machine whose numbers we do not know.
    """
    event = _SignalEvent(0, signal.SIGKILL, _SIGEV_SIGNAL, b"")
    identifier = ctypes.c_int()
    system.syscall(TIMER_CREATE[_MACHINE], CLOCK_MONOTONIC, _pointer(event), _pointer(identifier))
    fraction, seconds = math.modf(wall_seconds + GRACE_SECONDS)
    setting = _TimerSetting(0, 0, int(seconds), int(fraction * 1e9))
    system.syscall(TIMER_SETTIME[_MACHINE], identifier.value, 0, _pointer(setting), None)


def _pointer(structure: ctypes.Structure | ctypes.c_int) -> ctypes.c_void_p:
    return ctypes.cast(ctypes.byref(structure), ctypes.c_void_p)

"""Landlock: no rules, so every right that the kernel's ABI knows is denied (landlock(7)).

Alone it does not stop `stat`, `chmod` by an owner, UDP, sockets already open, or anything that is not a
file, TCP, an abstract socket or a signal; the root, the network namespace and seccomp do.
"""

from __future__ import annotations

import ctypes
import os
from typing import Final

from fumehood.sandbox import system

_VERSION_FLAG: Final = 1 << 0

# include/uapi/linux/landlock.h: the highest right of each ABI.
_FS_BITS: Final = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_NET_FROM: Final = 4
_NET_RIGHTS: Final = 0b11
"""Bind and connect, TCP."""
_SCOPE_FROM: Final = 6
_SCOPES: Final = 0b11
"""Abstract UNIX sockets and signals."""


class _RulesetAttributes(ctypes.Structure):
    _fields_ = [("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


def abi() -> int:
    """The kernel's Landlock ABI, from 1. Raises `OSError`: ENOSYS or EOPNOTSUPP where there is none."""
    return system.syscall(system.SYS_LANDLOCK_CREATE_RULESET, 0, 0, _VERSION_FLAG)


def install() -> None:
    """Restricts this thread and its children for good. Needs `no_new_privs`. Raises `OSError`."""
    version = abi()
    attributes = _RulesetAttributes(fs=(1 << _FS_BITS[min(version, max(_FS_BITS))]) - 1)
    size = 8
    if version >= _NET_FROM:
        attributes.net, size = _NET_RIGHTS, 16
    if version >= _SCOPE_FROM:
        attributes.scoped, size = _SCOPES, 24
    pointer = ctypes.cast(ctypes.byref(attributes), ctypes.c_void_p)
    ruleset = system.syscall(system.SYS_LANDLOCK_CREATE_RULESET, pointer, size, 0)
    try:
        system.syscall(system.SYS_LANDLOCK_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)

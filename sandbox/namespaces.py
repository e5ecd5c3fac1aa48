"""Namespaces: the process sees no other process, no network, no mount and no IPC object (namespaces(7)).

Who has CAP_SYS_ADMIN makes them with it, so that they belong to the initial user namespace, and enters a
user namespace last, as nobody: capabilities in there count for none of the others. Who has not enters
the user namespace first and makes the others inside.
"""

from __future__ import annotations

import os
from typing import Final

from fumehood.sandbox import system
from fumehood.sandbox.layers import LayerName
from fumehood.sandbox.privileges import NOBODY

FLAGS: Final[dict[LayerName, int]] = {
    "mount-ns": system.CLONE_NEWNS,
    "net-ns": system.CLONE_NEWNET,
    "ipc-ns": system.CLONE_NEWIPC,
    "uts-ns": system.CLONE_NEWUTS,
    "pid-ns": system.CLONE_NEWPID,
}


def privileged() -> bool:
    """Whether this process can make namespaces without a user namespace."""
    needed = 1 << system.CAP_SYS_ADMIN | 1 << system.CAP_SETUID
    return os.geteuid() == 0 and system.effective_capabilities() & needed == needed


def enter_user(directory: int) -> None:
    """A user namespace that maps the caller to nobody and knows no one else. Raises `OSError`.

    `directory` is a descriptor of `/proc/self`; the process must be dumpable, or its files there belong
    to root. `setgroups` must be denied before a group can be mapped without privilege (user_namespaces(7)).
    """
    user, group = os.geteuid(), os.getegid()
    inside = inside_id(user)
    system.unshare(system.CLONE_NEWUSER)
    _write(directory, "setgroups", b"deny")
    _write(directory, "gid_map", b"%d %d 1" % (inside_id(group), group))
    _write(directory, "uid_map", b"%d %d 1" % (inside, user))


def inside_id(outside: int) -> int:
    """Who `outside` is inside: nobody, and never the same number, so that the mapping can be witnessed."""
    return NOBODY if outside != NOBODY else NOBODY - 1


def _write(directory: int, name: str, value: bytes) -> None:
    descriptor = os.open(name, os.O_WRONLY | os.O_CLOEXEC, dir_fd=directory)
    try:
        os.write(descriptor, value)
    finally:
        os.close(descriptor)

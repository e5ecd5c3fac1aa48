"""What a process may become: no user but nobody, no capability, no gain by exec, no debugger, no orphan.

`setresuid` resets both the parent-death signal and dumpability (measured, and prctl(2)), so those two
come after it.
"""

from __future__ import annotations

import contextlib
import os
import signal
from typing import Final

from fumehood.sandbox import system

NOBODY: Final = 65534
_LAST_CAPABILITY: Final = 63
# SECBIT_NOROOT, SECBIT_NO_SETUID_FIXUP, SECBIT_NO_CAP_AMBIENT_RAISE, each with its lock (capabilities(7)).
_SECUREBITS: Final = 0b11_00_11_11 | 0b11_00_00_00


def become_nobody() -> None:
    """Gives up root for good: supplementary groups, group, user. Raises `OSError`."""
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


def drop_capabilities() -> None:
    """Empties the bounding, ambient, inheritable, permitted and effective sets. Raises `OSError`."""
    with contextlib.suppress(
        OSError
    ):  # Only who holds CAP_SETPCAP may lock these; who does not has nothing to gain from them.
        system.prctl(system.PR_SET_SECUREBITS, _SECUREBITS)
    for capability in range(_LAST_CAPABILITY + 1):
        with contextlib.suppress(OSError):  # EINVAL past the kernel's last one, EPERM without CAP_SETPCAP.
            system.prctl(system.PR_CAPBSET_DROP, capability)
    with contextlib.suppress(OSError):  # EINVAL before Linux 4.3, which has no ambient set.
        system.prctl(system.PR_CAP_AMBIENT, system.PR_CAP_AMBIENT_CLEAR_ALL)
    system.clear_capabilities()


def no_new_privileges() -> None:
    """No later exec gives this process or its children more than they have; seccomp and Landlock ask for it."""
    system.prctl(system.PR_SET_NO_NEW_PRIVS, 1)


def not_dumpable() -> None:
    """No core dump, no ptrace and no reading of memory by a process of the same user."""
    system.prctl(system.PR_SET_DUMPABLE, 0)


def die_with_parent(parent: int) -> None:
    """SIGKILL when the thread that forked this process ends. Exits at once if `parent` is gone already."""
    system.prctl(system.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)

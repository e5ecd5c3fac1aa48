"""Puts this process into an environment as applications meet it, then becomes another program there.

Run as `python surroundings.py NAME PROGRAM [ARGUMENT ...]`. Each environment is this machine with something taken
away: by the user, by the kernel's own switches, and by a filter that answers as such a kernel or container does.
Needs root, who alone can become everybody; x86-64 only, as the filters' numbers are.
"""

from __future__ import annotations

import errno
import functools
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from fumehood.sandbox import seccomp, system
from fumehood.sandbox.bpf import ALLOW, OneOf, Rule, assemble, encode, errno_action
from fumehood.sandbox.privileges import no_new_privileges

USER: Final = 1000
_EVERYBODY: Final = b"0 0 65536"
_EPERM, _ENOSYS, _EINVAL = (errno_action(number) for number in (errno.EPERM, errno.ENOSYS, errno.EINVAL))

# arch/x86/entry/syscalls/syscall_64.tbl
_CLONE3, _UNSHARE, _SETNS, _MOUNT, _UMOUNT2, _PIVOT_ROOT, _PRCTL, _SECCOMP = 435, 272, 308, 165, 166, 155, 157, 317
_KEYCTL, _ADD_KEY, _REQUEST_KEY, _BPF, _USERFAULTFD, _IO_URING_SETUP, _PERF_EVENT_OPEN = (
    250,
    248,
    249,
    321,
    323,
    425,
    298,
)
_NO_MOUNTS: Final = [Rule(number, _EPERM) for number in (_MOUNT, _UMOUNT2, _PIVOT_ROOT, _SETNS)]
NO_NAMESPACES: Final = [Rule(_UNSHARE, _EPERM), Rule(_CLONE3, _ENOSYS), *_NO_MOUNTS]
ONLY_USER_NAMESPACES: Final = [
    Rule(_UNSHARE, ALLOW, (OneOf(0, (system.CLONE_NEWUSER,)),), _EPERM),
    Rule(_CLONE3, _ENOSYS),
    *_NO_MOUNTS,
]
CONTAINER: Final = [
    *NO_NAMESPACES,
    *(Rule(number, _EPERM) for number in (_KEYCTL, _ADD_KEY, _REQUEST_KEY, _BPF, _USERFAULTFD, _PERF_EVENT_OPEN)),
    Rule(_IO_URING_SETUP, _EPERM),
]
"""What the default profile of Docker and containerd answers, as far as a worker's layers are concerned."""
NO_LANDLOCK: Final = [Rule(system.SYS_LANDLOCK_CREATE_RULESET, _ENOSYS)]
NO_SECCOMP: Final = [
    Rule(_PRCTL, _EINVAL, (OneOf(0, (system.PR_SET_SECCOMP,)),), ALLOW),
    Rule(_SECCOMP, _EINVAL),
]
# CHOWN DAC_OVERRIDE FOWNER FSETID KILL SETGID SETUID SETPCAP NET_BIND_SERVICE NET_RAW SYS_CHROOT MKNOD AUDIT_WRITE SETFCAP
_CONTAINER_CAPABILITIES: Final = frozenset((0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31))


def answers(*rules: list[Rule]) -> None:
    """Loads a filter for good. Without `no_new_privs`, which is a layer of its own: so it needs CAP_SYS_ADMIN."""
    flat = [rule for some in rules for rule in some]
    audit = seccomp.ARCHITECTURES["x86_64"].audit
    seccomp.prepare(encode(assemble(audit, flat, refuse_from=None, default=ALLOW)))()


def become_user() -> None:
    os.setgroups([])
    os.setresgid(USER, USER, USER)
    os.setresuid(USER, USER, USER)


def forbid_user_namespaces() -> None:
    """A user namespace that knows everybody and may have none below it (namespaces(7), user.max_user_namespaces)."""
    ready, go = os.pipe(), os.pipe()
    owner = os.getpid()
    mapper = os.fork()
    if mapper == 0:  # Only who stays outside may map more than itself.
        os.read(ready[0], 1)
        for name in ("gid_map", "uid_map"):
            Path(f"/proc/{owner}/{name}").write_bytes(_EVERYBODY)
        os.write(go[1], b".")
        os._exit(0)
    system.unshare(system.CLONE_NEWUSER)
    os.write(ready[1], b".")
    os.read(go[0], 1)
    os.waitpid(mapper, 0)
    for descriptor in (*ready, *go):
        os.close(descriptor)
    Path("/proc/sys/user/max_user_namespaces").write_text("0")


def read_only_cgroups() -> None:
    """As container runtimes mount them."""
    system.unshare(system.CLONE_NEWNS)
    system.mount(None, b"/", None, system.MS_REC | system.MS_PRIVATE)
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, place, kind, *_ = line.split()
        if kind.startswith("cgroup"):
            remount = system.MS_REMOUNT | system.MS_RDONLY | 4096  # MS_BIND: this mount only
            system.mount(None, os.fsencode(place), None, remount)


def keep_container_capabilities() -> None:
    for capability in range(64):
        if capability not in _CONTAINER_CAPABILITIES:
            try:
                system.prctl(system.PR_CAPBSET_DROP, capability)
            except OSError:
                break  # Past the kernel's last one.


def _root() -> None:
    """Nothing is taken away."""


def _user_without_namespaces() -> None:
    forbid_user_namespaces()
    become_user()


def _ubuntu() -> None:
    answers(ONLY_USER_NAMESPACES)
    become_user()


def _container(*more: list[Rule]) -> None:
    read_only_cgroups()
    answers(CONTAINER, *more)
    keep_container_capabilities()


def _container_user() -> None:
    read_only_cgroups()
    answers(CONTAINER)
    no_new_privileges()
    become_user()


def _gvisor() -> None:
    answers(NO_LANDLOCK)


def _service() -> None:
    no_new_privileges()
    become_user()


def _hardened_service() -> None:
    answers(NO_NAMESPACES)
    no_new_privileges()
    become_user()


def _no_filters() -> None:
    answers(NO_SECCOMP)


def _nothing() -> None:
    answers(NO_NAMESPACES, NO_LANDLOCK, NO_SECCOMP)
    become_user()


ENVIRONMENTS: Final[dict[str, Callable[[], None]]] = {
    "host-root": _root,
    "host-user": become_user,
    "user-without-namespaces": _user_without_namespaces,
    "ubuntu-user": _ubuntu,
    "container-root": _container,
    "container-user": _container_user,
    "old-container-root": functools.partial(_container, NO_LANDLOCK),
    "gvisor": _gvisor,
    "service": _service,
    "hardened-service": _hardened_service,
    "no-filters": _no_filters,
    "nothing": _nothing,
}


if __name__ == "__main__":
    ENVIRONMENTS[sys.argv[1]]()
    os.execv(sys.argv[2], sys.argv[2:])

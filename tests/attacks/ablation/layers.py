"""The layers that can be left out, in the order in which they are asked, and what goes with each."""

from __future__ import annotations

from typing import Final

# The filters answer before anything of the call is done; then come the checks of the call itself, from the
# process's own to those of the world it sees; the parent comes last.
ORDER: Final = (
    "seccomp",
    "zygote-seccomp",
    "descriptors",
    "rlimits",
    "landlock",
    "dumpable",
    "capabilities",
    "uid",
    "no-new-privs",
    "root",
    "mount-ns",
    "net-ns",
    "ipc-ns",
    "uts-ns",
    "pid-ns",
    "user-ns",
    "parent-death",
    "cgroup",
    "watchdog",
    "deadline",
    "timer",
)

_NEEDED_BY: Final = {
    "mount-ns": ("root",),
    # The kernel takes neither from a process without capabilities that could gain some (seccomp(2), landlock(7)).
    "no-new-privs": ("seccomp", "zygote-seccomp", "landlock"),
}

Profile = frozenset[str]
"""The layers that are left out."""

NOTHING: Final[Profile] = frozenset()
EVERYTHING: Final[Profile] = frozenset(ORDER)


def closed(out: Profile) -> Profile:
    """`out`, and what cannot be there without one of it."""
    return out.union(*(_NEEDED_BY.get(name, ()) for name in out))

"""A zygote that lacks layers: the production one, with installers taken away before it starts.

Only tests have this entry. The package has no parameter, message or variable that does the same; what is
replaced here is replaced in this one interpreter, before its first message.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable
from typing import Any, Final, NoReturn

from fumehood.sandbox import (
    descriptors,
    landlock,
    namespaces,
    privileges,
    rlimits,
    root,
    seccomp,
    system,
    timer,
    zygote,
    zygote_seccomp,
)
from fumehood.sandbox.descriptors import CHANNEL, INPUT, REPLY, STDERR


def _refuse(*_arguments: Any) -> NoReturn:
    """As a kernel does that does not have it."""
    raise OSError(errno.ENOSYS, "left out")


def _nothing(_parent: int) -> None:
    pass


def _only_place(channel: int, reply: int, stderr: int) -> None:
    descriptors._place({CHANNEL: channel, REPLY: reply, STDERR: stderr})


def _only_place_document(document: int) -> None:
    descriptors._place({INPUT: document})


def _without_namespaces(left_out: frozenset[int]) -> Callable[[int], None]:
    unshare = system.unshare
    return lambda flags: _refuse() if flags in left_out else unshare(flags)


_REPLACED: Final[dict[str, tuple[tuple[Any, str, Callable[..., Any]], ...]]] = {
    "seccomp": ((seccomp.Filter, "assemble", _refuse),),
    "zygote-seccomp": ((zygote_seccomp, "install", _refuse),),
    "descriptors": ((descriptors, "waiting", _only_place), (descriptors, "working", _only_place_document)),
    "rlimits": ((rlimits, "install", _refuse),),
    "landlock": ((landlock, "install", _refuse),),
    "dumpable": ((privileges, "not_dumpable", _refuse),),
    "capabilities": ((privileges, "drop_capabilities", _refuse),),
    "uid": ((privileges, "become_nobody", _refuse),),
    "no-new-privs": ((privileges, "no_new_privileges", _refuse),),
    "root": ((root, "install", _refuse),),
    "user-ns": ((namespaces, "enter_user", _refuse),),
    "timer": ((timer, "install", _refuse),),
    "parent-death": ((privileges, "die_with_parent", _nothing),),
}


def leave_out(names: Iterable[str]) -> None:
    """Takes the installers of the layers `names` away from this process, for good."""
    flags = frozenset(flag for name, flag in namespaces.FLAGS.items() if name in names)
    replaced = [replacement for name in names for replacement in _REPLACED.get(name, ())]
    for module, attribute, instead in (*replaced, (system, "unshare", _without_namespaces(flags))):
        setattr(module, attribute, instead)


def main(control_descriptor: int, names: Iterable[str]) -> NoReturn:
    leave_out(names)
    zygote.main(control_descriptor)

"""An empty read-only root: there is no file to open (pivot_root(2), mount_namespaces(7))."""

from __future__ import annotations

import ctypes
import os
import platform
from typing import Final

from fumehood.sandbox import system

_PIVOT_ROOT: Final = {"x86_64": 155, "aarch64": 41}
_SIZE: Final = b"size=4k,nr_inodes=2,mode=0555"
_SAFE: Final = system.MS_NOSUID | system.MS_NODEV | system.MS_NOEXEC


def install() -> None:
    """Replaces the root by an empty file system, in this mount namespace only. Raises `OSError`.

    Mounted over `/tmp` or any other directory that exists; the old root is detached, so nothing of it can
    be reached by a path, `..` or a working directory.
    """
    number = _PIVOT_ROOT.get(platform.machine())
    if number is None:
        raise OSError(38, f"no system call table for {platform.machine()}")
    system.mount(None, b"/", None, system.MS_REC | system.MS_PRIVATE)
    place = _mount_point()
    system.mount(b"fumehood", place, b"tmpfs", _SAFE, _SIZE)
    os.chdir(place)
    _pivot(number)
    system.umount(b".", system.MNT_DETACH)
    system.mount(None, b"/", None, system.MS_REMOUNT | system.MS_RDONLY | _SAFE)
    os.chdir("/")


def _pivot(number: int) -> None:
    """`pivot_root(".", ".")` stacks the old root on the new one, which needs no directory for it (pivot_root(2))."""

    here = ctypes.c_char_p(b".")
    pointer = ctypes.cast(here, ctypes.c_void_p)
    system.syscall(number, pointer, pointer)


def _mount_point() -> bytes:
    for candidate in (b"/tmp", b"/var", b"/usr", b"/proc"):
        if os.path.isdir(candidate):
            return candidate
    raise OSError(2, "no directory to mount on")

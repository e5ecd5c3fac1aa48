"""The few system calls that Python does not wrap. Used by the zygote and its children only.

`ctypes.CDLL(None)` is the C library that is already loaded; `ctypes.util.find_library` would start
compilers and linkers found on PATH.
"""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Iterable
from typing import Final

_libc: Final = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long

# Numbers are the same on every architecture since Linux 5.1 (arch/*/syscall*.tbl, from 424 on).
SYS_LANDLOCK_CREATE_RULESET: Final = 444
SYS_LANDLOCK_RESTRICT_SELF: Final = 446

# prctl(2)
PR_SET_PDEATHSIG: Final = 1
PR_SET_DUMPABLE: Final = 4
PR_SET_SECCOMP: Final = 22
PR_CAPBSET_DROP: Final = 24
PR_SET_SECUREBITS: Final = 28
PR_SET_NO_NEW_PRIVS: Final = 38
PR_GET_NO_NEW_PRIVS: Final = 39
PR_CAP_AMBIENT: Final = 47
PR_CAP_AMBIENT_CLEAR_ALL: Final = 4

# clone(2), unshare(2)
CLONE_NEWNS: Final = 0x00020000
CLONE_NEWUTS: Final = 0x04000000
CLONE_NEWIPC: Final = 0x08000000
CLONE_NEWUSER: Final = 0x10000000
CLONE_NEWPID: Final = 0x20000000
CLONE_NEWNET: Final = 0x40000000

# mount(2), umount(2)
MS_RDONLY: Final = 1
MS_NOSUID: Final = 2
MS_NODEV: Final = 4
MS_NOEXEC: Final = 8
MS_REMOUNT: Final = 32
MS_REC: Final = 16384
MS_PRIVATE: Final = 1 << 18
MNT_DETACH: Final = 2

_MADV_COLLAPSE: Final = 25  # madvise(2)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(number: int, *arguments: int | ctypes.c_void_p | ctypes.Array[ctypes.c_char] | None) -> int:
    """A raw system call. Raises `OSError` with the kernel's errno."""
    widened = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    return _checked(_libc.syscall(ctypes.c_long(number), *widened), f"system call {number}")


def prctl(option: int, argument: int = 0, third: int = 0) -> int:
    return _checked(
        _libc.prctl(option, ctypes.c_ulong(argument), ctypes.c_ulong(third), ctypes.c_ulong(0), ctypes.c_ulong(0)),
        f"prctl {option}",
    )


def prctl_pointer(option: int, argument: int, pointer: ctypes.c_void_p) -> int:
    return _checked(
        _libc.prctl(option, ctypes.c_ulong(argument), pointer, ctypes.c_ulong(0), ctypes.c_ulong(0)), f"prctl {option}"
    )


def unshare(flags: int) -> None:
    _checked(_libc.unshare(ctypes.c_int(flags)), "unshare")


def mount(source: bytes | None, target: bytes, kind: bytes | None, flags: int, data: bytes | None = None) -> None:
    _checked(_libc.mount(source, target, kind, ctypes.c_ulong(flags), data), "mount")


def umount(target: bytes, flags: int) -> None:
    _checked(_libc.umount2(target, ctypes.c_int(flags)), "umount2")


def collapse(address: int, length: int) -> None:
    """Huge pages for `length` bytes from `address` on, at once (MADV_COLLAPSE, since Linux 6.1)."""
    _checked(_libc.madvise(ctypes.c_void_p(address), ctypes.c_size_t(length), _MADV_COLLAPSE), "madvise")


_UNTOLD_BYTES: Final = 1024 * 1024


class _MallocInfo(ctypes.Structure):
    """`struct mallinfo2` (mallinfo(3)): bytes free in all, and of them those at the top of the heap."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost",
        )
    ]  # fmt: skip


def fill_free_chunks(sizes: Iterable[int]) -> int:
    """Allocates, for good, every free chunk of the C library's heap but its top; returns how many bytes that took.

    `sizes`: bytes a piece, tried in their order. Raises `OSError` where the C library does not tell what is free
    (`mallinfo2`, since glibc 2.33).
    """
    try:
        mallinfo2 = _libc.mallinfo2
    except AttributeError:
        raise OSError(errno.ENOSYS, "no mallinfo2") from None
    mallinfo2.restype = _MallocInfo
    _libc.malloc.restype = _libc.sbrk.restype = ctypes.c_void_p
    _libc.malloc.argtypes, _libc.free.argtypes = [ctypes.c_size_t], [ctypes.c_void_p]
    free = mallinfo2()
    top = _libc.sbrk(0) - free.keepcost
    # Twice, since chunks in caches of its own are not told of; a bound all the same, should the top not be where we think.
    most, taken = 2 * (free.fordblks - free.keepcost) + _UNTOLD_BYTES, 0
    for size in sizes:
        while taken < most:
            address = _libc.malloc(size)
            if address is None or address >= top:
                _libc.free(address)
                break
            taken += size
    return taken


def sethostname(name: bytes) -> None:
    _checked(_libc.sethostname(name, ctypes.c_size_t(len(name))), "sethostname")


class _CapHeader(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


class _CapData(ctypes.Structure):
    _fields_ = [("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32)]


_CAPABILITY_VERSION_3: Final = 0x20080522
CAP_SETUID: Final = 7
CAP_SYS_ADMIN: Final = 21


def effective_capabilities() -> int:
    """The effective set as a bit mask (capabilities(7))."""
    header, data = _CapHeader(_CAPABILITY_VERSION_3, 0), (_CapData * 2)()
    _checked(_libc.capget(ctypes.byref(header), data), "capget")
    return int(data[0].effective | data[1].effective << 32)


def clear_capabilities() -> None:
    """Empties the effective, permitted and inheritable sets."""
    header, data = _CapHeader(_CAPABILITY_VERSION_3, 0), (_CapData * 2)()
    _checked(_libc.capset(ctypes.byref(header), data), "capset")


# ---- for the canaries --------------------------------------------------------------------------------

IPC_RMID: Final = 0
IPC_STAT: Final = 2
_libc.shmat.restype = ctypes.c_void_p
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]


def shared_segment() -> tuple[int, int]:
    """A System V segment that goes away with its last user: `(id, address)`."""
    identifier = _checked(_libc.shmget(0, ctypes.c_size_t(4096), 0o600), "shmget")
    address = _libc.shmat(identifier, None, 0)
    _checked(_libc.shmctl(identifier, IPC_RMID, None), "shmctl")
    if address in (None, ctypes.c_void_p(-1).value):
        raise OSError(ctypes.get_errno(), "shmat")
    return identifier, address


def stat_segment(identifier: int) -> None:
    _checked(_libc.shmctl(identifier, IPC_STAT, ctypes.create_string_buffer(256)), "shmctl")


def detach_segment(address: int) -> None:
    _checked(_libc.shmdt(ctypes.c_void_p(address)), "shmdt")


def map_memory(size: int, flags: int) -> None:
    """`mmap` of `size` readable and writable bytes; they stay mapped."""
    if _libc.mmap(None, size, 3, flags, -1, 0) == ctypes.c_void_p(-1).value:
        number = ctypes.get_errno()
        raise OSError(number, f"mmap: {os.strerror(number)}")


class _Iovec(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def read_other(pid: int, address: int, size: int) -> None:
    """`process_vm_readv` of another process's memory (checked like ptrace, ptrace(2))."""
    buffer = ctypes.create_string_buffer(size)
    local, remote = _Iovec(ctypes.addressof(buffer), size), _Iovec(address, size)
    _checked(
        _libc.process_vm_readv(
            pid, ctypes.byref(local), ctypes.c_ulong(1), ctypes.byref(remote), ctypes.c_ulong(1), ctypes.c_ulong(0)
        ),
        "process_vm_readv",
    )

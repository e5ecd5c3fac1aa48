"""Raw system calls: what code that has taken a parser over would make, past every wrapper.

Numbers from arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h; from 424 on they are
common to all architectures. Imported by the hostile loader before the lock, since `ctypes` needs files.
"""

from __future__ import annotations

import ctypes
import os
import platform
from typing import Final

Argument = int | bytes | ctypes.Array[ctypes.c_char] | None

OFFSPRING: Final = "fumehood-attack"
"""What a process that an attack made calls itself (comm(5): 15 letters)."""

libc: Final = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]

_BOTH: Final[dict[str, tuple[int | None, int | None]]] = {
    "read": (0, 63), "write": (1, 64), "open": (2, None), "creat": (85, None), "name_to_handle_at": (303, 264),
    "memfd_create": (319, 279), "socket": (41, 198), "connect": (42, 203), "sendmsg": (46, 211), "fcntl": (72, 25),
    "flock": (73, 32), "shmget": (29, 194), "semget": (64, 190), "msgget": (68, 186), "mq_open": (240, 180),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "fork": (57, None), "vfork": (58, None),
    "clone": (56, 220), "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131), "rt_sigqueueinfo": (129, 138), "unshare": (272, 97),
    "setns": (308, 268), "capset": (126, 91), "prctl": (157, 167), "seccomp": (317, 277), "ioprio_set": (251, 30),
    "personality": (135, 92), "userfaultfd": (323, 282), "bpf": (321, 280), "perf_event_open": (298, 241),
    "inotify_init1": (294, 26), "fanotify_init": (300, 262), "modify_ldt": (154, None), "mbind": (237, 235),
    "splice": (275, 76), "vmsplice": (278, 75), "sendfile": (40, 71), "copy_file_range": (326, 285),
    "ioctl": (16, 29), "clock_settime": (227, 112), "adjtimex": (159, 171), "timer_create": (222, 107),
    "setitimer": (38, 103), "pkey_mprotect": (329, 288), "remap_file_pages": (216, 234), "getpid": (39, 172),
    "gettid": (186, 178), "futex": (202, 98), "mlockall": (151, 230), "truncate": (76, 45), "setxattr": (188, 5),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "execveat": (322, 281), "settimeofday": (170, 170),
    "sched_setaffinity": (203, 122), "semtimedop": (220, 192), "quotactl": (179, 60), "kcmp": (312, 272),
}  # fmt: skip
_COMMON: Final = {
    "pidfd_send_signal": 424, "io_uring_setup": 425, "open_tree": 428, "fsopen": 430, "pidfd_open": 434, "clone3": 435,
    "openat2": 437, "pidfd_getfd": 438, "process_madvise": 440, "landlock_create_ruleset": 444, "memfd_secret": 447,
    "mseal": 462, "io_uring_enter": 426, "io_uring_register": 427,
}  # fmt: skip
_COLUMN: Final = {"x86_64": 0, "aarch64": 1}


def _numbers() -> dict[str, int]:
    column = _COLUMN.get(platform.machine())
    if column is None:
        return {}
    ours = {name: numbers[column] for name, numbers in _BOTH.items()}
    return {name: number for name, number in ours.items() if number is not None} | _COMMON


NUMBERS: Final = _numbers()
"""System call numbers of this machine by name; a name it does not have is missing."""


def checked(result: int | None) -> int:
    """`result` of a C function that says -1 for an error. Raises `OSError`."""
    if result is None or result == -1 or result == ctypes.c_void_p(-1).value:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def raw(number: int, *arguments: Argument) -> int:
    """The system call `number`. Raises `OSError` with the kernel's errno."""
    widened = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    return checked(libc.syscall(ctypes.c_long(number), *widened))


def call(name: str, *arguments: Argument) -> int:
    """The system call `name`. Raises `OSError`, or `KeyError` on an architecture that does not have it."""
    return raw(NUMBERS[name], *arguments)


def room(size: int = 256) -> ctypes.Array[ctypes.c_char]:
    """Zeroed memory for a structure that the kernel reads or fills."""
    return ctypes.create_string_buffer(size)


def address(buffer: ctypes.Array[ctypes.c_char]) -> int:
    return ctypes.addressof(buffer)


def map_pages(size: int, protection: int, flags: int) -> int:
    """The address of fresh memory. Raises `OSError`."""
    return checked(libc.mmap(None, size, protection, flags, -1, 0))

"""Acts on the kernel's own surface: calls that no parser needs and that have had more than their share of holes."""

from __future__ import annotations

import ctypes
import mmap
import os
import platform
import signal
import struct

from tests.attacks.calls import call, raw, room

_UFFD_USER_MODE_ONLY = 1
_BPF_MAP_CREATE = 0
_TIOCSTI = 0x5412
_CLOCK_MONOTONIC = 1
_X32_BIT = 0x40000000
_VSYSCALL_GETCPU = 0xFFFFFFFFFF600800
_FOREIGN_GETPID = bytes.fromhex("b814000000 cd80 c3")
"""mov eax, 20; int 0x80; ret: getpid of the 32-bit table."""


def _executable_page(code: bytes) -> int:
    """Made before the lock. A worker cannot make one; the attack gives it one, so that only the filter is left to refuse."""
    page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    _pages.append(page)
    return ctypes.addressof(ctypes.c_char.from_buffer(page))


_pages: list[mmap.mmap] = []
_FOREIGN_CODE = _executable_page(_FOREIGN_GETPID) if platform.machine() == "x86_64" else 0


def call_foreign_table() -> None:
    ctypes.CFUNCTYPE(ctypes.c_int)(_FOREIGN_CODE)()


def call_vsyscall() -> None:
    """getcpu(2) by the page at a fixed address; a filter's answer comes back as any call's does."""
    getcpu = ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(_VSYSCALL_GETCPU)
    result = getcpu(None, None, None)
    if result < 0:
        raise OSError(-result, os.strerror(-result))


def call_x32(number: int) -> None:
    raw(_X32_BIT | number)


def call_number(number: int) -> None:
    raw(number, 0, 0, 0, 0, 0, 0)


def call_by_name(name: str) -> None:
    """A call whose arguments are all refused by the kernel, if it comes as far: descriptor -1."""
    call(name, -1, 0, 0, 0, 0, 0)


def move_bytes() -> None:
    call("splice", -1, None, -1, None, 1, 0)


def make_ring() -> None:
    os.close(call("io_uring_setup", 1, room(120)))


def handle_faults() -> None:
    os.close(call("userfaultfd", os.O_CLOEXEC | _UFFD_USER_MODE_ONLY))


def load_map() -> None:
    """An array of one element of eight bytes: `union bpf_attr` is type, key, value, entries, flags."""
    attributes = struct.pack("=5I", 2, 4, 8, 1, 0) + bytes(48)
    os.close(call("bpf", _BPF_MAP_CREATE, attributes, len(attributes)))


def count_events() -> None:
    """A software counter of this process; `struct perf_event_attr` is type, size, config."""
    attributes = struct.pack("=IIQ", 1, 64, 0) + bytes(48)
    os.close(call("perf_event_open", attributes, 0, -1, -1, 0))


def watch_files() -> None:
    os.close(call("inotify_init1", 0))


def watch_every_file() -> None:
    os.close(call("fanotify_init", 0x200, 0))


def landlock_version() -> None:
    call("landlock_create_ruleset", None, 0, 1)


def read_segments() -> None:
    call("modify_ldt", 0, room(16), 16)


def set_memory_policy() -> None:
    call("mbind", 0, 0, 0, None, 0, 0)


def type_into_terminal() -> None:
    call("ioctl", -1, _TIOCSTI, b"x")


def set_clock() -> None:
    """The monotonic clock, which nobody may set: EINVAL, where the call is made at all (clock_settime(2))."""
    call("clock_settime", _CLOCK_MONOTONIC, bytes(16))


def read_clock_adjustment() -> None:
    call("adjtimex", room(256))


def make_timer() -> None:
    """`struct sigevent`: value, signo, notify."""
    call("timer_create", 0, struct.pack("=Qii", 0, signal.SIGALRM, 0) + bytes(48), room(8))


def set_timer() -> None:
    call("setitimer", 0, bytes(32), None)


def seal_nothing() -> None:
    """mseal(2) of no page: new, harmless, and not known to old C libraries."""
    call("mseal", 0, 0, 0)


def write_beyond_32_bits() -> None:
    """Descriptor 2 with a bit set above what the kernel looks at: a filter that compares halves must see both."""
    call("write", 2 + (1 << 32), b"", 0)


def set_day() -> None:
    """A zone's absence, which changes nothing: neither a time nor a zone (settimeofday(2))."""
    call("settimeofday", None, None)

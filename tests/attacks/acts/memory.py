"""Acts on memory: too much of it, or of a kind that a parser has no use for."""

from __future__ import annotations

import ctypes
import os
import time

from tests.attacks.calls import address, call, checked, libc, map_pages, room

_READ, _WRITE, _EXECUTE = 1, 2, 4
_SHARED, _PRIVATE, _ANONYMOUS, _NORESERVE = 1, 2, 0x20, 0x4000
_ORDINARY = _PRIVATE | _ANONYMOUS
_MREMAP_MAYMOVE = 1
_PAGE = 4096
_MCL_CURRENT = 1
_REG_EXTENDED = 1
_DEPTH = 400_000
_HOLD_SECONDS = 0.2

libc.sbrk.restype = ctypes.c_void_p
libc.mremap.restype = ctypes.c_void_p


def _hold() -> None:
    """Lets what was got be seen: a look at another process's memory comes now and then."""
    time.sleep(_HOLD_SECONDS)


def one_object(size: int) -> None:
    kept = bytearray(size)
    _hold()
    del kept


def many_objects(count: int) -> None:
    kept: list[object] = []
    for number in range(count):
        kept.append({number: [number]})
    _hold()


def fill_and_abort(size: int) -> None:
    """What C++ code does when it cannot allocate: std::terminate, abort()."""
    kept = bytearray(size)
    libc.abort()
    del kept


def map_shared(size: int) -> None:
    """Shared memory is not counted as data (setrlimit(2), RLIMIT_DATA). Touched, so that the kernel's count of it tells."""
    ctypes.memset(map_pages(size, _READ | _WRITE, _SHARED | _ANONYMOUS), 1, size)
    _hold()


def map_private(size: int) -> None:
    ctypes.memset(map_pages(size, _READ | _WRITE, _ORDINARY), 1, size)
    _hold()


def reserve(size: int) -> None:
    map_pages(size, _READ | _WRITE, _ORDINARY | _NORESERVE)


def map_executable() -> None:
    map_pages(_PAGE, _READ | _WRITE | _EXECUTE, _ORDINARY)


def make_executable() -> None:
    page = map_pages(_PAGE, _READ | _WRITE, _ORDINARY)
    checked(libc.mprotect(ctypes.c_void_p(page), ctypes.c_size_t(_PAGE), _READ | _EXECUTE))


def make_executable_by_key() -> None:
    call("pkey_mprotect", map_pages(_PAGE, _READ | _WRITE, _ORDINARY), _PAGE, _READ | _EXECUTE, -1)


def grow_mapping(size: int) -> None:
    page = map_pages(_PAGE, _READ | _WRITE, _ORDINARY)
    grown = checked(libc.mremap(ctypes.c_void_p(page), ctypes.c_size_t(_PAGE), ctypes.c_size_t(size), _MREMAP_MAYMOVE))
    ctypes.memset(grown, 1, size)
    _hold()


def grow_break(size: int) -> None:
    ctypes.memset(checked(libc.sbrk(ctypes.c_ssize_t(size))), 1, size)
    _hold()


def shuffle_pages() -> None:
    call("remap_file_pages", 0, 0, 0, 0, 0)


def lock_memory() -> None:
    call("mlockall", _MCL_CURRENT)


def advise(advice: int) -> None:
    page = map_pages(_PAGE, _READ | _WRITE, _ORDINARY)
    checked(libc.madvise(ctypes.c_void_p(page), ctypes.c_size_t(_PAGE), advice))


def recurse_in_c() -> None:
    """The C library's regcomp calls itself once for each parenthesis, and asks nobody how deep."""
    libc.regcomp(room(1024), b"(" * _DEPTH, _REG_EXTENDED)


def read_nothing() -> None:
    ctypes.string_at(0)


def write_nothing() -> None:
    ctypes.memset(1, 0, 1)


def smash_stack() -> None:
    """Writes past the end of a buffer until something breaks."""
    ctypes.memset(address(room(16)), 0x41, 1 << 34)


def end_by_assertion() -> None:
    libc.abort()


def leave(status: int) -> None:
    os._exit(status)

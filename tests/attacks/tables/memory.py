"""Attacks on memory: no more than allowed, none of it executable, none of it shared."""

from __future__ import annotations

from tests.attacks.attack import LIMITS, MIB, POLICY, Attack
from tests.attacks.tables import reasons

_GIB = 1024 * MIB
_TWICE = {"size": 2 * LIMITS.heap_bytes}
"""More than a worker may have, and no harm to a machine where nothing stops it."""
_PAGE = {"size": 4096}
_MERGEABLE, _HUGE, _DONT_FORK = 12, 14, 10
_CRASH = reasons.OWN_CRASH

ATTACKS = (
    Attack("memory.one_object", "memory", _TWICE),
    Attack("memory.one_object", "memory", {"size": 8 * _GIB}, harmless=_TWICE, name="one_huge_object"),
    Attack("memory.many_objects", "memory", {"count": 10**9}, harmless={"count": 300_000}),
    # An abort() with at least half of the heap in use is a C library that ran out of it; with less it is a crash.
    Attack("memory.fill_and_abort", "memory", {"size": 48 * MIB}, outside="SIGABRT", no_layer=_CRASH),
    Attack("memory.end_by_assertion", "crashed", outside="SIGABRT", no_layer=_CRASH),
    Attack("memory.map_shared", "EINVAL", _PAGE, word=reasons.INSIDE),
    Attack("memory.map_shared", "EINVAL", _TWICE, name="map_much_shared", word=reasons.COUNTED),
    Attack("memory.map_private", "ENOMEM", _TWICE, word=reasons.COUNTED),
    Attack(
        "memory.reserve",
        "ENOMEM",
        {"size": 1024 * _GIB},
        unless=("ENOMEM",),
        word=reasons.COUNTED,
        alone=reasons.UNTOUCHED,
    ),
    Attack("memory.grow_mapping", "ENOMEM", _TWICE, word=reasons.COUNTED),
    Attack("memory.grow_break", "ENOMEM", _TWICE, word=reasons.COUNTED),
    Attack("memory.map_executable", "EINVAL", word=reasons.INSIDE),
    Attack("memory.make_executable", "EINVAL", word=reasons.INSIDE),
    Attack("memory.make_executable_by_key", POLICY, unless=("ENOSYS",)),
    Attack("memory.shuffle_pages", POLICY, outside="EINVAL", unless=("ENOSYS",)),
    Attack("memory.lock_memory", POLICY, unless=("ENOMEM", "EPERM")),
    Attack(
        "memory.advise",
        "EINVAL",
        {"advice": _MERGEABLE},
        unless=("EINVAL",),
        name="advise_mergeable",
        word=reasons.INSIDE,
    ),
    Attack("memory.advise", "EINVAL", {"advice": _HUGE}, unless=("EINVAL",), name="advise_huge", word=reasons.INSIDE),
    Attack("memory.advise", "EINVAL", {"advice": _DONT_FORK}, name="advise_no_fork", word=reasons.INSIDE),
    Attack(
        "memory.recurse_in_c",
        "crashed",
        limits=LIMITS.replace(heap_bytes=512 * MIB),
        outside="SIGSEGV",
        no_layer=_CRASH,
    ),
    Attack("memory.read_nothing", "crashed", outside="SIGSEGV", no_layer=_CRASH),
    Attack("memory.write_nothing", "crashed", outside="SIGSEGV", no_layer=_CRASH),
    Attack("memory.smash_stack", "crashed", outside="SIGSEGV", no_layer=_CRASH),
)

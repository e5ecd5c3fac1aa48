"""Attacks on memory: no more than allowed, none of it executable, none of it shared."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.attacks.attack import LIMITS, MIB, POLICY, Attack

_GIB = 1024 * MIB
_SMALL = {"size": MIB}
_MERGEABLE, _HUGE, _DONT_FORK = 12, 14, 10
_DEATHS = ("SIGSEGV", "SIGBUS")

ATTACKS = (
    Attack("memory.one_object", "memory", {"size": 8 * _GIB}, outside_arguments=_SMALL),
    Attack("memory.many_objects", "memory", {"count": 10**9}, outside_arguments={"count": 1_000}),
    # An abort() with at least half of the heap in use is a C library that ran out of it; with less it is a crash.
    Attack("memory.fill_and_abort", "memory", {"size": 48 * MIB}, outside="SIGABRT"),
    Attack("memory.end_by_assertion", "crashed", outside="SIGABRT"),
    Attack("memory.map_shared", "EINVAL", _SMALL),
    Attack("memory.map_unreserved", "ENOMEM", {"size": 1024 * _GIB}, unless=("ENOMEM",)),
    Attack("memory.grow_mapping", "ENOMEM", {"size": 2 * _GIB}, unless=("ENOMEM",)),
    Attack("memory.grow_break", "ENOMEM", {"size": 2 * _GIB}, unless=("ENOMEM",)),
    Attack("memory.map_executable", "EINVAL"),
    Attack("memory.make_executable", "EINVAL"),
    Attack("memory.make_executable_by_key", POLICY, unless=("ENOSYS",)),
    Attack("memory.shuffle_pages", POLICY, outside="EINVAL", unless=("ENOSYS",)),
    Attack("memory.lock_memory", POLICY, unless=("ENOMEM", "EPERM")),
    Attack("memory.advise", "EINVAL", {"advice": _MERGEABLE}, unless=("EINVAL",), name="advise_mergeable"),
    Attack("memory.advise", "EINVAL", {"advice": _HUGE}, unless=("EINVAL",), name="advise_huge"),
    Attack("memory.advise", "EINVAL", {"advice": _DONT_FORK}, name="advise_no_fork"),
    Attack("memory.recurse_in_c", "crashed", limits=LIMITS.replace(heap_bytes=512 * MIB), outside="SIGSEGV"),
    Attack("memory.read_nothing", "crashed", outside="SIGSEGV"),
    Attack("memory.write_nothing", "crashed", outside="SIGSEGV"),
    Attack("memory.smash_stack", "crashed", outside="SIGSEGV"),
)


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
def test_is_refused(attack: Attack, refused: Callable[[Attack], None]) -> None:
    refused(attack)


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
def test_succeeds_outside(attack: Attack, succeeds_outside: Callable[[Attack], None]) -> None:
    succeeds_outside(attack)

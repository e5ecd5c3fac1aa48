"""The allow-list is what workers were seen to need, and what has a reason: no wider, no narrower.

After a change of loaders, libraries or the filter: `python benchmarks/syscalls.py FOLDER`.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

from fumehood.sandbox import seccomp
from tests.drift import lock, trace
from tests.drift.calls import ABORT, Call, action, grants, looked_at, on, used

MACHINES: Final = tuple(seccomp.ARCHITECTURES)
OTHERS: Final = tuple(machine for machine in MACHINES if machine != lock.RECORDED)

families = pytest.mark.parametrize("family", lock.families())


def seen() -> frozenset[Call]:
    """By any family."""
    return frozenset(call for family in lock.families() for call in lock.read(family))


def test_every_family_has_its_lock_file_and_no_other_has_one() -> None:
    assert sorted(lock.FOLDER.glob("*.lock")) == [lock.path(family) for family in lock.families()]


@families
def test_the_allow_list_is_not_narrower_than_seen(family: str) -> None:
    """Each recorded call gets the answer that it got when it was recorded; none is killed for."""
    recorded = lock.read(family)
    answers = {str(call): action(lock.RECORDED, call) for call in recorded}
    assert answers == {str(call): answer for call, answer in recorded.items()}
    assert "killed" not in answers.values()


def test_the_allow_list_is_not_wider_than_needed() -> None:
    unexplained = grants(lock.RECORDED) - used(lock.RECORDED, seen()) - lock.reasons().keys()
    assert sorted(unexplained) == [], "allowed, never seen, and without a reason in sandbox/syscalls/unseen.tsv"


def test_reasons_are_for_what_is_allowed_and_unseen() -> None:
    reasons = lock.reasons()
    assert all(reasons.values())
    assert sorted(reasons.keys() - grants(lock.RECORDED)) == [], "no longer allowed"
    assert sorted(reasons.keys() & used(lock.RECORDED, seen())) == [], "seen by now"


@families
def test_nothing_but_memory_and_three_descriptors_is_needed(family: str) -> None:
    """No worker of ours looks for a file, asks the time of the kernel, or signals: whoever adds one is told here."""
    names = {call.name for call in lock.read(family)}
    assert names <= {"brk", "close", "exit_group", "lseek", "mmap", "mremap", "munmap", "read", "write"}


@pytest.mark.parametrize("machine", OTHERS)
def test_another_machine_is_simulated(machine: str) -> None:
    """Not run there: its filter, over its own table, must give every recorded call the same answer."""
    calls = seen() | {ABORT}
    assert {str(call): action(machine, on(machine, call)) for call in calls} == {
        str(call): action(lock.RECORDED, call) for call in calls
    }
    assert grants(machine) <= grants(lock.RECORDED), "allowed there and not here"


def test_our_own_documents_make_no_other_calls() -> None:
    """Recorded here and now; a call that is denied, such as a search for a file, is a difference too."""
    why = trace.available() if os.uname().machine == lock.RECORDED else f"recorded on {lock.RECORDED} only"
    if why is not None:
        pytest.skip(why)
    now = trace.record(lock.RECORDED, lock.families())
    assert now
    allowed = grants(lock.RECORDED)
    drifted = [call for call in now - seen() if not used(lock.RECORDED, [call]) <= allowed]
    assert sorted(map(str, drifted)) == []


_FOREIGN: Final = """\
openat(0xffffff9c, 0x7f0d34bc7d20, 0x80000, 0) = 0x3
prctl(0x16, 0x2, 0x7f0d352e38e0, 0, 0)  = 0
write(0x4, 0x7f0d34bc7d20, 0x47)        = 0x47
lseek(0x3, 0, 0x2)                      = 0x7c58
"""


def test_only_what_comes_behind_the_filter_counts() -> None:
    trace_ = (
        _FOREIGN + "openat(0xffffff9c, 0x7f0d34bc7d20, 0x80000, 0) = -1 EACCES (Permission denied)\nexit_group(0) = ?\n"
    )
    assert [str(call) for call in trace.calls("x86_64", trace_)] == [
        "write descriptor=0x4", "lseek", "openat", "exit_group"
    ]  # fmt: skip
    assert action("x86_64", Call("openat")) == "EACCES"


def test_a_worker_that_is_killed_for_a_call_fails_the_recording() -> None:
    with pytest.raises(trace.Killed, match=r"^socket\(0x2"):
        list(trace.calls("x86_64", _FOREIGN + "socket(0x2, 0x80001, 0) = 0x29\n+++ killed by SIGSYS +++\n"))


def test_a_canary_is_no_worker() -> None:
    canary = "prctl(0x16, 0x2, 0x7f0d352e38e0, 0, 0) = 0\nsocket(0x2, 0x80001, 0) = 0x29\n+++ killed by SIGSYS +++\n"
    assert list(trace.calls("x86_64", canary)) == []


def test_a_lock_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    calls = {Call("brk"), Call("mmap", ((2, 3), (3, 0x22))), Call("openat"), ABORT}
    lock.write("plain", calls, tmp_path)
    assert lock.read("plain", tmp_path) == {call: action(lock.RECORDED, call) for call in calls}
    assert set(lock.read("plain", tmp_path).values()) == {"allowed", "EACCES"}


def test_a_wider_filter_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the drift tests are for: one more value of an argument, one more call."""
    before = grants("x86_64")
    monkeypatch.setattr(seccomp, "_MADVICE", (*seccomp._MADVICE, 14))
    assert grants("x86_64") - before == {"madvise advice=0xe"}
    assert looked_at("x86_64")["madvise"] == (2,)

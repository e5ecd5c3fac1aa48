"""Attacks on processes: none can be made, ended, looked into or impersonated."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.attacks.attack import POLICY, Attack, touched_file, victim

_ALL, _GROUP = {"pid": -1, "number": 9}, {"pid": 0, "number": 9}
_ZYGOTE = {"pid": 1}
"""The zygote's number in its own PID namespace."""
_SHARED_STACK = "a child by vfork runs on our stack; outside, returning to Python in it ends anyhow"

ATTACKS = (
    Attack("process.fork", POLICY),
    Attack("process.raw_fork", POLICY, needs=("fork",)),
    Attack("process.raw_vfork", POLICY, needs=("vfork",), outside=None, why=_SHARED_STACK),
    Attack("process.raw_clone", POLICY),
    # Answered, not punished: a C library that hears ENOSYS falls back to clone, and is killed for that.
    Attack("process.raw_clone3", "ENOSYS"),
    Attack("process.thread", POLICY),
    Attack("process.daemon", POLICY),
    Attack("process.new_session", POLICY),
    Attack("process.execute", POLICY, witness=touched_file, outside="exit 0"),
    Attack("process.spawn", POLICY, witness=touched_file),
    Attack("process.kill", POLICY, {"number": 9}, witness=victim),
    Attack("process.kill_thread", POLICY, {"number": 9}, witness=victim),
    Attack("process.kill_any_thread", POLICY, {"number": 9}, witness=victim),
    Attack("process.queue_signal", POLICY, {"number": 9}, witness=victim),
    # With signal 0 the same call only asks whether it might.
    Attack("process.kill", POLICY, _ALL, outside_arguments={"number": 0}, name="kill_everybody"),
    Attack("process.kill", POLICY, _GROUP, outside_arguments={"number": 0}, name="kill_group"),
    Attack(
        "process.kill",
        POLICY,
        {**_ZYGOTE, "number": 9},
        outside=None,
        name="kill_zygote",
        why="process 1 is the machine's own outside",
    ),
    Attack("process.kill_self", POLICY, {"number": 19}, outside_arguments={"number": 0}, name="stop_self"),
    Attack("process.ignore_signal", POLICY),
    Attack(
        "process.attach",
        POLICY,
        _ZYGOTE,
        outside=None,
        name="trace_zygote",
        why="process 1 is the machine's own outside; be_traced is its control",
    ),
    Attack("process.be_traced", POLICY),
    Attack("process.read_memory", POLICY),
    Attack("process.write_memory", POLICY),
    Attack("process.open_process", POLICY, _ZYGOTE),
    Attack("process.take_descriptor", POLICY, {"pidfd": -1}, outside="EBADF"),
    Attack("process.signal_by_descriptor", POLICY, {"pidfd": -1}, outside="EBADF"),
    Attack("process.new_user_namespace", POLICY, unless=("EPERM", "ENOSPC")),
    Attack("process.enter_namespace", POLICY, {"descriptor": -1}, outside="EBADF"),
    Attack("process.set_users", POLICY),
    Attack("process.set_groups", POLICY, unless=("EPERM",)),
    Attack("process.set_capabilities", POLICY),
    Attack("process.be_dumpable", POLICY),
    Attack("process.listen_to_filter", POLICY, outside_arguments={"prepare": True}, unless=("EINVAL", "EBUSY")),
    Attack("process.raise_limit", POLICY),
    Attack("process.change_schedule", POLICY),
    Attack("process.be_nice", POLICY),
    Attack("process.change_io_priority", POLICY),
    Attack("process.execute_what_is_read", POLICY),
    Attack("process.parent", POLICY),
)


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
def test_is_refused(attack: Attack, refused: Callable[[Attack], None]) -> None:
    refused(attack)


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
def test_succeeds_outside(attack: Attack, succeeds_outside: Callable[[Attack], None]) -> None:
    succeeds_outside(attack)

"""Attacks on processes: none can be made, ended, looked into or impersonated."""

from __future__ import annotations

from tests.attacks.attack import POLICY, Attack
from tests.attacks.tables import reasons
from tests.attacks.witnesses import offspring, stranger, touched_file, victim

_ALL, _GROUP = {"pid": -1, "number": 9}, {"pid": 0, "number": 9}
_ASK = {"number": 0}
"""With signal 0 the same call only asks whether it might (kill(2))."""
_SHARED_STACK = "a child by vfork runs on our stack; outside, returning to Python in it ends anyhow"

ATTACKS = (
    Attack("process.fork", POLICY, witness=offspring),
    Attack("process.raw_fork", POLICY, witness=offspring, needs=("fork",)),
    Attack("process.raw_vfork", POLICY, needs=("vfork",), outside=None, why=_SHARED_STACK),
    Attack("process.raw_clone", POLICY, witness=offspring),
    # Answered, not punished: a C library that hears ENOSYS falls back to clone, and is killed for that.
    Attack("process.raw_clone3", "ENOSYS", witness=offspring),
    Attack("process.clone_sharing_memory", POLICY),
    Attack("process.thread", POLICY),
    Attack("process.threads", POLICY),
    Attack("process.fork_bomb", POLICY, witness=offspring),
    Attack("process.daemon", POLICY, witness=offspring),
    Attack("process.new_session", POLICY),
    Attack("process.execute", POLICY, witness=touched_file, outside="exit 0"),
    Attack("process.spawn", POLICY, witness=touched_file),
    Attack("process.kill", POLICY, {"number": 9}, witness=victim),
    Attack("process.kill_thread", POLICY, {"number": 9}, witness=victim),
    Attack("process.kill_any_thread", POLICY, {"number": 9}, witness=victim),
    Attack("process.queue_signal", POLICY, {"number": 9}, witness=victim),
    Attack("process.signal_by_descriptor", POLICY, witness=victim),
    Attack("process.signal_by_number", POLICY, {"pidfd": -1}, outside="EBADF"),
    Attack("process.kill", POLICY, _ALL, harmless=_ASK, name="kill_everybody"),
    Attack("process.kill", POLICY, _GROUP, harmless=_ASK, name="kill_group"),
    Attack("process.kill_self", POLICY, {"number": 19}, harmless=_ASK, name="stop_self"),
    Attack("process.ignore_signal", POLICY),
    Attack("process.trace", POLICY, witness=victim),
    Attack("process.be_traced", POLICY),
    Attack("process.read_memory", POLICY, witness=stranger),
    Attack("process.write_memory", POLICY, witness=stranger),
    Attack("process.take_descriptor", POLICY, witness=stranger),
    Attack("process.take_by_number", POLICY, {"pidfd": -1}, outside="EBADF"),
    Attack("process.compare_descriptors", POLICY, {"pid": 2**22 + 1}, outside="ESRCH", unless=("ENOSYS",)),
    Attack("process.new_user_namespace", POLICY, unless=("EPERM", "ENOSPC")),
    Attack("process.enter_namespace", POLICY, {"descriptor": -1}, outside="EBADF"),
    Attack("process.set_users", POLICY),
    Attack("process.become_root", POLICY, unless=("EPERM",)),
    Attack("process.set_groups", POLICY, unless=("EPERM",)),
    Attack("process.set_capabilities", POLICY),
    Attack("process.be_dumpable", POLICY),
    Attack("process.outlive_parent", POLICY),
    Attack("process.move_own_memory_map", POLICY, unless=("EINVAL", "EPERM")),
    Attack("process.be_strict", POLICY, outside="EINVAL"),
    Attack("process.listen_to_filter", POLICY, harmless={"prepare": True}, unless=("EINVAL", "EBUSY")),
    Attack("process.raise_limit", POLICY, alone=reasons.AS_BEFORE),
    Attack("process.change_schedule", POLICY),
    Attack("process.choose_processors", POLICY),
    Attack("process.be_nice", POLICY),
    Attack("process.change_io_priority", POLICY),
    Attack("process.execute_what_is_read", POLICY),
    Attack("process.parent", POLICY, alone=reasons.NO_SECRET),
)

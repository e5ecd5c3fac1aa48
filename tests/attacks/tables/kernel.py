"""Attacks on the kernel's surface: what no parser needs is not there."""

from __future__ import annotations

from tests.attacks.attack import POLICY, Attack
from tests.attacks.calls import NUMBERS
from tests.attacks.tables import reasons

_GETPID = NUMBERS.get("getpid", 0)
_NOWHERE = 1_000_000
_NO_DESCRIPTOR = (
    "vmsplice", "sendfile", "copy_file_range", "process_madvise", "io_uring_enter",
)  # fmt: skip
"""Calls that a bad descriptor ends outside, harmlessly, with EBADF."""

ATTACKS = (
    Attack("kernel.make_ring", POLICY, unless=("ENOSYS", "EPERM")),
    Attack(
        "kernel.call_by_name",
        POLICY,
        {"name": "io_uring_register"},
        outside="EINVAL",
        unless=("ENOSYS",),
        name="io_uring_register",
    ),
    Attack("kernel.handle_faults", POLICY, unless=("ENOSYS", "EPERM")),
    Attack("kernel.load_map", POLICY, unless=("ENOSYS", "EPERM")),
    Attack("kernel.count_events", POLICY, unless=("ENOSYS", "EPERM", "EACCES")),
    Attack("kernel.watch_files", POLICY),
    Attack("kernel.watch_every_file", POLICY, unless=("ENOSYS", "EPERM")),
    Attack("kernel.landlock_version", POLICY, alone=reasons.ONLY_LESS, unless=("ENOSYS", "EOPNOTSUPP")),
    Attack("kernel.read_segments", POLICY, needs=("modify_ldt",), unless=("ENOSYS",)),
    # The attack is given a page of foreign code that a worker could not make: the filter looks at the table, too.
    Attack("kernel.call_foreign_table", POLICY, needs=("fork",), unless=("SIGSEGV",)),
    Attack("kernel.call_x32", POLICY, {"number": _GETPID}, needs=("fork",), outside="ENOSYS", unless=("done",)),
    Attack("kernel.call_vsyscall", POLICY, needs=("fork",), unless=("SIGSEGV",)),
    Attack("kernel.call_number", POLICY, {"number": -1}, outside="ENOSYS", name="call_minus_one"),
    Attack("kernel.call_number", POLICY, {"number": _NOWHERE}, outside="ENOSYS", name="call_unknown"),
    # New calls are answered, not punished, since C libraries try them and fall back.
    Attack("kernel.seal_nothing", "ENOSYS", unless=("ENOSYS",), word=reasons.EMPTY),
    *(
        Attack("kernel.call_by_name", POLICY, {"name": name}, outside="EBADF", unless=("EINVAL", "ENOSYS"), name=name)
        for name in _NO_DESCRIPTOR
    ),
    Attack("kernel.move_bytes", POLICY, outside="EBADF"),
    Attack("kernel.set_memory_policy", POLICY, unless=("ENOSYS",)),
    Attack("kernel.type_into_terminal", POLICY, outside="EBADF"),
    Attack("kernel.set_clock", POLICY, outside="EINVAL"),
    Attack("kernel.set_day", POLICY, unless=("EPERM",)),
    Attack("kernel.read_clock_adjustment", POLICY),
    Attack("kernel.make_timer", POLICY),
    Attack("kernel.set_timer", POLICY),
    Attack("kernel.write_beyond_32_bits", "EBADF", word=reasons.EMPTY),
)

"""The attacks that a survey of other sandboxes' tests and holes named, each with what tries it here.

The survey's numbers are kept so that nothing of it can be dropped unnoticed.
"""

from __future__ import annotations

from typing import Final


class Elsewhere(str):
    """Tried by other tests, or not applicable: where, or why."""


_FORGED: Final = "forged: "
"""A reply of test_protocol.py, by its name."""

SURVEY: Final[dict[int, tuple[str, ...] | Elsewhere]] = {
    # Files
    1: ("files.read_file", "files.read_by_old_number", "files.read_by_new_number"),
    2: ("files.read_own_source",),
    3: ("files.stat_file",),
    4: ("files.list_directory",),
    5: ("files.create_file", "files.create_here", "files.create_shared_memory"),
    6: (
        "files.unlink",
        "files.rename",
        "files.change_mode",
        "files.change_times",
        "files.truncate",
        "files.set_attribute",
    ),
    7: ("files.make_symlink", "files.make_hard_link", "files.read_by_new_number", "files.file_handle"),
    8: ("files.write_own_memory",),
    9: ("files.read_environment", "files.read_memory_file", "files.read_descriptor_of", "zygote.read_layout"),
    10: ("files.memory_file", "files.execute_memory"),
    11: ("files.mount_over", "files.pivot_root", "files.change_root", "files.new_file_system", "files.open_tree"),
    # Network and channels
    12: ("network.connect_tcp", "network.connect_tcp_v6"),
    13: ("network.send_udp",),
    14: ("network.connect_unix", "network.connect_abstract"),
    15: ("network.netlink", "network.vsock", "network.packet", "network.kernel_crypto"),
    16: ("network.socket_pair",),
    17: ("network.resolve_name",),
    18: ("network.shared_memory", "network.semaphore", "network.message_queue"),
    19: ("network.posix_queue",),
    20: ("network.add_key", "network.ask_keyring", "network.request_key"),
    21: ("network.lock_file", "network.lock_record", "network.lock_open_file", "network.lease_file"),
    # Processes
    22: ("process.fork", "process.raw_fork"),
    23: ("process.raw_vfork", "process.spawn"),
    24: ("process.raw_clone", "process.clone_sharing_memory"),
    25: ("process.raw_clone3",),
    26: ("process.thread", "process.threads"),
    27: ("process.fork_bomb",),
    28: ("process.execute", "process.spawn"),
    29: ("process.daemon", "process.new_session"),
    30: ("process.trace", "zygote.trace", "siblings.trace"),
    31: ("process.read_memory", "process.write_memory", "zygote.write_memory", "siblings.write_into"),
    32: ("process.take_descriptor", "zygote.take_descriptor", "siblings.take_descriptors"),
    33: ("process.kill", "zygote.send_SIGKILL"),
    34: ("process.kill_everybody",),
    35: ("process.kill_group",),
    36: ("process.kill_thread", "process.kill_any_thread"),
    37: ("process.queue_signal", "process.signal_by_descriptor"),
    38: ("process.stop_self", "zygote.send_SIGSTOP"),
    39: ("process.new_user_namespace", "process.enter_namespace"),
    40: ("process.set_users", "process.become_root", "process.set_groups", "process.set_capabilities"),
    41: ("process.be_dumpable", "process.move_own_memory_map", "process.be_strict", "process.outlive_parent"),
    42: ("process.listen_to_filter",),
    43: ("process.raise_limit",),
    44: ("process.change_schedule", "process.choose_processors", "process.be_nice", "process.change_io_priority"),
    45: ("process.execute_what_is_read",),
    # The kernel's surface
    46: ("kernel.make_ring", "kernel.io_uring_enter", "kernel.io_uring_register"),
    47: ("kernel.handle_faults",),
    48: ("kernel.load_map",),
    49: ("kernel.count_events",),
    50: ("kernel.watch_files", "kernel.watch_every_file"),
    51: ("kernel.landlock_version",),
    52: ("kernel.read_segments",),
    53: ("kernel.call_foreign_table",),
    54: ("kernel.call_x32",),
    55: ("kernel.call_minus_one", "kernel.call_unknown"),
    56: ("kernel.call_vsyscall",),
    57: ("kernel.process_madvise", "kernel.set_memory_policy"),
    58: ("kernel.move_bytes", "kernel.vmsplice", "kernel.sendfile", "kernel.copy_file_range"),
    59: ("kernel.type_into_terminal",),
    60: ("kernel.set_clock", "kernel.read_clock_adjustment", "kernel.set_day"),
    61: ("kernel.make_timer", "kernel.set_timer"),
    # Memory
    62: ("memory.one_object", "memory.one_huge_object"),
    63: ("memory.many_objects",),
    64: ("memory.map_shared", "memory.map_much_shared"),
    65: ("files.memory_file", "files.fill_disk"),
    66: ("memory.reserve",),
    67: ("memory.map_executable", "memory.make_executable", "memory.make_executable_by_key"),
    68: ("memory.recurse_in_c",),
    69: Elsewhere(
        "the stack's limit is hard, and cannot be raised: memory.recurse_in_c meets it, process.raise_limit tries"
    ),
    70: ("memory.lock_memory",),
    71: ("memory.advise_huge", "memory.advise_mergeable"),
    # Time
    72: ("time.loop",),
    73: ("time.loop_without_signals", "process.ignore_signal"),
    74: ("time.match_for_ever",),
    75: ("time.sleep",),
    76: ("time.sleep_without_signals", "process.ignore_signal"),
    77: ("time.loop_in_spite_of_everything",),
    78: ("files.read_standard_input", "reply.flood_stderr"),
    # The reply
    79: ("reply.flood_stdout", "reply.flood_reply", "reply.print_flood"),
    80: Elsewhere("test_timing.py"),
    81: ("memory.leave_at_once", _FORGED + "nothing"),
    82: (_FORGED + "half frame",),
    83: (_FORGED + "two documents",),
    84: (_FORGED + "length 2**32 - 1",),
    85: (_FORGED + "type 10", _FORGED + "kind not asked for"),
    86: (_FORGED + "negative offset", _FORGED + "huge offset", _FORGED + "not a number"),
    87: (_FORGED + "100,000 nested arrays",),
    88: (_FORGED + "lone surrogate", _FORGED + "NUL", _FORGED + "half a character"),
    89: Elsewhere("test_protocol.py, test_stderr_is_escaped_in_the_log"),
    90: (_FORGED + "pickle", _FORGED + "pickle as it is"),
    91: (_FORGED + "claims every layer", _FORGED + "claims a code of its own"),
    92: Elsewhere("a reply is a pipe, which carries no descriptors; network.send_message tries sendmsg on it"),
    93: ("reply.flood_stderr",),
    94: ("siblings.write_every_descriptor",),
    95: ("reply.duplicate_reply", "reply.close_reply"),
    96: (_FORGED + "valid, then killed by itself", _FORGED + "valid, then asleep"),
    97: Elsewhere("needs a process of its own: process.fork, process.daemon"),
    98: (_FORGED + "a million empty blocks",),
    99: Elsewhere("test_protocol.py, test_largest_reply_leaves_no_memory_behind"),
    # What is left for the next document
    100: Elsewhere("test_traces.py, test_changes_end_with_the_worker"),
    101: Elsewhere("test_traces.py, test_changes_end_with_the_worker"),
    102: ("traces.exit_at_exit",),
    103: Elsewhere("test_traces.py, test_changes_end_with_the_worker"),
    104: Elsewhere("there is no first thread to leave behind: process.thread"),
    105: ("files.fill_disk",),
    106: Elsewhere("test_traces.py, test_no_core_is_left"),
    107: Elsewhere("test_traces.py, test_crashes_in_a_row"),
    # Documents that harm without taking over are the business of limits and loaders.
    **dict.fromkeys(range(108, 114), Elsewhere("tests/limits/test_zip.py, tests/fuzz/test_bombs.py")),
    114: Elsewhere("tests/limits/test_xml.py, tests/fuzz/test_bombs.py"),
    **dict.fromkeys(range(115, 126), Elsewhere("each kind's own tests, tests/fuzz/test_bombs.py")),
}

"""Attacks on the reply that need no forged bytes: floods, closed pipes, and ends that are not a worker's."""

from __future__ import annotations

from tests.attacks.attack import MIB, POLICY, Attack
from tests.attacks.tables import reasons

_FLOOD = 1024 * MIB
_DROPS = {"size": 40_000}
_FAR = {"descriptor": 4, **_DROPS}
_OWN = reasons.OWN_REPLY
_PIPE = "its stderr is a pipe of 16 KiB that nobody drains; the kernel refuses what does not fit"

ATTACKS = (
    Attack(
        "reply.flood",
        "EBADF",
        {"descriptor": 1, "size": _FLOOD},
        harmless=_DROPS,
        name="flood_stdout",
        word=reasons.OWN_DESCRIPTOR,
    ),
    Attack(
        "reply.flood",
        "EAGAIN",
        {"descriptor": 2, "size": _FLOOD},
        harmless=_FAR,
        name="flood_stderr",
        word=_PIPE,
        no_layer=_PIPE,
    ),
    Attack(
        "reply.flood", "bad-reply", {"descriptor": 4, "size": _FLOOD}, harmless=_FAR, name="flood_reply", no_layer=_OWN
    ),
    Attack("reply.print_flood", "EBADF", {"size": MIB}, word=reasons.OWN_DESCRIPTOR),
    Attack("reply.duplicate_reply", POLICY, alone=reasons.HELD_ALREADY),
    Attack("reply.close_reply", "crashed", no_layer=_OWN),
    Attack("memory.leave", "bad-reply", {"status": 0}, outside="exit 0", name="leave_at_once", no_layer=_OWN),
    Attack("memory.leave", "crashed", {"status": 7}, outside="exit 7", name="leave_in_error", no_layer=_OWN),
    Attack(
        "traces.forge_reply",
        "bad-reply",
        outside=None,
        why="there is no worker outside; test_valid_reply_is_read is its control",
        no_layer=_OWN,
    ),
    Attack("traces.exit_at_exit", "malformed", outside="SystemExit", no_layer=_OWN),
    Attack("traces.raise_without_words", "malformed", outside="_Speechless", no_layer=_OWN),
    Attack("traces.raise_with_too_many_words", "malformed", outside="_Verbose", no_layer=_OWN),
    Attack("traces.interrupt", "crashed", outside="KeyboardInterrupt", no_layer=_OWN),
)

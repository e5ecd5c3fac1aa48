"""Why something is enough, in words that more than one attack shares."""

from __future__ import annotations

from typing import Final

# ---- why nobody outside could see whether an attack took effect ------------------------------------------
INSIDE: Final = "what it changes is the worker's own and goes with it"
OWN_DESCRIPTOR: Final = "a descriptor of the worker's own that stands for nothing outside"
COUNTED: Final = "the kernel counts: after every attack no worker's peak is above its cap"
EMPTY: Final = "the call has no effect by design, so that it can be made anywhere"

# ---- why no layer has to stop it -------------------------------------------------------------------------
OWN_CRASH: Final = "a crash ends a process that has one document; the parent sees it by its wait status"
OWN_REPLY: Final = "the parent's decoder and its verdict on how the worker ended are no layer that could be left out"

# ---- why a single layer is enough ------------------------------------------------------------------------
AS_BEFORE: Final = "it asks for the limit that it has; a higher one needs a capability"
NO_SECRET: Final = "its parent's number is no secret: it is 1"
ONLY_LESS: Final = "it asks for a number; a further set of rules could only take rights away"
UNTOUCHED: Final = "addresses that are never touched are no memory; what is touched is seen by the watchdog"
LATER: Final = "the deadline ends it, too, only later: time.loop_past_deadline"
HELD_ALREADY: Final = "it duplicates what the worker holds anyway"

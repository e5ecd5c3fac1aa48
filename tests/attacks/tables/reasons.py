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

"""Exit codes. Where several apply the highest of the first four wins."""

from __future__ import annotations

from typing import Final

DONE: Final = 0
"""Everything was read; or `doctor` found what is required."""
SOME_REFUSED: Final = 1
"""At least one file was refused or could not be opened."""
WRONG_USAGE: Final = 2
NO_SANDBOX: Final = 3
"""The sandbox, as required, is not available."""

BY_SIGNAL: Final = 128
"""Added to a signal's number, as shells report it."""
INTERRUPTED: Final = BY_SIGNAL + 2
NOBODY_LISTENS: Final = BY_SIGNAL + 13
"""Standard output was closed: SIGPIPE."""

"""The version of this package, as the running process has it: what is on disk may be another one by now."""

from __future__ import annotations

from typing import Final

VERSION: Final = "0.1.0"

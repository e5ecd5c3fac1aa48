"""What code from outside must keep, as checks to run in its own tests: `check_strategy` for chunking strategies.

They raise `AssertionError` that says which promise is broken, and where. No test framework is needed.
"""

from __future__ import annotations

from fumehood.testing.strategies import check_chunks, check_strategy

__all__ = ["check_chunks", "check_strategy"]

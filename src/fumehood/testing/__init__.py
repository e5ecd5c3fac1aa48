"""What code from outside must keep, as checks to run in its own tests: `check_loader` for loaders, `check_strategy` for
chunking strategies.

They raise `AssertionError` that says which promise is broken, and where. No test framework is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fumehood.testing.loaders import check_loader
    from fumehood.testing.strategies import check_chunks, check_strategy

__all__ = ["check_chunks", "check_loader", "check_strategy"]


def __getattr__(name: str) -> object:
    """Imported when it is first asked for (PEP 562): a module of this package runs in workers too, which must not find
    there what a loader should have imported itself.
    """
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from fumehood.testing import loaders, strategies

    return getattr(loaders if name == "check_loader" else strategies, name)

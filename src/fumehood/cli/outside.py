"""Kinds from outside, for commands: `--register MODULE:NAME`.

Nothing is discovered from installed packages: a kind is registered because the command line names it. The module is
imported by this process, so it should not import its loader, which only workers need.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from fumehood.kinds import Kind, register


def register_named(names: Sequence[str]) -> None:
    """Registers each `MODULE:NAME`, a `Kind` that stands in a module under that name. Raises `ValueError`."""
    for name in names:
        register(_kind(name))


def _kind(name: str) -> Kind:
    module, colon, attribute = name.partition(":")
    if not colon or not module or not attribute:
        raise ValueError(f"takes MODULE:NAME, such as tidelog:KIND, not {name!r}")
    try:
        found = getattr(importlib.import_module(module), attribute, None)
    except ModuleNotFoundError as error:
        # A command finds what is installed, and not what lies in the working directory.
        raise ValueError(
            f"{module} cannot be imported: {type(error).__name__}: {error}; install it, or name its folder in PYTHONPATH"
        ) from error
    except Exception as error:  # The module is the user's own, and may fail as it likes.
        raise ValueError(f"{module} cannot be imported: {type(error).__name__}: {error}") from error
    if not isinstance(found, Kind):
        raise ValueError(f"{module} has no Kind named {attribute}")
    return found

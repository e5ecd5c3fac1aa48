"""The command line: `fumehood read`, `fumehood kinds`, `fumehood doctor`, `fumehood fuzz`.

Each command imports what it needs when it runs, so that `--help` and `--version` answer at once.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from fumehood.cli import exits
from fumehood.cli.arguments import parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; see :mod:`fumehood.cli.exits`.

    Raises `SystemExit` with 2 for wrong usage, as argparse does.
    """
    _open_standard_descriptors()
    try:
        chosen = parser().parse_args(arguments)
        code: int = chosen.run(chosen)
    except KeyboardInterrupt:
        return exits.INTERRUPTED
    except BrokenPipeError:
        return exits.NOBODY_LISTENS
    return code


def _open_standard_descriptors() -> None:
    """Fills 0 to 2 where they are closed: the next file opened would get such a number, and be taken for output."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(descriptor)

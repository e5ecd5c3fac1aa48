"""The command line. `fumehood --help` has its commands.

Each command imports what it needs when it runs, so that `--help` and `--version` answer at once.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from fumehood.cli import exits, streams
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
    except OSError as error:  # What a command opens it answers for itself; what is left is its output.
        streams.cannot_write(error)
        return exits.SOME_REFUSED
    return code


def _open_standard_descriptors() -> None:
    """Fills 0 to 2 where they are closed: the next file opened would get such a number, and be taken for output.

    In the other direction, so that whoever reads or writes there is told, by EBADF, and nothing is lost silently.
    """
    for descriptor, mode in ((streams.IN, os.O_WRONLY), (streams.OUT, os.O_RDONLY), (streams.ERR, os.O_RDONLY)):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, mode)  # The lowest free number, and all below are open.

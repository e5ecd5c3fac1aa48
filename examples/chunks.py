"""From files to what an index stores: each read behind a sandbox, then divided along its structure.

    python examples/chunks.py FILE... > chunks.jsonl

One line of JSON for each chunk; a file that is refused is a line on standard error.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from fumehood import Refusal, chunk, read_isolated
from fumehood.hygiene import printable


def main(paths: list[Path]) -> None:
    for path in paths:
        try:
            document = read_isolated("auto", path.read_bytes(), name=path.name)
        except Refusal as refusal:
            print(f"{printable(path.name)}: refused, {refusal.code}", file=sys.stderr)
            continue
        # What the model sees begins with where it stands; 400 tokens, by a count that needs no vocabulary.
        for piece in chunk(document, name=document.title or path.stem, max_tokens=400, metadata={"file": path.name}):
            print(piece.to_json().decode())


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    try:
        main([Path(name) for name in sys.argv[1:]])
        sys.stdout.flush()
    except BrokenPipeError:  # `| head` has seen enough; what is still buffered goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(128 + signal.SIGPIPE)

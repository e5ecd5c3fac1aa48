"""An upload pipeline: what strangers sent is read behind a sandbox, and only text goes on.

    python examples/upload.py FOLDER

Every file ends in exactly one of two ways. A document is text, and can be stored, indexed, shown. A refusal
is a code, and numbers, that are safe to log: nothing of the file is in it.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from fumehood import Document, Limits, Reader, Refusal
from fumehood.hygiene import printable


async def main(folder: Path) -> None:
    files = sorted(path for path in folder.iterdir() if path.is_file())
    # Strict limits suit a public form. As many reads at once as there are processors; the rest wait.
    async with Reader(limits=Limits.strict(), queue=len(files)) as reader:
        outcomes = await asyncio.gather(*(receive(reader, path) for path in files))
        layers = [layer for layer in await reader.layers() if layer.state == "enforced"]
    for path, outcome in zip(files, outcomes, strict=True):
        show(path, outcome)
    accepted = sum(isinstance(outcome, Document) for outcome in outcomes)
    print(
        f"\n{accepted} read, {len(files) - accepted} refused, each in a process of its own behind {len(layers)} layers:"
    )
    print(f"  {' '.join(layer.name for layer in layers)}")


async def receive(reader: Reader, path: Path) -> Document | Refusal:
    """What a request handler does with one upload."""
    try:
        return await reader.read("auto", path.read_bytes(), name=path.name)
    except Refusal as refusal:
        return refusal


def show(path: Path, outcome: Document | Refusal) -> None:
    name = printable(path.name)
    if isinstance(outcome, Refusal):
        print(f"\n{name}: refused, {outcome.code}\n  {outcome.message}")
        return
    notices = ", ".join(sorted({notice.code for notice in outcome.notices}))
    seconds = outcome.receipt.wall_seconds if outcome.receipt else 0.0
    print(
        f"\n{name}: {outcome.kind}, {len(outcome.text):,} characters in {seconds * 1000:.0f} ms{notices and ', noticed '}{notices}"
    )
    for line in outcome.visible_text.split("\n")[:5]:
        print(f"  | {line[:90]}")


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    asyncio.run(main(Path(sys.argv[1])))

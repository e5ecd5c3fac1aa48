"""Reads every document of some families in one reader: what is traced, in a process of its own."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import anyio

from fumehood import Limits, Reader, Refusal
from fumehood.fuzz import mail_files, seeds
from fumehood.kinds import ATTACHMENTS, PLAIN, Kind, ReadOptions, by_extension, kinds, of_family

_SMALL = Limits(heap_bytes=16 << 20)
"""So little that reading runs out of memory: what the interpreter and the C libraries do then is recorded too."""


def documents(family: str, folders: Sequence[Path]) -> Iterator[tuple[str, bytes, Limits]]:
    if family == ATTACHMENTS:
        yield from _attached()
        return
    for kind in of_family(family):
        for data in seeds.own(kind.name):
            yield kind.name, data, Limits()
        yield kind.name, _large(kind), _SMALL
        if family == PLAIN:
            yield "auto", kind.specimen, Limits()
    for path in sorted(path for folder in folders for path in folder.rglob("*") if path.is_file()):
        suggested = by_extension(path.name)
        if suggested is not None and suggested.family == family:
            yield suggested.name, path.read_bytes(), Limits()


def _attached() -> Iterator[tuple[str, bytes, Limits]]:
    """Mail with a document of each kind in it, and one with as many as little memory does not hold."""
    parts = [mail_files.encoded(data, b"application/x") for kind in kinds() for data in seeds.own(kind.name)]
    for part in parts:
        yield "eml", mail_files.eml(part), Limits()
    yield "eml", mail_files.eml(mail_files.multipart(b"mixed", *parts * 20)), _SMALL


def _large(kind: Kind) -> bytes:
    """More than fits in little memory, of a form that the loader accepts or at least has to look at."""
    return kind.specimen + b" " * (8 << 20)


async def _read_all(families: Sequence[str], folders: Sequence[Path]) -> None:
    async with Reader() as reader:
        for family in families:
            options = ReadOptions(attachments=family == ATTACHMENTS)
            for kind, data, limits in documents(family, folders):
                with contextlib.suppress(Refusal):
                    await reader.read(kind, data, limits=limits, options=options)


def main(families: str, *folders: str) -> None:
    anyio.run(_read_all, families.split(","), [Path(folder) for folder in folders], backend="trio")

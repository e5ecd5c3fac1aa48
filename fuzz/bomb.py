"""What a bomb is: bytes that cost more than they weigh, and what a read of them must end as."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fumehood.errors import NoticeCode

READ = "read"
"""Beside the codes of refusals: the document is read."""


@dataclass(frozen=True, slots=True)
class Bomb:
    """One bomb.

    - `make`: the bytes, the same at every call.
    - `ends`: a refusal's code, or `read`. More than one only where the order of two caps is the loader's business.
    - `notice`: what a read must remark.
    - `spends`: the limit that it is about to spend whole; it may take the time and memory which that allows.
    - `holds`: text that must be in what is read.
    """

    name: str
    kind: str
    what: str
    make: Callable[[], bytes]
    ends: frozenset[str]
    notice: NoticeCode | None = None
    spends: str | None = None
    holds: str | None = None


def bomb(
    name: str,
    what: str,
    make: Callable[[], bytes],
    *ends: str,
    notice: NoticeCode | None = None,
    spends: str | None = None,
    holds: str | None = None,
) -> Bomb:
    """A bomb whose kind is the extension of its name."""
    return Bomb(name, _KINDS[name.rpartition(".")[2]], what, make, frozenset(ends), notice, spends, holds)


_KINDS = {"docx": "docx", "pdf": "pdf", "json": "json", "csv": "csv", "md": "markdown", "txt": "text"} | {
    kind: kind
    for kind in (
        *("pptx", "xlsx", "odt", "ods", "odp", "rtf", "tsv", "jsonl", "yaml", "xml", "ipynb", "html", "epub"),
        *("eml", "mbox", "mhtml"),
    )
}

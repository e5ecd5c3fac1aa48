"""What is printed of one file: for people in two streams, for programs as one line of JSON."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from typing import Final, Literal

import msgspec

from fumehood.cli import exits
from fumehood.document import Document
from fumehood.errors import Refusal
from fumehood.hygiene import printable

Format = Literal["markdown", "json", "text", "chunks"]
_JSON: Final = ("json", "chunks")


@dataclass(frozen=True, slots=True)
class Result:
    """Ready to be written, UTF-8, whole lines; `code`: the exit code that it asks for."""

    out: bytes = b""
    err: bytes = b""
    code: int = exits.DONE


def read(name: str, document: Document, form: Format) -> Result:
    if form == "json":
        return Result(_line(name, ok=True, document=document))
    text = document.text if form == "markdown" else document.visible_text
    if text and not text.endswith("\n"):
        text += "\n"
    return Result(text.encode("utf-8"), _notices(name, document))


def chunked(name: str, document: Document, strategy: str | None) -> Result:
    """A line for each chunk. The file's name stands in for a title that the document does not have."""
    from fumehood.chunking import ChunkingError, chunk

    try:
        chunks = chunk(document, strategy, name=document.title or printable(os.path.basename(name)))
    except ChunkingError as error:
        return Result(_line(name, ok=False, error=str(error)), code=exits.SOME_REFUSED)
    lines = (_line(name, ok=True, chunk=each, embedding_text=each.embedding_text) for each in chunks)
    return Result(b"".join(lines), _notices(name, document))


def refused(name: str, why: Refusal, form: Format) -> Result:
    code = exits.NO_SANDBOX if why.code == "sandbox-unavailable" else exits.SOME_REFUSED
    if form in _JSON:
        return Result(_line(name, ok=False, refusal=why.to_dict()), code=code)
    return Result(err=remark(name, refusal_text(why)), code=code)


def refusal_text(why: Refusal) -> str:
    """Why a file was refused, and what to do about it on the command line."""
    return f"refused ({why.code}): {printable(why.message)}{_what_to_do(why)}"


def _what_to_do(why: Refusal) -> str:
    """The message says what to do in Python; this says it for the command line."""
    if why.code == "encrypted":
        return "; here: --option password=..."
    return f"; --limit {why.limit}=... allows more" if why.limit is not None else ""


def unreadable(name: str, error: OSError, form: Format) -> Result:
    why = printable(error.strerror or str(error))
    if form in _JSON:
        return Result(_line(name, ok=False, error=why), code=exits.SOME_REFUSED)
    return Result(err=remark(name, f"cannot be read: {why}"), code=exits.SOME_REFUSED)


def remark(name: str, what: str) -> bytes:
    return f"fumehood: {printable(name)}: {what}\n".encode()


def heading(name: str) -> bytes:
    """What stands before one document of several, as head(1) prints it."""
    return f"==> {printable(name)} <==\n".encode()


def _line(name: str, **fields: object) -> bytes:
    return msgspec.json.encode({"file": printable(name), **fields}) + b"\n"


def _notices(name: str, document: Document) -> bytes:
    """Everything that is missing or guessed, in one line; the JSON has each with its place."""
    counts = Counter(
        f"{notice.code} {notice.detail}" if isinstance(notice.detail, str) else notice.code
        for notice in document.notices
    )
    said = [f"{what} ({times:,})" if times > 1 else what for what, times in counts.items()]
    return remark(name, f"noticed {', '.join(said)}") if said else b""

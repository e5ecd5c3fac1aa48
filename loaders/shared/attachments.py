"""Documents within a document: read as sections of it where the caller asked for that, else said as notices."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

import msgspec

from fumehood import kinds
from fumehood.document import Locator
from fumehood.errors import FORMATS, Refusal
from fumehood.hygiene import clean_line
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.builder import MAX_NAME, Builder
from fumehood.loaders.shared.magic import binary_format
from fumehood.markdown import scan

_NO_DOCUMENTS: Final = frozenset({"audio", "font", "image", "model", "video"})


def attach(
    data: bytes,
    out: Builder,
    budget: Budget,
    locator: Locator,
    *,
    name: str = "",
    media_type: str = "",
    charset: str = "",
    level: int = 1,
) -> bool:
    """Says the document `data`, which stands at `locator` of the one that `out` makes.

    Read with `attachments=True`, it is a section below a heading of `level` with its name. Otherwise, and where it is
    refused, it is the notice `attachment-not-read`, whose detail is its format, where that is known, or the code of
    its refusal. `name`, `media_type` and `charset` are what the document says of it. Returns whether it was read.

    Raises the refusals that are of the whole: a cap that all of it shares is passed.
    """
    if out.nested is None or _is_no_document(data, media_type):
        out.notice("attachment-not-read", locator, _format(data, name, media_type))
        return False
    try:
        inner = out.nested(data, level=out.level + level, name=name, media_type=media_type, charset=charset)
    except Refusal as refused:
        if is_of_the_whole(refused, budget):
            raise
        out.notice("attachment-not-read", locator, refused.detail or refused.code)
        return False
    out.heading(_heading(clean_line(name), inner), level, locator=locator)
    if inner.is_verbatim and not _ends(inner.text()):
        _say_as_code(inner, out, within(locator))
    else:
        out.append(inner, within(locator))
    return True


def _ends(text: str) -> bool:
    """Whether what follows `text` is not part of its last block: a fence or a comment may be open (CommonMark 4.5, 4.6)."""
    last = deque(scan(f"{text}\n\n.", {}), maxlen=1)
    return last[0].start == len(text) + 2


def _say_as_code(inner: Builder, out: Builder, locate: Callable[[Locator | None], Locator]) -> None:
    text = inner.text()
    for block in inner.blocks:
        out.code(text[block.start : block.end], locator=locate(block.locator), visible=block.visible)
    for notice in inner.notices:
        out.notice(notice.code, locate(notice.locator), notice.detail)


def is_of_the_whole(refused: Refusal, budget: Budget) -> bool:
    """Whether a cap was passed that all of a document shares; what else is wrong with a part of it is its own."""
    return refused.limit is not None and (refused.limit == "heap_bytes" or budget.is_passed(refused.limit))


def within(locator: Locator) -> Callable[[Locator | None], Locator]:
    """Turns places in a document at `locator` into places in the one around it: names are joined, numbers are its own."""

    def place(inner: Locator | None) -> Locator:
        if inner is None:
            return locator
        return msgspec.structs.replace(
            inner, part=_joined(locator.part, inner.part), path=_joined(locator.path, inner.path)
        )

    return place


def _joined(outer: str | None, inner: str | None) -> str | None:
    if outer is None or inner is None:
        return outer or inner
    return f"{outer}{'' if inner.startswith('/') else '/'}{inner}"[:MAX_NAME]


def _is_no_document(data: bytes, media_type: str) -> bool:
    """Whether it is said to be a picture or a sound, and no magic number speaks against it: a broken one is no text."""
    if media_type.partition("/")[0].lower() not in _NO_DOCUMENTS:
        return False
    found = binary_format(data)
    return found is None or kinds.built_in(found) is None


def _format(data: bytes, name: str, media_type: str) -> str | None:
    """The format by what `data` holds, else by what is said of it; None where nothing tells."""
    found = binary_format(data)
    if found is not None:
        return found
    kind = kinds.by_extension(name) or kinds.by_media_type(media_type)
    said = kind.name if kind is not None else media_type.rpartition("/")[2].lower()
    return said if said in FORMATS else None


def _heading(name: str, inner: Builder) -> str:
    """Its name, and its title where its text does not say it."""
    title = inner.title or ""
    if not name or not title or title in inner.text():
        return name or title
    return f"{name}: {title}"

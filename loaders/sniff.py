"""What kind of document some bytes are, by what they hold. A file's extension decides between kinds of text only.

Names are looked up in the registry, so a kind that is registered is found without a change here. A format
we can name and nothing reads is refused by its name.
"""

from __future__ import annotations

import json
from typing import Final

from fumehood import kinds
from fumehood.errors import FORMATS, refusal
from fumehood.loaders.shared import markers
from fumehood.loaders.shared.encoding import is_text, structure
from fumehood.loaders.shared.magic import ENCRYPTED, binary_format, has_pdf_parts
from fumehood.loaders.shared.table_shape import table_delimiter

TEXT: Final = "text"

_HEAD: Final = 16_384
_TAIL: Final = 256
_FREE_TEXT: Final = frozenset({"text", "markdown"})
"""Kinds that may hold anything: a `.md` file that starts with `<p>` or `From:` is Markdown."""
_JSON: Final = frozenset({"json", "jsonl", "ipynb"})
_MAIL: Final = frozenset({"eml", "mbox", "mhtml"})
_MARKUP: Final = frozenset({"xml", "html", "svg", "fb2"})
_PLAIN: Final = frozenset({"ics", "vcf"})
"""Formats that read as the text they are where nothing reads them better: calendars and cards."""
_CONTAINERS: Final = frozenset({"zip", "ole"})
_ZIPPED: Final = frozenset({"docx", "xlsx", "xlsb", "pptx", "vsdx", "odt", "ods", "odp", "odg", "epub"})
_BINARY: Final = _ZIPPED | frozenset(
    [
        "pdf",
        "doc",
        "xls",
        "ppt",
        "msg",
        "rtf",
        "png",
        "jpeg",
        "gif",
        "tiff",
        "bmp",
        "webp",
        "heic",
        "ico",
        "zip",
        "gzip",
    ]
)
"""Kinds that no plain text is of, whatever its name says."""


def sniff(data: bytes, hint: str | None) -> str:
    """The kind's name. `hint` is the name of the kind that the file's extension suggests, or None.

    The application's registry gave the hint; a kind from outside is in the registry of its own workers only.

    Raises the refusals `unsupported-kind`, with the format's name where we know it, and `encrypted`. Looks at
    bounded samples only: time does not grow with `data`.
    """
    known = {kind.name for kind in kinds.kinds()}
    if not data:
        return hint or TEXT
    found = binary_format(data)
    if found == ENCRYPTED:
        raise refusal("encrypted", stage="sniff")
    if hint is not None and _may_be(data, found, hint):
        return hint
    if found is not None:
        return _registered(found, known)
    if not is_text(data):
        if hint is not None and _is_from_outside(hint):
            return hint
        raise refusal("unsupported-kind", stage="sniff")
    return _text_kind(structure(data[:_HEAD]), structure(data[-_TAIL:]), hint, known)


def _may_be(data: bytes, found: str | None, hint: str) -> bool:
    """Whether `data` may be of the kind its name says though we cannot tell: too broken, or from outside in a known shell."""
    if hint == "pdf":
        return found is None and has_pdf_parts(data)
    return (found == "zip" and hint in _ZIPPED) or (found in _CONTAINERS and _is_from_outside(hint))


def _is_from_outside(hint: str | None) -> bool:
    """Whether it is a kind of a format that nobody told us how to recognise."""
    return hint is not None and hint not in FORMATS


def _registered(name: str, known: set[str]) -> str:
    if name not in known:
        raise refusal("unsupported-kind", stage="sniff", detail=name if name in FORMATS else None)
    return name


def _text_kind(head: str, tail: str, hint: str | None, known: set[str]) -> str:
    marked = markers.marked_format(head)
    if hint is not None and _is_relative(hint, marked):
        return hint
    if marked in _PLAIN and marked not in known:
        marked = None
    if marked == "rtf" or (marked is not None and hint not in _FREE_TEXT and not _is_from_outside(hint)):
        return _registered(marked, known)
    if hint is not None and _is_plausible(hint, head):
        return hint
    return _by_shape(head, tail, known)


def _is_relative(hint: str, marked: str | None) -> bool:
    """Whether what is marked as `marked` may be of the more special kind `hint`: all mail, and all XML, start alike."""
    if marked in _MAIL:
        return hint in _MAIL
    return marked == "xml" and (hint in _MARKUP or _is_from_outside(hint))


def _is_plausible(hint: str, head: str) -> bool:
    if hint in _JSON:
        return markers.starts_like_json(head)
    return hint not in _BINARY


def _by_shape(head: str, tail: str, known: set[str]) -> str:
    """Of text that nothing declares. Never a refusal: whatever it is, it can be read as text."""
    if _is_json_lines(head):
        return "jsonl" if "jsonl" in known else TEXT
    if markers.looks_like_json(head, tail):
        return "ipynb" if "ipynb" in known and markers.is_notebook(head) else "json"
    delimiter = table_delimiter(head, whole=len(head) < _HEAD)
    if delimiter is not None:
        return "tsv" if delimiter == "\t" and "tsv" in known else "csv"
    return "markdown" if markers.looks_like_markdown(head) else TEXT


def _is_json_lines(head: str) -> bool:
    """Whether the first line is an object or array by itself and the second starts another."""
    first, _, rest = head.lstrip().partition("\n")
    if first[:1] not in ("{", "[") or rest.lstrip()[:1] != first[0]:
        return False
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return False
    return True

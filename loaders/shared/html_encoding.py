"""The encoding of an HTML document (WHATWG HTML, 13.2.3.2).

A byte order mark, what the caller knows, the declaration in the first 1,024 bytes, then one further down in the head,
and where there is none, what :mod:`encoding` finds for any text.
"""

from __future__ import annotations

import re
from typing import Final

from fumehood.charsets import charset as charset_name
from fumehood.loaders.shared import encoding
from fumehood.loaders.shared.builder import Builder

_PRESCAN: Final = 1_024
_HEAD: Final = 262_144
"""Bytes in which a declaration behind the prescan is looked for; heads are shorter."""
_NOT_DECLARABLE: Final = frozenset({"utf-7", "utf-32", "utf-32-le", "utf-32-be", "hz"})
"""Encodings of Python's that the Web has not: text in them could be meant to be read as two different things."""
_META: Final = re.compile(rb"<meta[\t\n\f\r />]", re.IGNORECASE)
_OTHER: Final = re.compile(rb"<!--|</?[A-Za-z]|<[!/?]")
_NAME: Final = re.compile(rb"</?[^\t\n\f\r />]*")
_ATTRIBUTE: Final = re.compile(
    rb"""[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)"""
    rb"""(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r >"'][^\t\n\f\r >]*)|))?"""
)
_CONTENT_CHARSET: Final = re.compile(
    rb"""charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"'][^\t\n\f\r ;]*))""", re.IGNORECASE
)
_IN_HEAD: Final = re.compile(rb"(html|head|title|base|link|meta|style|script|noscript|template)(?:[\t\n\f\r />]|\Z)")
_RAW_END: Final = {
    name: re.compile(rb"</%s[\t\n\f\r />]" % name, re.IGNORECASE) for name in (b"title", b"style", b"script")
}
"""Where the text of elements ends that hold no others (13.2.5)."""
_LABEL: Final = re.compile(r"[a-z0-9._:-]+")
"""Python's own look-up passes over any other character."""
_XML: Final = re.compile(rb"""<\?xml[^>]*?\sencoding\s*=\s*["']([^"'>]+)["']""")


def decode(data: bytes, out: Builder, charset: str | None = None) -> str:
    """The text of `data`. Raises what :func:`encoding.decode` raises."""
    return encoding.decode(data, out, charset or declared(data))


def declared(data: bytes) -> str | None:
    """The encoding that `data` declares itself to be of; None if it declares none that there is."""
    head = data[:_PRESCAN]
    found = _meta(head)
    if found is None:
        xml = _XML.match(head)
        found = None if xml is None else _known(xml[1])
    if found is None and len(data) > _PRESCAN:
        found = _meta(data[:_HEAD], parsed=True)
    # Where these bytes could be read at all, they are not in UTF-16 (13.2.3.2, step 2.15).
    return "utf-8" if found is not None and found.startswith("utf-16") else found


def _meta(head: bytes, *, parsed: bool = False) -> str | None:
    """What the first `meta` declares that declares anything.

    The prescan takes no notice of elements. A declaration that only the parser meets changes the encoding as well
    (13.2.3.4); for that, `parsed`, text of scripts is passed over, and the first element of the body ends the search.
    """
    at = 0
    while (tag := _OTHER.search(head, at)) is not None:
        at = tag.end()
        if tag[0] == b"<!--":
            # `<!-->` is a comment as well: its dashes count twice.
            end = head.find(b"-->", tag.start() + 2)
            at = len(head) if end < 0 else end + 3
        elif tag[0][-1:] in b"!/?":
            end = head.find(b">", at)
            at = len(head) if end < 0 else end + 1
        else:
            found, at = _tag(head, tag.start())
            if found is not None:
                return found
            if parsed:
                at = _behind(head, tag.start(), at)
    return None


def _behind(head: bytes, start: int, end: int) -> int:
    """Where to look further behind the tag from `start` to `end`: not in the text of the element that it starts."""
    name = head[start:end].lstrip(b"</").lower()
    known = _IN_HEAD.match(name)
    if known is None:
        return len(head)
    raw = None if head.startswith(b"</", start) else _RAW_END.get(known[1])
    if raw is None:
        return end
    ended = raw.search(head, end)
    return len(head) if ended is None else ended.start()


def _tag(head: bytes, start: int) -> tuple[str | None, int]:
    """What the tag at `start` declares, and where it ends. Cut off by the 1,024th byte, it declares nothing."""
    is_meta = _META.match(head, start) is not None
    name = _NAME.match(head, start)
    at = start if name is None else name.end()
    attributes: dict[bytes, bytes] = {}
    while (match := _ATTRIBUTE.match(head, at)) is not None:
        at = match.end()
        attributes.setdefault(match[1].lower(), match[2] or match[3] or match[4] or b"")
    ended = head.find(b">", at) >= 0
    return (_declaration(attributes) if is_meta and ended else None), at


def _declaration(attributes: dict[bytes, bytes]) -> str | None:
    label = attributes.get(b"charset")
    if label is None and attributes.get(b"http-equiv", b"").lower() == b"content-type":
        content = _CONTENT_CHARSET.search(attributes.get(b"content", b""))
        label = None if content is None else content[1] or content[2] or content[3]
    return None if label is None else _known(label)


def _known(label: bytes) -> str | None:
    text = label.decode("latin-1").strip(" \t\n\f\r").lower()
    if _LABEL.fullmatch(text) is None:
        return None
    if text == "x-user-defined":
        return "cp1252"
    try:
        name = charset_name(text)
    except ValueError:
        return None
    return None if name in _NOT_DECLARABLE else name

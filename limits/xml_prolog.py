"""What comes before the root element of an XML document: its encoding, and whether there is a document type.

A document type declaration can stand only in the prolog (XML 1.0, production [22]), and without one there are no
entities but the five that need no declaration (4.6). So the prolog is all that must be judged for entities, internal
or external, parameter or general, to be out of the question; what follows is never parsed twice.
"""

from __future__ import annotations

import codecs
import re
from typing import Final

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser, ParseError

from fumehood.errors import Refusal, refusal

_EXTERNAL: Final = re.compile(
    rb"""<!DOCTYPE
    [ \t\r\n]+[^\s\[\]<>"'!&%;]+
    (?:[ \t\r\n]+(?:SYSTEM|PUBLIC[ \t\r\n]+(?:"[^"<>]*"|'[^'<>]*'))[ \t\r\n]+(?:"[^"<>]*"|'[^'<>]*'))?
    [ \t\r\n]*>""",
    re.VERBOSE,
)
"""A document type declaration (production [28]) without an internal subset."""

MAX_PROLOG: Final = 1024 * 1024
"""Bytes of UTF-8. A licence in a comment fits; millions of comments do not."""

_SPACE: Final = re.compile(rb"[ \t\r\n]*+")
_DECLARATION: Final = re.compile(
    rb"""<\?xml
    [ \t\r\n]++version[ \t\r\n]*+=[ \t\r\n]*+(?:"[\w.:-]++"|'[\w.:-]++')
    (?:[ \t\r\n]++encoding[ \t\r\n]*+=[ \t\r\n]*+(?:"([A-Za-z][\w.:-]*+)"|'([A-Za-z][\w.:-]*+)'))?
    (?:[ \t\r\n]++standalone[ \t\r\n]*+=[ \t\r\n]*+(?:"(?:yes|no)"|'(?:yes|no)'))?
    [ \t\r\n]*+\?>""",
    re.VERBOSE,
)

_UTF16: Final = frozenset({"utf16", "utf16le", "utf16be", "ucs2", "iso10646ucs2"})
_ASCII_SUPERSETS: Final = frozenset(
    ["utf8", "ascii", "usascii", "latin1", "koi8r", "koi8u", "gb2312", "gbk", "gb18030", "big5", "big5hkscs", "eucjp"]
    + ["shiftjis", "sjis", "xsjis", "windows31j", "cp932", "cp936", "cp949", "cp950", "euckr", "euctw", "tis620"]
    + ["ksc56011987", "macintosh", "xmacroman", "windows874", "cp874", "ibm437", "ibm850", "ibm852", "ibm866"]
    + [f"iso8859{part}" for part in range(1, 17)]
    + [f"{name}{page}" for name in ("windows", "cp") for page in range(1250, 1259)]
)
"""Encodings in which the bytes of `<!DOCTYPE` mean that and nothing else does.

Not so in UTF-7, ISO-2022, HZ and EBCDIC, which XML 1.0 (4.3.3) lets a parser refuse; ECMA-376 part 2 (6.2.5) and OCF
ask for UTF-8 and UTF-16 alone.
"""


def refused() -> Refusal:
    return refusal("malformed", stage="precheck")


def in_utf8(part: bytes) -> bytes:
    """`part` as it is, or in UTF-8 if it is in UTF-16 (XML 1.0, appendix F). UTF-32 is refused.

    Raises a `malformed` refusal if it is not what its first bytes say.
    """
    if part.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff", b"<\x00\x00\x00", b"\x00\x00\x00<")):
        raise refused()
    try:
        if part.startswith((b"\xff\xfe", b"<\x00")):
            return codecs.utf_16_le_decode(part, "strict", True)[0].lstrip("\ufeff").encode("utf-8")
        if part.startswith((b"\xfe\xff", b"\x00<")):
            return codecs.utf_16_be_decode(part, "strict", True)[0].lstrip("\ufeff").encode("utf-8")
    except UnicodeError:
        raise refused() from None
    return part


def root_start(text: bytes, *, utf16: bool) -> int:
    """Where the root element's `<` is in `text`, the part in UTF-8 or in an encoding that includes ASCII.

    Raises a `malformed` refusal for a document type declaration, for an encoding in which there could be one that is
    not seen, and where there is no root element within `MAX_PROLOG`.
    """
    head = text[:MAX_PROLOG]
    misc = _declaration_end(head, utf16=utf16)
    root = _misc_end(head, misc)
    skipped = head[misc:root]
    if not skipped.isspace() and skipped:
        _no_document_type(skipped)
    return root


def without_document_type(part: bytes) -> bytes:
    """`part` without its document type declaration, if that declares nothing by itself; else `part` as it is.

    For formats whose parts may carry a declaration that points to an external subset (OpenDocument before 1.2, XHTML).
    A parser that never sees it fetches nothing, and takes an entity of that subset for the error it is, where
    it would leave it out in silence. One with an internal subset stays, for :func:`root_start` to refuse.

    Raises a `malformed` refusal for an encoding that could hide one, and a prolog that does not end.
    """
    text = in_utf8(part)
    is_utf16 = text is not part
    head = text[:MAX_PROLOG]
    start = _declaration_end(head, utf16=is_utf16)
    at = _skip_misc(head, start)
    declared = _EXTERNAL.match(head, at)
    if declared is None:
        return part
    # The XML declaration of what is UTF-8 now would say that it is UTF-16.
    return text[start if is_utf16 else 0 : at] + text[declared.end() :]


def _declaration_end(head: bytes, *, utf16: bool) -> int:
    """Where the XML declaration (production [23]) ends, or would. Judges the encoding that it names."""
    at = _spaced(head, 3 if head.startswith(codecs.BOM_UTF8) else 0)
    if not head.startswith(b"<?xml", at) or not head[at + 5 : at + 6].isspace():
        return at
    # Strictly as the grammar says: a parser that forgives might find another encoding in it than is found here.
    declaration = _DECLARATION.match(head, at)
    if declaration is None:
        raise refused()
    named = declaration[1] or declaration[2]
    if named is not None:
        encoding = re.sub("[-_.:]", "", named.decode("ascii").lower())
        if encoding not in (_UTF16 if utf16 else _ASCII_SUPERSETS):
            raise refused()
    return declaration.end()


def _misc_end(head: bytes, at: int) -> int:
    """Where the root element starts. Raises a refusal if something else than `Misc` stands in front of it."""
    at = _skip_misc(head, at)
    if head.startswith(b"<", at) and head[at + 1 : at + 2] not in (b"", b"!", b"/", b"\x00"):
        return at
    raise refused()


def _skip_misc(head: bytes, at: int) -> int:
    """Skips comments, processing instructions and white space (production [27])."""
    while True:
        at = _spaced(head, at)
        if head.startswith(b"<!--", at):
            at = _after(head, b"-->", at + 4)
        elif head.startswith(b"<?", at):
            at = _after(head, b"?>", at + 2)
        else:
            return at


def _spaced(head: bytes, at: int) -> int:
    space = _SPACE.match(head, at)
    return at if space is None else space.end()


def _after(head: bytes, closing: bytes, at: int) -> int:
    found = head.find(closing, at)
    if found < 0:
        raise refused()
    return found + len(closing)


def _no_document_type(misc: bytes) -> None:
    """A second opinion, of a real parser: defusedxml, given what was skipped and an empty root element, sees only that.

    A space in front, for an XML declaration may not come now. In one piece, since expat before 2.6 reads a token
    that comes in pieces once for each (CVE-2023-52425).
    """
    parser = DefusedXMLParser(encoding="iso-8859-1", forbid_dtd=True)
    try:
        parser.feed(b" " + misc + b"<r/>")
        parser.close()
    except (DefusedXmlException, ParseError):
        raise refused() from None

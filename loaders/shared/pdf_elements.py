"""Elements of structure trees (ISO 32000-2, 14.7.2) in the form that nearly all are written in, read by one pattern.

A tagged file has more of them than of all other objects. What is written in any other form is left to the parser.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from fumehood.loaders.shared.pdf_syntax import Reference, name

_WHITE: Final = rb"[\0\t\n\f\r\ ]"
_REGULAR: Final = rb"[^\0\t\n\f\r\ ()<>\[\]{}/%\#]"
"""What names are made of (7.2.3), but for escapes."""
_SIMPLE: Final = rb"[^()<>\[\]{}%]"
_END_OF_REFERENCE: Final = rb"(?:W{1,8}+[0-9]{1,10}+W{1,8}+R(?!N|\#))".replace(b"W", _WHITE).replace(b"N", _REGULAR)
"""What makes a number a reference (7.3.10)."""
_TERMS: Final = {
    b"white": _WHITE,
    b"regular": _REGULAR,
    b"simple": _SIMPLE,
    b"number": rb"[0-9]{1,10}+(?![0-9.])",
    b"r": _END_OF_REFERENCE,
    b"dictionary": rb"<<(?:%(simple)b++|\[%(simple)b*+\])*+>>" % {b"simple": _SIMPLE},
}
_CONTENT: Final = (
    rb"""
    <<%(white)b*+
    (?:
      /
      (?:
        Type%(white)b*+/(?:MCR|OBJR)(?!%(regular)b|\#)
      | MCID%(white)b++%(number)b
      | (?:Pg|Obj|Stm|StmOwn)%(white)b++%(number)b%(r)b
      )
      %(white)b*+
    )*+
    >>
    """
    % _TERMS
)
"""References to marked content, or to objects (tables 357 and 358)."""
_KID: Final = rb"(?:%(number)b%(r)b?+|%(content)b)" % {**_TERMS, b"content": _CONTENT}
# Groups begin only where what is ahead is known to end them: what has failed within a possessive repetition keeps its
# beginning in CPython 3.11, and is no span then.
_ELEMENT: Final = re.compile(
    rb"""
    %(white)b*+<<%(white)b*+
    (?:
      /
      (?:
        S%(white)b*+/(?=%(regular)b)(?P<kind>%(regular)b++)
      | Pg%(white)b++(?=%(number)b%(r)b)(?P<page>[0-9]++)%(r)b
      | K%(white)b*+\[(?=(?:%(white)b*+%(kid)b)*+%(white)b*+\])(?P<kids>[^\]]*+)\]
      | K(?=%(white)b*+%(content)b|%(white)b++%(number)b)%(white)b*+(?P<kid>%(kid)b)
      | (?!(?:S|Pg|K|Alt|MCID)(?!%(regular)b))%(regular)b++%(white)b*+
        (?:
          /%(regular)b*+
        | [-+]?+[0-9]++(?:\.[0-9]*+)?+%(r)b?+
        | (?:true|false|null)(?!%(regular)b)
        | \((?:[^()\\]++|\\.)*+\)
        | %(dictionary)b
        | \[(?:%(simple)b++|%(dictionary)b)*+\]
        )
      )
      %(white)b*+
    )*+
    >>(?!%(white)b*+stream)
    """
    % {**_TERMS, b"content": _CONTENT, b"kid": _KID},
    re.VERBOSE | re.DOTALL,
)
_EACH_KID: Final = re.compile(rb"([0-9]++)(%(r)b)?+|<<([^>]*+)>>" % _TERMS, re.VERBOSE)
_PLACE: Final = re.compile(rb"/(Pg|MCID)%(white)b++([0-9]++)" % _TERMS, re.VERBOSE)


class Content(NamedTuple):
    """Content that says itself which page it is on (14.7.5.2); without a `mark` that of an object."""

    page: int | None
    mark: int | None


class Element(NamedTuple):
    """`page`: the number of the page's object. `kids`: elements, and content by its marks. `end`: where it ends."""

    kind: str
    page: int | None
    kids: list[Reference | int | Content]
    end: int


def element(data: bytes, at: int) -> Element | None:
    """The element that is written at a place; None for one with an alternate text, and in any other form."""
    match = _ELEMENT.match(data, at)
    if match is None:
        return None
    kind, page, several, one = match.groups()
    if several is not None and one is not None:
        return None  # the entry is there twice
    kids = [
        Reference(number) if is_element else int(number) if number else _content(entries)
        for number, is_element, entries in _EACH_KID.findall(several or one or b"")
    ]
    return Element(name(kind).name if kind else "", int(page) if page else None, kids, match.end())


def _content(entries: bytes) -> Content:
    found = dict(_PLACE.findall(entries))
    page, mark = found.get(b"Pg"), found.get(b"MCID")
    return Content(int(page) if page else None, int(mark) if mark else None)

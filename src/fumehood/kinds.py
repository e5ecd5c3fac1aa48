"""The registry of kinds. It names each loader by a string, so that the parent imports none.

Adding a format: a module in `loaders/`, one `Kind` line here, one test.
"""

from __future__ import annotations

import base64
from typing import Final

import msgspec

from fumehood.errors import is_name


class ReadOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """How to read, where a kind leaves a choice. An option that the kind does not have is a `TypeError`.

    - `password`: opens an encrypted document.
    - `engine`: which of the kind's parsing libraries to use; None takes the kind's own.
    - `attachments`: read attached documents too, under the same limits.
    - `lenient`: a syntax error gives the raw text and the notice `unparsed`. It never lifts a limit.
    - `charset`: the encoding, where the caller knows it (an HTTP header); it wins over every guess.
    """

    password: str | None = None
    engine: str | None = None
    attachments: bool = False
    lenient: bool = False
    charset: str | None = None

    def chosen(self) -> frozenset[str]:
        """The names of the options that differ from their defaults."""
        return frozenset(name for name in OPTION_NAMES if getattr(self, name) != getattr(_DEFAULTS, name))

    def only(self, names: frozenset[str]) -> ReadOptions:
        """The same with every option outside `names` at its default."""
        return ReadOptions(**{name: getattr(self, name) for name in names})


_DEFAULTS: Final = ReadOptions()
OPTION_NAMES: Final = tuple(ReadOptions.__struct_fields__)


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of document.

    - `module`: the loader, imported by the worker only. It has `load(data, out, budget, options)`.
    - `family`: kinds of one family share a zygote. A third-party kind gets one of its own.
    - `version`: raised whenever the loader's output changes; indexes then read again.
    - `chunker`: the chunking strategy that suits the kind.
    - `specimen`: a small document that warms the loader up before the zygote locks itself down.
    - `options`: which of `ReadOptions` the kind has.
    - `engines`: the names that its option `engine` takes, default first.
    """

    name: str
    module: str
    extensions: tuple[str, ...] = ()
    media_types: tuple[str, ...] = ()
    family: str = "plain"
    version: int = 1
    chunker: str = "structure"
    specimen: bytes = b""
    options: frozenset[str] = frozenset()
    engines: tuple[str, ...] = ()


AUTO: Final = "auto"
PLAIN: Final = "plain"

_PDF_SPECIMEN: Final = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length 44>>stream
BT /F1 12 Tf 20 100 Td (A specimen.) Tj ET\x20\x20
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
"""

# A package of a heading, a list item with a link, hidden text and a footnote, and a table with a symbol and a text box.
_DOCX_SPECIMEN: Final = base64.b64decode(
    """
UEsDBBQAAAAIAAAAIQCsbhJangAAANwAAAATAAAAW0NvbnRlbnRfVHlwZXNdLnhtbF2PsQ7CMBBDf6XKitqrGBhQ24UdGPiBU3JtI5pLlBwF/p4EpA6M
lu1nubu9A6Xq5RZOvZpFwhEg6ZkcpsYH4uyMPjqULOMEAfUdJ4J92x5AexZiqaUw1NBdVorRGqquGOWMjnoFTx8NGK8fLiebTFPV6Vcry73CEBarUaxn
WNn8bdZ+HK2mrV9oIXpNKVme3NJsjkPLu4KHoYPvqeEDUEsDBBQAAAAIAAAAIQCadB58oAAAAHEBAAALAAAAX3JlbHMvLnJlbHONkD0OwjAMRq9SZaeu
GBhQ24mFFfUCJnHbiOZHjhFwezKAKKhIHW1/fnp2faIJxQafRhtTcXeTT40aReIeIOmRHKYyRPJ50gd2KLnkASLqCw4E26raAc8Zqq3nzOJoGoWq6B6R
1oBD31tNh6Cvjrws8H8SmYw8kDTqFtiAebXLjFWwoHJer/L/RnAkaFAQdGDaRM7bLJbSx0a/DeDrw+0TUEsDBBQAAAAIAAAAIQB3JsclRwAAAFAAAAAF
AAAAYy54bWyzSVSoyM3JK7ZVyigpKbDS1y8oLcrRyy9K109J1i9JLcot1leys0kuSk0sSU2xMzIwMNA1MASiEAMDKzCKstGHydroJ9oBAFBLAwQUAAAA
CAAAACEAwbhQ1J0AAADPAQAAHAAAAHdvcmQvX3JlbHMvZG9jdW1lbnQueG1sLnJlbHOt0cEKwjAMgOFXGX2AZXjwINtOXryKL1Br2hXXpLQZuLe3HsQJ
EzzsGALfT0h7xlGLZ8qDj7l6hJFypwaReADIZsCgc80RqWwsp6CljMlB1OauHcKuafaQlobq26VZnW6dyqq6zBH/gdlab/DIZgpIsuJDlnnEl6iTQyl4
XQgFK1naMktTuGLy5D5l+lm2W5YtsxDL8mb7LsPX//onUEsDBBQAAAAIAAAAIQCAee8vcgAAAJgAAAAKAAAAd29yZC9zLnhtbEVNSw7CIBC9CuEATnXh
glDWeoxJGdsmDBCGiN5e2pC4et+ZZ5uR+g0k6sMhimmz3mrNBkCWjRjlkjLFnr1SYaxdlhVaKj6XtJDIHlcOcJumOzDuUTs7HqqBTz/rx2lH5MN9Y+gb
hL6fqqsGZ2FU/0zcD1BLAwQUAAAACAAAACEAfx35W6wAAAAtAQAACgAAAHdvcmQvbi54bWxVUDEOgzAM/AqK1BXTDh0iYKzUpVM/EEIKkeKAkkB4fk1o
aVl88t3ZPrmM3E7YKKdtly1orOexYn0IIwfwslcofD6MypL2GhyKQK3rIA6uHd0glfc0iQYuRXEFFNqyuoxcND44IcNjwuzQ3duKnZPFzIYkTVCxIjE+
CBeIm4VZTbByFO6GO9kqqVGYTaLJp1p27XTOVx6SkPDv7GdVluovwyHY4TIk5xe3/9RvUEsDBBQAAAAIAAAAIQA9EIPacQAAAKYAAAAKAAAAd29yZC9m
LnhtbFXMQQqEMAwF0KtIDzDRWcyi1N6laNWCTUoS6Bx/bEEGNy/8HxJX7UakSBpl+OYTxdbZHKrFAshyxBzkRSXitduIc9Ar8g6VeC1MSxRJuOcT3uP4
gRwSGu/+P4dq0zqbqZelwQ316KCNJndL9757BPE/UEsDBBQAAAAIAAAAIQC83farXAEAADEDAAARAAAAd29yZC9kb2N1bWVudC54bWydk0tOwzAQhq9S
+QBMy6KLKI2EQAgWSIiewHGc2sKPyJ42zZE4BxfDjyQNWSE2M7b/8ef57aTsi8ays+YGN1etjC/6AxGIXQHgmeCa+jvbcRO01jpNMUzdCXrrms5Zxr2X
5qQV3G+3e9BUGjJi3F8wtm0l409jAxniuKIorfFCdn6i6f/SgihIVfZFbZsh5i6Fd5fSEQfFN31xoepAXghUJcxiClg9xCVMgsvymmLOeh68NhNtN9JG
dcV1eXyhRnqRC8clrMSvE/tCDB13SprPgKaGCRuulpJFi/X317rJec9c1lqLxiL/4C133LBoWza3PhfmsFYpZTyb/aa5H/Qm0gweyHHQtVUkzJmgoavn
7T7hQr1kmHZf6+tjqA3vMWJ0Yd/Cm8RBG0O4n5hcDFjtStDJSFqBWW64WVTdr6uSDIkI8wHZDqyagKm5pWfIPiGbhvEKYPpq4PaTVD9QSwECFAMUAAAA
CAAAACEArG4SWp4AAADcAAAAEwAAAAAAAAAAAAAAgAEAAAAAW0NvbnRlbnRfVHlwZXNdLnhtbFBLAQIUAxQAAAAIAAAAIQCadB58oAAAAHEBAAALAAAA
AAAAAAAAAACAAc8AAABfcmVscy8ucmVsc1BLAQIUAxQAAAAIAAAAIQB3JsclRwAAAFAAAAAFAAAAAAAAAAAAAACAAZgBAABjLnhtbFBLAQIUAxQAAAAI
AAAAIQDBuFDUnQAAAM8BAAAcAAAAAAAAAAAAAACAAQICAAB3b3JkL19yZWxzL2RvY3VtZW50LnhtbC5yZWxzUEsBAhQDFAAAAAgAAAAhAIB57y9yAAAA
mAAAAAoAAAAAAAAAAAAAAIAB2QIAAHdvcmQvcy54bWxQSwECFAMUAAAACAAAACEAfx35W6wAAAAtAQAACgAAAAAAAAAAAAAAgAFzAwAAd29yZC9uLnht
bFBLAQIUAxQAAAAIAAAAIQA9EIPacQAAAKYAAAAKAAAAAAAAAAAAAACAAUcEAAB3b3JkL2YueG1sUEsBAhQDFAAAAAgAAAAhALzd9qtcAQAAMQMAABEA
AAAAAAAAAAAAAIAB4AQAAHdvcmQvZG9jdW1lbnQueG1sUEsFBgAAAAAIAAgA3gEAAGsGAAAAAA==
"""
)

_BUILT_IN: Final = (
    Kind(
        "text",
        "fumehood.loaders.text",
        extensions=("txt", "text", "log"),
        media_types=("text/plain",),
        specimen="caf\u00e9, na\u00efve, 100 \u20ac\n".encode("cp1252"),
        options=frozenset({"charset"}),
    ),
    Kind(
        "markdown",
        "fumehood.loaders.markdown",
        extensions=("md", "markdown", "mdown", "mkd", "mdx"),
        media_types=("text/markdown",),
        chunker="markdown",
        specimen=b"---\ntitle: A\n---\n# One\n\n- a\n  1. b\n\n> q\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```py\nx\n```\n\n<p>h</p>\n",
        options=frozenset({"charset"}),
    ),
    Kind(
        "csv",
        "fumehood.loaders.csv",
        extensions=("csv",),
        media_types=("text/csv",),
        specimen=b'a,b\n1,"two\nlines"\n',
        options=frozenset({"charset", "lenient"}),
    ),
    Kind(
        "json",
        "fumehood.loaders.json",
        extensions=("json", "geojson"),
        media_types=("application/json", "application/geo+json"),
        specimen=b'{"a": [1, 2.5, "x", null, true], "b": {"c": {}}}',
        options=frozenset({"charset", "lenient"}),
    ),
    Kind(
        "pdf",
        "fumehood.loaders.pdf",
        extensions=("pdf",),
        media_types=("application/pdf",),
        family="pdf",
        specimen=_PDF_SPECIMEN,
        options=frozenset({"password", "engine"}),
        engines=("pdfminer.six",),
    ),
    Kind(
        "docx",
        "fumehood.loaders.docx",
        extensions=("docx", "docm", "dotx", "dotm"),
        media_types=(
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
            "application/vnd.ms-word.document.macroenabled.12",
            "application/vnd.ms-word.template.macroenabled.12",
        ),
        family="office",
        specimen=_DOCX_SPECIMEN,
    ),
)

_registry: dict[str, Kind] = {kind.name: kind for kind in _BUILT_IN}


def register(kind: Kind) -> Kind:
    """Adds a kind, or replaces the one of the same name; call it in the application's own code.

    A kind from outside gets a zygote of its own, whatever its `family` says: a faulty import must not
    take the built-in kinds down. Raises `ValueError` for a name that could not be told apart in a log,
    an unknown option, or a reserved name.
    """
    if not is_name(kind.name) or kind.name == AUTO:
        raise ValueError(
            f"a kind's name is lower-case letters, digits and _.+- (at most 40), and not 'auto': {kind.name!r}"
        )
    unknown = kind.options - set(OPTION_NAMES)
    if unknown:
        raise ValueError(f"kind {kind.name} names options that do not exist: {', '.join(sorted(unknown))}")
    if not all(part.isidentifier() for part in kind.module.split(".")):
        raise ValueError(f"kind {kind.name} needs the dotted name of its loader's module, not {kind.module!r}")
    own = msgspec.structs.replace(kind, family=f"kind:{kind.name}")
    _registry[own.name] = own
    return own


def adopt(kind: Kind) -> None:
    """Takes over a kind as the application registered it; for zygotes, which start with the built-in ones."""
    _registry[kind.name] = kind


def get(name: str) -> Kind:
    """The kind of that name. Raises `ValueError` with the list of kinds."""
    kind = _registry.get(name)
    if kind is None:
        raise ValueError(f"there is no kind {name!r}; the kinds are auto, {', '.join(sorted(_registry))}")
    return kind


def kinds() -> tuple[Kind, ...]:
    """All kinds, in order of their names."""
    return tuple(_registry[name] for name in sorted(_registry))


def by_extension(name: str) -> Kind | None:
    """The kind that a file name's extension suggests, or None. A hint, never a decision."""
    stem, dot, extension = name.rpartition(".")
    if not dot or not stem:
        return None
    wanted = extension.lower()
    return next((kind for kind in reversed(_registry.values()) if wanted in kind.extensions), None)


def of_family(family: str) -> tuple[Kind, ...]:
    return tuple(kind for kind in _registry.values() if kind.family == family)

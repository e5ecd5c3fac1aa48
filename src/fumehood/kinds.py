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
UEsDBBQAAAAIAAAAIQAnvaV+nQAAANIAAAATAAAAW0NvbnRlbnRfVHlwZXNdLnhtbF2PsQ7CMBBDf6XKipqrGBhQ24UdGPiBU3JtI5pLlBwt/D0pSAyM
lu1nub29IuXq6WfOnZpE4hEgm4k8Zh0icXGGkDxKkWmEiOaOI8G+aQ5gAgux1LIxVN9eFkrJWaqumOSMnjoFK1hdGKo6fcPbXqcwxtkZFBcYFrZ/S3UY
BmfIBvPwpaLXkGxMwVDOjkc/65/j0fFuw0PfwudK/wZQSwMEFAAAAAgAAAAhAENl4P6cAAAAZwEAAAsAAABfcmVscy8ucmVsc42Quw7CMAxFfyXKTl0x
MKC2Ewsr4gdM6jYRzUOOEfD3ZEEUVKSOlq+PznVzognFxZCtS1k9/BRyq61I2gNkY8ljrmKiUDZDZI9SRh4hobniSLCt6x3wnKG7Zs5Ux77VqNX5mWgN
OA6DM3SI5uYpyAL/J1HIyCNJq+/QVwWmYUHgsl7gfzPwJNijIJjItElcrlkc5Y+DeRvA11+7F1BLAwQUAAAACAAAACEAdybHJUcAAABQAAAABQAAAGMu
eG1ss0lUqMjNySu2VcooKSmw0tcvKC3K0csvStdPSdYvSS3KLdZXsrNJLkpNLElNsTMyMDDQNTAEohADAyswirLRh8na6CfaAQBQSwMEFAAAAAgAAAAh
AMG4UNSdAAAAzwEAABIAAAB3L19yZWxzL2QueG1sLnJlbHOt0cEKwjAMgOFXGX2AZXjwINtOXryKL1Br2hXXpLQZuLe3HsQJEzzsGALfT0h7xlGLZ8qD
j7l6hJFypwaReADIZsCgc80RqWwsp6CljMlB1OauHcKuafaQlobq26VZnW6dyqq6zBH/gdlab/DIZgpIsuJDlnnEl6iTQyl4XQgFK1naMktTuGLy5D5l
+lm2W5YtsxDL8mb7LsPX//onUEsDBBQAAAAIAAAAIQCAee8vcgAAAJgAAAAHAAAAdy9zLnhtbEVNSw7CIBC9CuEATnXhglDWeoxJGdsmDBCGiN5e2pC4
et+ZZ5uR+g0k6sMhimmz3mrNBkCWjRjlkjLFnr1SYaxdlhVaKj6XtJDIHlcOcJumOzDuUTs7HqqBTz/rx2lH5MN9Y+gbhL6fqqsGZ2FU/0zcD1BLAwQU
AAAACAAAACEA4ddQ5qcAAAAZAQAABwAAAHcvbi54bWxVUDEOgzAM/AqK1BVDhw4RMFbq0qkfCJBCpDhBSSA8vyaiLSw++e58tlxFbmZspVNmyFbUxvNY
szGEiQP4bpQofG4naUh7W4ciUOsGiNb1k7Od9J4mUcO1KG6AQhnWVJGL1gcnuvCcMTt1j75mZbLoRZOkCGpWJIYOuWMgchHE9bJTKDSD3fyS60+7lPnG
QxISHlbsUVmq/32nI75B5R5jtjE4/KL5AFBLAwQUAAAACAAAACEAPRCD2nEAAACmAAAABwAAAHcvZi54bWxVzEEKhDAMBdCrSA8w0VnMotTepWjVgk1K
Eugcf2xBBjcv/B8SV+1GpEgaZfjmE8XW2RyqxQLIcsQc5EUl4rXbiHPQK/IOlXgtTEsUSbjnE97j+IEcEhrv/j+HatM6m6mXpcEN9eigjSZ3S/e+ewTx
P1BLAwQUAAAACAAAACEAvN32q1wBAAAxAwAABwAAAHcvZC54bWydk0tOwzAQhq9S+QBMy6KLKI2EQAgWSIiewHGc2sKPyJ42zZE4BxfDjyQNWSE2M7b/
8ef57aTsi8ays+YGN1etjC/6AxGIXQHgmeCa+jvbcRO01jpNMUzdCXrrms5Zxr2X5qQV3G+3e9BUGjJi3F8wtm0l409jAxniuKIorfFCdn6i6f/SgihI
VfZFbZsh5i6Fd5fSEQfFN31xoepAXghUJcxiClg9xCVMgsvymmLOeh68NhNtN9JGdcV1eXyhRnqRC8clrMSvE/tCDB13SprPgKaGCRuulpJFi/X317rJ
ec9c1lqLxiL/4C133LBoWza3PhfmsFYpZTyb/aa5H/Qm0gweyHHQtVUkzJmgoavn7T7hQr1kmHZf6+tjqA3vMWJ0Yd/Cm8RBG0O4n5hcDFjtStDJSFqB
WW64WVTdr6uSDIkI8wHZDqyagKm5pWfIPiGbhvEKYPpq4PaTVD9QSwECFAMUAAAACAAAACEAJ72lfp0AAADSAAAAEwAAAAAAAAAAAAAAgAEAAAAAW0Nv
bnRlbnRfVHlwZXNdLnhtbFBLAQIUAxQAAAAIAAAAIQBDZeD+nAAAAGcBAAALAAAAAAAAAAAAAACAAc4AAABfcmVscy8ucmVsc1BLAQIUAxQAAAAIAAAA
IQB3JsclRwAAAFAAAAAFAAAAAAAAAAAAAACAAZMBAABjLnhtbFBLAQIUAxQAAAAIAAAAIQDBuFDUnQAAAM8BAAASAAAAAAAAAAAAAACAAf0BAAB3L19y
ZWxzL2QueG1sLnJlbHNQSwECFAMUAAAACAAAACEAgHnvL3IAAACYAAAABwAAAAAAAAAAAAAAgAHKAgAAdy9zLnhtbFBLAQIUAxQAAAAIAAAAIQDh11Dm
pwAAABkBAAAHAAAAAAAAAAAAAACAAWEDAAB3L24ueG1sUEsBAhQDFAAAAAgAAAAhAD0Qg9pxAAAApgAAAAcAAAAAAAAAAAAAAIABLQQAAHcvZi54bWxQ
SwECFAMUAAAACAAAACEAvN32q1wBAAAxAwAABwAAAAAAAAAAAAAAgAHDBAAAdy9kLnhtbFBLBQYAAAAACAAIAMEBAABEBgAAAAA=
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

"""The registry of kinds. It names each loader by a string, so that the parent imports none.

Adding a format: a module in `loaders/`, one `Kind` line here, one test.
"""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

import msgspec

from fumehood import specimens
from fumehood.errors import is_name


class ReadOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """How to read, where a kind leaves a choice. An option that the kind does not have is a `TypeError`.

    - `password`: opens an encrypted document.
    - `engine`: which of the kind's parsing libraries to use; None and `auto` take the best that is installed.
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
    - `family`: kinds of one family share a zygote. A third-party kind gets one of its own. :func:`family_of` has
      the last word, since with `attachments=True` a document may hold one of any other kind.
    - `version`: raised whenever the loader's output changes; indexes then read again.
    - `chunker`: the chunking strategy that suits the kind.
    - `specimen`: a small document that warms the loader up before the zygote locks itself down.
    - `options`: which of `ReadOptions` the kind has.
    - `engines`: the names that its option `engine` takes besides `auto`, best first.
    - `extras`: those of them that an extra of the same name installs, with the module it brings. Each is loaded in a
      family of its own, so that who does not use it does not carry it.
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
    extras: Mapping[str, str] = {}


AUTO: Final = "auto"
PLAIN: Final = "plain"
ATTACHMENTS: Final = "attachments"
"""The family of every built-in kind together: what is attached to a document may be of any of them."""
MAX_SPECIMEN: Final = 128 * 1024
"""Bytes; it goes to a zygote in one packet with the rest of its kind."""

SOURCE_CODE: Final = tuple(
    (  # noqa: SIM905, a list of them is six pages long
        "py pyi pyx js mjs cjs jsx ts tsx c h cc cpp cxx hh hpp m mm java kt kts scala groovy go rs rb php pl pm lua r jl "
        "swift dart cs fs vb hs ml mli clj cljs ex exs erl elm nim zig d pas f f90 for asm s v sv vhd vhdl sol "
        "sh bash zsh fish ps1 psm1 bat cmd awk sed sql graphql proto thrift cmake mk gradle tf hcl nix dockerfile "
        "css scss sass less vue svelte astro toml ini cfg conf properties env lock "
        "tex sty bib rst adoc asciidoc org textile wiki pod srt vtt sub ass diff patch po pot desktop service reg"
    ).split()
)
"""Extensions of text that is best read as it stands, with its lines."""

_BUILT_IN: Final = (
    Kind(
        "text",
        "fumehood.loaders.text",
        extensions=("txt", "text", "log", *SOURCE_CODE),
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
        chunker="records",
        specimen=b'a,b\n1,"two\nlines"\n',
        options=frozenset({"charset", "lenient"}),
    ),
    Kind(
        "json",
        "fumehood.loaders.json",
        extensions=("json", "geojson"),
        media_types=("application/json", "application/geo+json"),
        chunker="records",
        specimen=b'{"a": [1, 2.5, "x", null, true], "b": {"c": {}}}',
        options=frozenset({"charset", "lenient"}),
    ),
    Kind(
        "html",
        "fumehood.loaders.html",
        extensions=("html", "htm", "xhtml", "xht"),
        media_types=("text/html", "application/xhtml+xml"),
        family="web",
        version=3,
        specimen=specimens.HTML,
        options=frozenset({"charset"}),
    ),
    Kind(
        "epub",
        "fumehood.loaders.epub",
        extensions=("epub",),
        media_types=("application/epub+zip",),
        family="web",
        version=3,
        specimen=specimens.EPUB,
    ),
    Kind(
        "pdf",
        "fumehood.loaders.pdf",
        extensions=("pdf",),
        media_types=("application/pdf",),
        family="pdf",
        version=5,
        specimen=specimens.PDF,
        options=frozenset({"password", "engine", "attachments"}),
        engines=("pdfminer", "pdfium"),
        extras={"pdfium": "pypdfium2_raw"},
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
        version=4,
        specimen=specimens.DOCX,
    ),
    Kind(
        "xlsx",
        "fumehood.loaders.xlsx",
        extensions=("xlsx", "xlsm", "xltx", "xltm"),
        media_types=(
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.template",
            "application/vnd.ms-excel.sheet.macroenabled.12",
            "application/vnd.ms-excel.template.macroenabled.12",
        ),
        chunker="records",
        family="office",
        version=3,
        specimen=specimens.XLSX,
    ),
    Kind(
        "eml",
        "fumehood.loaders.eml",
        extensions=("eml",),
        media_types=("message/rfc822", "message/global"),
        family="web",
        version=3,
        specimen=specimens.EML,
        options=frozenset({"attachments", "charset"}),
    ),
    Kind(
        "mbox",
        "fumehood.loaders.mbox",
        extensions=("mbox", "mbx"),
        media_types=("application/mbox",),
        family="web",
        version=3,
        specimen=specimens.MBOX,
        options=frozenset({"attachments", "charset"}),
    ),
    Kind(
        "mhtml",
        "fumehood.loaders.mhtml",
        extensions=("mht", "mhtml"),
        media_types=("application/x-mimearchive", "multipart/related"),
        family="web",
        version=2,
        specimen=specimens.MHTML,
        options=frozenset({"charset"}),
    ),
    Kind(
        "rtf",
        "fumehood.loaders.rtf",
        extensions=("rtf",),
        media_types=("application/rtf", "text/rtf", "text/richtext"),
        version=3,
        specimen=specimens.RTF,
    ),
    Kind(
        "tsv",
        "fumehood.loaders.tsv",
        extensions=("tsv", "tab"),
        media_types=("text/tab-separated-values",),
        chunker="records",
        specimen=b'a\tb\n1\t"two\nlines"\n',
        options=frozenset({"charset", "lenient"}),
    ),
    Kind(
        "jsonl",
        "fumehood.loaders.jsonl",
        extensions=("jsonl", "ndjson", "jsonlines"),
        media_types=("application/jsonl", "application/x-ndjson", "application/json-lines"),
        chunker="records",
        specimen=b'{"a": [1, {"b": "x"}], "c": null}\n{"a": 2.5}\n',
        options=frozenset({"charset", "lenient"}),
    ),
    Kind(
        "yaml",
        "fumehood.loaders.yaml",
        extensions=("yaml", "yml"),
        media_types=("application/yaml", "application/x-yaml", "text/yaml"),
        chunker="records",
        specimen=b"%YAML 1.1\n--- # c\na: &x [1, 'two', \"three\"]\nb: [*x, !t y]\n? {c: d}\n: |\n  e\n...\n",
        options=frozenset({"charset", "lenient"}),
    ),
    Kind(
        "xml",
        "fumehood.loaders.xml",
        extensions=(
            "xml",
            "xsd",
            "xsl",
            "xslt",
            "rss",
            "atom",
            "opml",
            "kml",
            "gpx",
            "plist",
            "wsdl",
            "xliff",
            "resx",
            "tei",
        ),
        media_types=("application/xml", "text/xml", "application/rss+xml", "application/atom+xml"),
        specimen=b"<?xml version='1.0' encoding='utf-8'?><!-- c --><a b='1' xmlns:n='u'><n:c>d</n:c>e<![CDATA[f]]></a>",
        options=frozenset({"charset", "lenient"}),
    ),
    Kind(
        "ipynb",
        "fumehood.loaders.ipynb",
        extensions=("ipynb",),
        media_types=("application/x-ipynb+json",),
        specimen=specimens.IPYNB,
        options=frozenset({"charset"}),
    ),
    Kind(
        "pptx",
        "fumehood.loaders.pptx",
        extensions=("pptx", "pptm", "potx", "potm", "ppsx", "ppsm"),
        media_types=(
            "application/vnd.openxmlformats-officedocument.presentationml.presentation",
            "application/vnd.openxmlformats-officedocument.presentationml.template",
            "application/vnd.openxmlformats-officedocument.presentationml.slideshow",
            "application/vnd.ms-powerpoint.presentation.macroenabled.12",
            "application/vnd.ms-powerpoint.template.macroenabled.12",
            "application/vnd.ms-powerpoint.slideshow.macroenabled.12",
        ),
        family="office",
        version=3,
        specimen=specimens.PPTX,
    ),
    *(
        Kind(
            name,
            f"fumehood.loaders.{name}",
            extensions=(name, f"ot{name[-1]}", f"fod{name[-1]}"),
            media_types=(
                f"application/vnd.oasis.opendocument.{body}",
                f"application/vnd.oasis.opendocument.{body}-template",
                f"application/vnd.oasis.opendocument.{body}-flat-xml",
            ),
            chunker=chunker,
            family="office",
            version=5,
            specimen=specimen,
        )
        for name, body, chunker, specimen in (
            ("odt", "text", "structure", specimens.ODT),
            ("ods", "spreadsheet", "records", specimens.ODS),
            ("odp", "presentation", "structure", specimens.ODP),
        )
    ),
)

_registry: dict[str, Kind] = {kind.name: kind for kind in _BUILT_IN}


def register(kind: Kind) -> Kind:
    """Adds a kind, or replaces the one of the same name; call it in the application's own code.

    A kind from outside gets a zygote of its own, whatever its `family` says: a faulty import must not
    take the built-in kinds down. Raises `TypeError` for a field of the wrong type, and `ValueError` for a name
    that could not be told apart in a log, an unknown option, a reserved name, an extension or media type that no
    file could match, or a specimen above `MAX_SPECIMEN`.
    """
    kind = _checked_types(kind)
    if not is_name(kind.name) or kind.name == AUTO:
        raise ValueError(
            f"a kind's name is lower-case letters, digits and _.+- (at most 40), and not 'auto': {kind.name!r}"
        )
    unknown = kind.options - set(OPTION_NAMES)
    if unknown:
        raise ValueError(f"kind {kind.name} names options that do not exist: {', '.join(sorted(unknown))}")
    if not all(part.isidentifier() for part in kind.module.split(".")):
        raise ValueError(f"kind {kind.name} needs the dotted name of its loader's module, not {kind.module!r}")
    for hint in (*kind.extensions, *kind.media_types):
        if hint != hint.lower() or hint.startswith("."):
            raise ValueError(
                f"kind {kind.name} needs extensions and media types in lower case, without a dot: {hint!r}"
            )
    if len(kind.specimen) > MAX_SPECIMEN:
        raise ValueError(f"the specimen of kind {kind.name} has {len(kind.specimen):,} bytes; at most {MAX_SPECIMEN:,}")
    own = msgspec.structs.replace(kind, family=f"kind:{kind.name}", extras={})
    _registry.pop(own.name, None)  # The last one registered is the last in order: it wins an extension, too.
    _registry[own.name] = own
    return own


def _checked_types(kind: Kind) -> Kind:
    """A struct does not check what it is made of; the zygote that decodes the kind does, and would not start."""
    if not isinstance(kind, Kind):
        raise TypeError(f"register takes a Kind, not {type(kind).__name__}")
    try:
        return msgspec.convert(msgspec.structs.asdict(kind), Kind, builtin_types=(bytes, bytearray))
    except msgspec.ValidationError as error:
        raise TypeError(f"kind {kind.name}: {error}") from None


@contextmanager
def registered(kind: Kind) -> Iterator[Kind]:
    """:func:`register` for as long as the `with` block lasts: for tests. Then all is as it was."""
    before = dict(_registry)
    try:
        yield register(kind)
    finally:
        _registry.clear()
        _registry.update(before)


def adopt(kind: Kind) -> None:
    """Takes over a kind as the application registered it; for zygotes, which start with the built-in ones."""
    _registry[kind.name] = kind


def get(name: str) -> Kind:
    """The kind of that name. Raises `ValueError` with the list of kinds."""
    kind = _registry.get(name)
    if kind is None:
        raise ValueError(f"there is no kind {name!r}; the kinds are auto, {', '.join(sorted(_registry))}")
    return kind


def names() -> frozenset[str]:
    return frozenset(_registry)


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


def by_media_type(media_type: str) -> Kind | None:
    """The kind that a media type names, or None. A hint, never a decision."""
    wanted = media_type.lower()
    return next((kind for kind in reversed(_registry.values()) if wanted in kind.media_types), None)


def built_in(name: str) -> Kind | None:
    """The built-in kind of that name, also where the application has registered another in its place."""
    return next((kind for kind in _BUILT_IN if kind.name == name), None)


def all_built_in() -> tuple[Kind, ...]:
    """The built-in kinds, whatever the application has registered."""
    return _BUILT_IN


def family_of(kind: Kind, options: ReadOptions) -> str:
    """The family whose zygote reads a document of `kind`.

    With `attachments=True` that is the one of all built-in kinds, else that of the engine. A kind from outside stays
    in its own, where no other kind is warm: what is attached to its documents is not read.
    """
    if built_in(kind.name) != kind:
        return kind.family
    if options.attachments:
        return ATTACHMENTS
    engine = engine_of(kind, options)
    return engine if engine is not None and engine in kind.extras else kind.family


def of_family(family: str) -> tuple[Kind, ...]:
    if family == ATTACHMENTS:
        return _BUILT_IN
    return tuple(kind for kind in _registry.values() if family == kind.family or family in kind.extras)


def engine_of(kind: Kind, options: ReadOptions) -> str | None:
    """The engine that reads a document of `kind`: the one asked for, else the best that is installed."""
    if options.engine is not None and options.engine != AUTO:
        return options.engine
    return next((engine for engine in kind.engines if is_installed(kind, engine)), None)


def engines_in(kind: Kind, family: str) -> tuple[str, ...]:
    """The engines of `kind` that the zygote of `family` has, best first."""
    found = (engine for engine in kind.engines if is_installed(kind, engine))
    if family == ATTACHMENTS:
        return tuple(found)
    return tuple(engine for engine in found if family_of(kind, ReadOptions(engine=engine)) == family)


def is_installed(kind: Kind, engine: str) -> bool:
    """Whether `engine` can be used: it needs no extra, or the extra is there. Imports nothing."""
    module = kind.extras.get(engine)
    return module is None or _is_found(module)


@functools.cache
def _is_found(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def check_engine(able: Iterable[Kind], engine: str) -> None:
    """Raises `ValueError` for an engine that none of the kinds `able` has, or whose extra is not installed."""
    if engine == AUTO:
        return
    known = [kind for kind in able if engine in kind.engines]
    if not known:
        has = sorted({AUTO}.union(*(kind.engines for kind in able)))
        raise ValueError(f"there is no engine {engine!r} here; there is {', '.join(has)}")
    if not any(is_installed(kind, engine) for kind in known):
        raise ValueError(f"the engine {engine} is not installed; install it: pip install 'fumehood[{engine}]'")

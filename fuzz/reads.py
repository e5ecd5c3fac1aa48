"""Targets that read: a kind's loader in-process, under small limits, and in a worker; and the sniffer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from fumehood import Reader, kinds, read_isolated
from fumehood.document import Document
from fumehood.errors import CHARSETS, Refusal
from fumehood.fuzz import seeds
from fumehood.fuzz.bomb import READ
from fumehood.fuzz.oracle import broken, check_loaded, check_refusal, check_table_cells
from fumehood.fuzz.replies import accepted
from fumehood.fuzz.target import FUZZ_LIMITS, TIGHT_LIMITS, Target
from fumehood.kinds import AUTO, Kind, ReadOptions
from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.sandbox import frames, loading

DEFAULTS: Final = ReadOptions()
PASSWORDS: Final = (
    seeds.PASSWORD,
    "",
    "other",
    "p\u00e4ss",
    "\u65e5\u672c",
    "\u00ad",
    "\u0627a",
    " ",
    "x" * 200,
    "\U0001f511",
)
"""The one that opens our seeds, and some that preparation (RFC 4013) maps, refuses or makes empty, or that are too long."""
_CHARSETS: Final = tuple(sorted(CHARSETS))
_TOO_LONG: Final = frozenset({"wall-clock", "cpu-time"})


def targets() -> Iterator[Target]:
    """`load:KIND`, `tight:KIND` and `jail:KIND` for every kind that is registered now; `auto` and `sniff`.

    The same with `+ENGINE` or `+attachments` behind the kind, where that is another loader's way or another zygote's.
    With `+password` or `+charset`, the first byte of the input chooses one.
    """
    for kind in kinds.kinds():
        for variant in variants(kind):
            name = kind.name + variant.name
            yield _in_process(f"load:{name}", load, kind, variant)
            if not variant.drawn:
                yield _in_process(f"tight:{name}", tight, kind, variant)
            yield _isolated(f"jail:{name}", kind.name, variant, kind.name)
    yield Target("sniff", sniff)
    yield _isolated("auto", AUTO, Variant(""), None)


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to read a kind.

    - `name`: what its targets are called beyond the kind's name.
    - `drawn`: the option that inputs choose, one of `values`.
    """

    name: str
    options: ReadOptions = DEFAULTS
    drawn: str = ""
    values: tuple[str, ...] = ()

    @property
    def choices(self) -> int:
        """How many bytes before the document choose."""
        return 1 if self.drawn else 0

    def chosen(self, choice: int) -> ReadOptions:
        return replace(self.options, **{self.drawn: self.values[choice % len(self.values)]})

    def split(self, data: bytes) -> tuple[bytes, ReadOptions]:
        """The document in an input, and how to read it."""
        return (data[1:], self.chosen(data[0] if data else 0)) if self.drawn else (data, self.options)


def variants(kind: Kind) -> Iterator[Variant]:
    yield Variant("")
    for engine in kind.engines:
        if kinds.is_installed(kind, engine) and engine != kinds.engine_of(kind, ReadOptions()):
            yield Variant(f"+{engine}", ReadOptions(engine=engine))
    if "attachments" in kind.options:
        yield Variant("+attachments", ReadOptions(attachments=True))
    if "password" in kind.options:
        yield Variant("+password", drawn="password", values=PASSWORDS)
    if "charset" in kind.options:
        yield Variant("+charset", drawn="charset", values=_CHARSETS)


def _in_process(target: str, read: Callable[[Kind, bytes, ReadOptions], str], kind: Kind, variant: Variant) -> Target:
    return Target(target, lambda data: read(kind, *variant.split(data)), kind.name, choices=variant.choices)


def _isolated(target: str, name: str, variant: Variant, kind: str | None) -> Target:
    async def read(reader: Reader, data: bytes) -> str:
        return await jail_on(name, reader, *variant.split(data))

    return Target(target, lambda data: jail(name, *variant.split(data)), kind, read, variant.choices)


# ---- in-process ------------------------------------------------------------------------------------------------------


def load(kind: Kind, data: bytes, options: ReadOptions = DEFAULTS) -> str:
    """In-process, twice. What the loader built must also be what the parent accepts of a worker."""
    first, second = attempt(kind, data, options, FUZZ_LIMITS), attempt(kind, data, options, FUZZ_LIMITS)
    if first != second:
        broken("two reads of the same bytes differ", (_brief(first), _brief(second)))
    if "lenient" in kind.options:
        _check_lenient(first, attempt(kind, data, replace(options, lenient=True), FUZZ_LIMITS))
    return checked(first, kind, FUZZ_LIMITS)


def _check_lenient(strict: Document | Refusal, lenient: Document | Refusal) -> None:
    """Leniency gives the raw text and says so, or changes nothing; it lifts no limit."""
    if strict == lenient:
        if isinstance(strict, Refusal) and strict.code == "malformed":
            broken("a lenient read that is as strict as any")
    elif isinstance(lenient, Document) and "unparsed" not in {notice.code for notice in lenient.notices}:
        broken("a lenient read that does not say so", (_brief(strict), _brief(lenient)))
    elif isinstance(strict, Refusal) and strict.code != "malformed":
        broken("leniency lifted a limit", (_brief(strict), _brief(lenient)))


def checked(outcome: Document | Refusal, kind: Kind, limits: Limits) -> str:
    """How a read ended. Raises `BrokenPromise` for what no loader may make."""
    if isinstance(outcome, Refusal):
        check_refusal(outcome, limits)
        return outcome.code
    check_loaded(outcome, kind.name, limits)
    return READ


def tight(kind: Kind, data: bytes, options: ReadOptions = DEFAULTS) -> str:
    """Under limits that a page passes: refused for one of them, or within them and read."""
    outcome = attempt(kind, data, options, TIGHT_LIMITS)
    code = checked(outcome, kind, TIGHT_LIMITS)
    if isinstance(outcome, Document):
        check_table_cells(outcome, TIGHT_LIMITS.table_cells)
    elif outcome.limit is None and isinstance(attempt(kind, data, options, FUZZ_LIMITS), Document):
        broken("refused for no limit, and read where the limits are larger", outcome.facts)
    return code


def attempt(kind: Kind, data: bytes, options: ReadOptions, limits: Limits) -> Document | Refusal:
    """One read in-process, through the frames that a worker would send."""
    try:
        budget = Budget(limits)
        out = loading.load(kind, data, limits, options, budget)
        head = frames.Head(out.title, out.metadata)
        sent = b"".join(
            frames.document(head, [out.text()], out.blocks, out.links, out.notices, budget.used("inflated_bytes"))
        )
    except Refusal as refused:
        return refused
    contents = accepted(frames.started((), 0) + sent, limits)
    return Document(
        kind.name,
        contents.title,
        contents.metadata,
        contents.text,
        contents.blocks,
        contents.links,
        contents.notices,
    )


def _brief(outcome: Document | Refusal) -> str:
    if isinstance(outcome, Refusal):
        return outcome.code
    return f"{len(outcome.text)} characters, {len(outcome.blocks)} blocks, {len(outcome.notices)} notices"


# ---- in a worker -------------------------------------------------------------------------------------------------------


def jail(name: str, data: bytes, options: ReadOptions = DEFAULTS) -> str:
    """Through the process's one reader, as callers do it; `name` may be `auto`."""
    try:
        return _read(name, data, read_isolated(name, data, limits=FUZZ_LIMITS, options=options))
    except Refusal as refused:
        return _refused(refused)


async def jail_on(name: str, reader: Reader, data: bytes, options: ReadOptions = DEFAULTS) -> str:
    """The same among many others on one event loop, which takes no threads."""
    try:
        return _read(name, data, await reader.read(name, data, limits=FUZZ_LIMITS, options=options))
    except Refusal as refused:
        return _refused(refused)


def _refused(refused: Refusal) -> str:
    check_refusal(refused, FUZZ_LIMITS)
    if refused.code in _TOO_LONG:
        broken("a cap on work that did not end it before a cap on time", refused.facts)
    return refused.code


def _read(name: str, data: bytes, document: Document) -> str:
    check_loaded(document, document.kind if name == AUTO else name, FUZZ_LIMITS)
    if document.receipt is None or document.receipt.size != len(data):
        broken("a receipt for something else", document.receipt)
    return READ


# ---- sniffing --------------------------------------------------------------------------------------------------------


def sniff(data: bytes) -> str:
    """By content alone, and with every hint there is: a registered kind, or a refusal that names what it is."""
    outcomes = [_sniffed(data, hint) for hint in (None, *(kind.name for kind in kinds.kinds()))]
    return outcomes[0]


def _sniffed(data: bytes, hint: str | None) -> str:
    try:
        found = loading.sniff(data, hint, FUZZ_LIMITS)
    except Refusal as refused:
        check_refusal(refused, FUZZ_LIMITS)
        if refused.code not in ("unsupported-kind", "encrypted"):
            broken("a sniffer that fails", refused.facts)
        return refused.code
    if found != kinds.get(found).name:
        broken("a kind that is not registered", found)
    return READ

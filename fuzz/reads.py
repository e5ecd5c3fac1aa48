"""Targets that read: a kind's loader in-process, under small limits, and in a worker; and the sniffer."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from msgspec.structs import replace

from fumehood import Reader, kinds, read_isolated
from fumehood.document import Document
from fumehood.errors import Refusal
from fumehood.fuzz.bomb import READ
from fumehood.fuzz.oracle import broken, check_loaded, check_refusal, check_table_cells
from fumehood.fuzz.replies import accepted
from fumehood.fuzz.target import FUZZ_LIMITS, TIGHT_LIMITS, Target
from fumehood.kinds import AUTO, Kind, ReadOptions
from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.sandbox import frames, loading

DEFAULTS: Final = ReadOptions()
_TOO_LONG: Final = frozenset({"wall-clock", "cpu-time"})


def targets() -> Iterator[Target]:
    """`load:KIND`, `tight:KIND` and `jail:KIND` for every kind that is registered now; `auto` and `sniff`.

    The same with `+ENGINE` or `+attachments` behind the kind, where that is another loader's way or another zygote's.
    """
    for kind in kinds.kinds():
        for variant, options in variants(kind):
            name = kind.name + variant
            yield Target(f"load:{name}", partial(load, kind, options=options), kind.name)
            yield Target(f"tight:{name}", partial(tight, kind, options=options), kind.name)
            yield _isolated(f"jail:{name}", kind.name, options, kind.name)
    yield Target("sniff", sniff)
    yield _isolated("auto", AUTO, DEFAULTS, None)


def _isolated(target: str, name: str, options: ReadOptions, kind: str | None) -> Target:
    return Target(target, partial(jail, name, options), kind, partial(jail_on, name, options))


def variants(kind: Kind) -> Iterator[tuple[str, ReadOptions]]:
    """The ways to read a kind, each with what its targets are called beyond the kind's name."""
    yield "", ReadOptions()
    for engine in kind.engines:
        if kinds.is_installed(kind, engine) and engine != kinds.engine_of(kind, ReadOptions()):
            yield f"+{engine}", ReadOptions(engine=engine)
    if "attachments" in kind.options:
        yield "+attachments", ReadOptions(attachments=True)


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


def jail(name: str, options: ReadOptions, data: bytes) -> str:
    """Through the process's one reader, as callers do it; `name` may be `auto`."""
    try:
        return _read(name, data, read_isolated(name, data, limits=FUZZ_LIMITS, options=options))
    except Refusal as refused:
        return _refused(refused)


async def jail_on(name: str, options: ReadOptions, reader: Reader, data: bytes) -> str:
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

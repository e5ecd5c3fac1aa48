"""`check_loader`: what every loader promises, tried on honest documents and on what becomes of them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from typing import Final

from fumehood import kinds
from fumehood.chunking import Chunk, chunk, strategies
from fumehood.document import Document
from fumehood.errors import Refusal
from fumehood.fuzz import reads
from fumehood.fuzz.oracle import BrokenPromise, check_loaded, check_refusal
from fumehood.kinds import Kind
from fumehood.sandbox import loading
from fumehood.testing.breach import breach
from fumehood.testing.budgets import check_budgets
from fumehood.testing.endings import check_ending
from fumehood.testing.growth import Grow, check_growth
from fumehood.testing.inputs import inputs
from fumehood.testing.outcomes import LIMITS, Outcome, Watcher, in_jail, in_process, watched

_BY_THE_BUILDER: Final = "make the document by the Builder's methods alone: they keep offsets, hygiene and caps; a lenient read says `unparsed`"


def check_loader(
    kind: Kind,
    documents: Iterable[bytes] = (),
    *,
    grow: Grow | None = None,
    count: int = 60,
    most_bytes: int = 256 * 1024,
    seed: int = 0,
) -> None:
    """Holds the loader of `kind` to what every loader promises; needs a machine with the sandbox.

    - `kind`: as you register it; registered for as long as this takes, unless it is already.
    - `documents`: honest documents of the kind beside its specimen, a few kilobytes each; the richer, the better.
    - `grow`: makes an honest document of about that many bytes, for formats whose documents cannot be put in a row.
    - `count`: how many damaged inputs are made of the honest ones, the same for the same `seed`.
    - `most_bytes`: how large inputs become where time is measured.

    Raises `AssertionError` for the first promise that is broken: it says which, by which input, and what to do.
    Raises `SandboxUnavailable` where there is no sandbox.
    """
    with contextlib.ExitStack() as stack:
        if kind not in kinds.kinds():
            kind = stack.enter_context(kinds.registered(kind))
        honest = [kind.specimen, *documents]
        _check_module(kind)
        watcher = stack.enter_context(watched(kind))
        for data in honest:
            _check_honest(kind, data)
        _check_empty(kind)
        tried = [*honest, *inputs(kind, honest, count, seed)]
        outcomes = [_check_input(kind, data) for data in tried]
        # In another order, by processes with another seed for hashes.
        for data, outcome in reversed(list(zip(tried, outcomes, strict=True))):
            _check_watched(kind, watcher, data, outcome)
        for data in honest:
            check_budgets(kind, data)
            check_growth(kind, data, grow if data is honest[0] else None, most_bytes)


def _check_module(kind: Kind) -> None:
    if not kind.specimen:
        breach(kind.name, "has no specimen", "give the Kind a small document that uses all of the format: it warms up")
    try:
        loader = loading.import_loader(kind)
    except Exception as error:  # It is the author's module, and may fail as it likes.
        breach(
            kind.name,
            f"is none: {type(error).__name__}: {error}",
            "give the module load(data, out, budget, options), and put it on sys.path",
        )
    if kind.chunker not in {strategy.name for strategy in strategies()}:
        breach(kind.name, f"has a Kind with the chunker {kind.chunker!r}, which does not exist", "see docs/chunking.md")
    engines = getattr(loader, "ENGINES", None)
    if not isinstance(engines, Mapping):
        breach(
            kind.name,
            "has no ENGINES",
            "name your parsing libraries and their versions: ENGINES = {}, if there are none",
        )
    if kind.engines and tuple(engines) != kind.engines:
        breach(
            kind.name, f"has the engines {tuple(engines)}, and its Kind {kind.engines}", "name the same, default first"
        )


# ---- honest documents ------------------------------------------------------------------------------------------------


def _check_honest(kind: Kind, data: bytes) -> None:
    """A worker can be had, and reads the document."""
    try:
        outcome = in_jail(kind, data)
    except ImportError as error:
        breach(
            kind.name,
            f"cannot be used in a worker: {error}",
            "import at the top of the module, start no threads, and let the specimen be a document that is read",
        )
    check_ending(kind, data, outcome)
    if isinstance(outcome, Refusal):
        _check_same_here(kind, data, in_process(kind, data), outcome)
        breach(
            kind.name,
            f"refuses an honest document: {outcome.message}",
            "the parser's error is on the log `fumehood` at DEBUG; prefer reading what is there, with a notice",
            data,
        )
    _check_blocks(kind, data, outcome)
    if not outcome.blocks:
        breach(kind.name, "finds nothing in an honest document", "a specimen and samples hold some text", data)
    if bool(_chunks(kind, outcome)) != any(block.visible for block in outcome.blocks):
        breach(
            kind.name, "has visible blocks and no chunks", "let blocks hold the text, and not what stands between", data
        )


def _chunks(kind: Kind, document: Document) -> list[Chunk]:
    return chunk(document, kind.chunker, on_too_large="split")


def _check_empty(kind: Kind) -> None:
    outcome = in_jail(kind, b"")
    check_ending(kind, b"", outcome)
    if isinstance(outcome, Document) and (outcome.text or outcome.blocks or _chunks(kind, outcome)):
        breach(kind.name, "makes text of an empty input", "add nothing that the document does not say", b"")


# ---- any input -------------------------------------------------------------------------------------------------------


def _check_input(kind: Kind, data: bytes) -> Outcome:
    """First by a worker, which survives whatever it is; then here, where it shows more."""
    outcome = in_jail(kind, data)
    check_ending(kind, data, outcome)
    first, second = in_process(kind, data), in_process(kind, data)
    if first != second:
        breach(
            kind.name,
            f"reads the same bytes in two ways: {_difference(first, second)}",
            "keep nothing from one document to the next, and use neither clock nor chance",
            data,
        )
    _check_same_here(kind, data, first, outcome)
    _check_promises(kind, data, outcome)
    return outcome


def _check_same_here(kind: Kind, data: bytes, here: Outcome, outcome: Outcome) -> None:
    if here != outcome:
        breach(
            kind.name,
            f"reads the same bytes in another way in a worker: {_difference(here, outcome)}",
            "there nothing can be opened or imported, all is fresh, and sets have another order: load what you need when "
            "you are imported or in warm(), keep no state, and sort what has no order",
            data,
        )


def _check_promises(kind: Kind, data: bytes, outcome: Outcome) -> None:
    try:
        if isinstance(outcome, Refusal):
            check_refusal(outcome, LIMITS)
        else:
            check_loaded(outcome, kind.name, LIMITS)
            _check_blocks(kind, data, outcome)
        for variant in reads.variants(kind):
            reads.load(kind, data, variant.chosen(len(data)) if variant.drawn else variant.options)
    except BrokenPromise as broken:
        breach(kind.name, f"makes what no document may be: {broken}", _BY_THE_BUILDER, data)


def _check_blocks(kind: Kind, data: bytes, document: Document) -> None:
    if document.text.strip() and not document.blocks:
        breach(kind.name, "makes text that belongs to no block", "add a span for what you gave to verbatim()", data)


def _difference(one: Outcome, other: Outcome) -> str:
    if isinstance(one, Refusal) or isinstance(other, Refusal):
        return f"{_ending(one)}, and {_ending(other)}"
    fields = ("title", "metadata", "text", "blocks", "links", "notices")
    name = next(name for name in fields if getattr(one, name) != getattr(other, name))
    return f"{name} {_short(getattr(one, name))}, and {_short(getattr(other, name))}"


def _ending(outcome: Outcome) -> str:
    return f"refused as {outcome.code}" if isinstance(outcome, Refusal) else f"read as {_short(outcome.text)}"


def _short(value: object) -> str:
    written = repr(value)
    return written if len(written) <= 80 else f"{written[:80]}…"


# ---- behind the lock -------------------------------------------------------------------------------------------------


def _check_watched(kind: Kind, watcher: Watcher, data: bytes, outcome: Outcome) -> None:
    report = watcher.read(data)
    if report is None:
        return
    if report.acts:
        breach(
            kind.name,
            f"opens or imports something while it reads: {'; '.join(report.acts)}",
            "import at the top of the module; what loads lazily, codecs too, is used once in warm() or by the specimen",
            data,
        )
    read = isinstance(outcome, Document)
    if (report.document is not None) != read or (read and report.document != outcome):
        breach(
            kind.name,
            "reads the same bytes in another way in another process",
            "sort what has no order, sets above all; use neither clock nor chance",
            data,
        )
    if read and report.counted_bytes < report.inflated_bytes:
        breach(
            kind.name,
            f"inflated {report.inflated_bytes:,} bytes and spent {report.counted_bytes:,} of inflated_bytes",
            "inflate piece by piece, and call budget.inflate(produced, entry_total, consumed) for each: sizes in a file lie",
            data,
        )

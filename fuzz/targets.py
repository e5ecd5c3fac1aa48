"""Fuzz targets: functions of bytes whose oracle is what the contract promises.

A target returns how its input ended, `read` or a refusal's code, and raises `BrokenPromise`, or whatever escaped, if
something is wrong with us. `TARGETS` has them by name: `load:KIND` in-process, `jail:KIND` in a worker, for every kind
that is registered when it is asked, and those that belong to no kind.
"""

from __future__ import annotations

import contextlib
import io
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from xml.parsers import expat

from fumehood import Refusal, kinds, read_isolated
from fumehood.document import Document
from fumehood.fuzz.bomb import READ
from fumehood.fuzz.oracle import BrokenPromise, broken, check_document, check_loaded, check_refusal
from fumehood.kinds import AUTO, Kind, ReadOptions
from fumehood.limits import xml
from fumehood.limits.budget import Budget
from fumehood.limits.policy import MIB, Limits
from fumehood.limits.zip import Archive, BadEntry, Entry
from fumehood.sandbox import frames, loading
from fumehood.sandbox.reply import BadReply, Contents, Reply

FUZZ_LIMITS: Final = Limits(
    heap_bytes=512 * MIB,
    inflated_bytes=32 * MIB,
    entry_bytes=16 * MIB,
    xml_elements=200_000,
    nodes=200_000,
    table_cells=100_000,
    output_bytes=1 * MIB,
    blocks=50_000,
)
"""Small enough that an input which spends a cap does so in a fraction of a second."""

BAD_REPLY: Final = "bad-reply"
"""Beside the codes of refusals: what the decoder says of what is no reply."""


@dataclass(frozen=True, slots=True)
class Target:
    """One target. `kind`: whose seeds suit it, or None; `is_isolated`: every run takes a worker."""

    name: str
    run: Callable[[bytes], str]
    kind: str | None = None
    is_isolated: bool = False

    def __call__(self, data: bytes) -> str:
        return self.run(data)


# ---- loaders -----------------------------------------------------------------------------------------------------


def load(kind: Kind, data: bytes) -> str:
    """In-process, twice. What the loader built must also be what the parent accepts of a worker."""
    first, second = _attempt(kind, data, ReadOptions()), _attempt(kind, data, ReadOptions())
    if first != second:
        broken("two reads of the same bytes differ", (_brief(first), _brief(second)))
    if "lenient" in kind.options:
        _check_lenient(first, _attempt(kind, data, ReadOptions(lenient=True)))
    if "attachments" in kind.options:
        _checked(_attempt(kind, data, ReadOptions(attachments=True)), kind)
    return _checked(first, kind)


def _check_lenient(strict: Document | Refusal, lenient: Document | Refusal) -> None:
    """Leniency gives the raw text and says so, or changes nothing; it lifts no limit."""
    if strict == lenient:
        if isinstance(strict, Refusal) and strict.code == "malformed":
            broken("a lenient read that is as strict as any")
    elif isinstance(lenient, Document) and "unparsed" not in {notice.code for notice in lenient.notices}:
        broken("a lenient read that does not say so", (_brief(strict), _brief(lenient)))
    elif isinstance(strict, Refusal) and strict.code != "malformed":
        broken("leniency lifted a limit", (_brief(strict), _brief(lenient)))


def _checked(outcome: Document | Refusal, kind: Kind) -> str:
    if isinstance(outcome, Refusal):
        check_refusal(outcome, FUZZ_LIMITS)
        return outcome.code
    check_loaded(outcome, kind.name, FUZZ_LIMITS)
    return READ


def _attempt(kind: Kind, data: bytes, options: ReadOptions) -> Document | Refusal:
    try:
        budget = Budget(FUZZ_LIMITS)
        out = loading.load(kind, data, FUZZ_LIMITS, options, budget)
        head = frames.Head(out.title, out.metadata)
        sent = b"".join(
            frames.document(head, [out.text()], out.blocks, out.links, out.notices, budget.used("inflated_bytes"))
        )
    except Refusal as refused:
        return refused
    contents = _accepted(frames.started((), 0) + sent)
    return Document(
        kind.name,
        contents.title,
        contents.metadata,
        contents.text,
        contents.blocks,
        contents.links,
        contents.notices,
    )


def _accepted(sent: bytes) -> Contents:
    reply = Reply(FUZZ_LIMITS, sniff=False)
    try:
        reply.feed(sent)
    except BadReply as error:
        broken("a document that the parent takes for no reply", str(error))
    except Refusal as refused:
        # The builder counts too; that it let pass what the parent does not would cost a worker's whole work.
        broken("a document whose caps only the parent saw passed", refused.facts)
    if not reply.complete:
        broken("a document that is no whole reply")
    return _contents(reply)


def _contents(reply: Reply) -> Contents:
    """What a coroutine gives that never waits for anything here."""
    coroutine = reply.contents()
    try:
        coroutine.send(None)
    except StopIteration as ended:
        contents: Contents = ended.value
        return contents
    coroutine.close()
    return broken("a decoder that waits")


def _brief(outcome: Document | Refusal) -> str:
    if isinstance(outcome, Refusal):
        return outcome.code
    return f"{len(outcome.text)} characters, {len(outcome.blocks)} blocks, {len(outcome.notices)} notices"


def jail(name: str, data: bytes) -> str:
    """Through the process's one reader, as callers do it; `name` may be `auto`."""
    try:
        document = read_isolated(name, data, limits=FUZZ_LIMITS)
    except Refusal as refused:
        check_refusal(refused, FUZZ_LIMITS)
        return refused.code
    check_loaded(document, document.kind if name == AUTO else name, FUZZ_LIMITS)
    if document.receipt is None or document.receipt.size != len(data):
        broken("a receipt for something else", document.receipt)
    return READ


# ---- sniffing, Markdown, replies ------------------------------------------------------------------------------------


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


def markdown_scan(data: bytes) -> str:
    """`Document.from_markdown` over whatever is valid text."""
    text = data.decode("utf-8", "replace")
    document = Document.from_markdown(text)
    check_loaded(document, "markdown", Limits())
    covered = sum(len(document.text[block.start : block.end].split()) for block in document.blocks)
    if covered > len(document.text.split()) + len(document.blocks):
        broken("blocks that hold more words than the text")
    return READ


def reply(data: bytes) -> str:
    """The parent's decoder, in one piece and byte by byte: the same end, and never more than it was sent."""
    sniffing = bool(data[:1]) and data[0] & 1 == 1
    whole, pieces = _decoded([data[1:]], sniff=sniffing), _decoded(_torn(data[1:]), sniff=sniffing)
    if whole != pieces:
        broken("a reply whose end depends on how it arrives", (whole, pieces))
    return whole


def _torn(data: bytes) -> Iterator[bytes]:
    step = 1 if len(data) < 4_096 else 997
    return (data[at : at + step] for at in range(0, len(data), step))


def _decoded(pieces: Iterator[bytes] | list[bytes], *, sniff: bool) -> str:
    decoder = Reply(FUZZ_LIMITS, sniff=sniff)
    try:
        for piece in pieces:
            decoder.feed(piece)
    except BadReply:
        return BAD_REPLY
    except Refusal as refused:
        check_refusal(refused, FUZZ_LIMITS)
        return refused.code
    if not decoder.complete:
        return BAD_REPLY
    if decoder.refused is not None:
        return decoder.refused.code
    if decoder.kind is not None:
        return READ
    contents = _contents(decoder)
    check_document(
        Document(
            "any", contents.title, contents.metadata, contents.text, contents.blocks, contents.links, contents.notices
        ),
        "any",
        FUZZ_LIMITS,
    )
    return READ


# ---- prechecks --------------------------------------------------------------------------------------------------------


def zip_precheck(data: bytes) -> str:
    """What is accepted, the standard library opens too, and every entry that both read is the same to both."""
    budget = Budget(FUZZ_LIMITS)
    try:
        archive = Archive.check(data, budget)
        bodies = [_body(archive, entry) for entry in archive.entries]
    except Refusal as refused:
        check_refusal(refused, FUZZ_LIMITS)
        return refused.code
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as theirs:
            _compare(theirs, bodies)
    except NotImplementedError:
        return READ  # A version or a flag of which the standard library has no opinion.
    except zipfile.BadZipFile as error:
        broken("an archive that others do not open", str(error))
    return READ


def _compare(theirs: zipfile.ZipFile, bodies: list[bytes | None]) -> None:
    infos = theirs.infolist()
    if len(infos) != len(bodies):
        broken("an archive of another number of entries to others", (len(infos), len(bodies)))
    for info, body in zip(infos, bodies, strict=True):
        if body is not None and body != _their_body(theirs, info):
            broken("an entry that is something else to others", info.filename)


def _body(archive: Archive, entry: Entry) -> bytes | None:
    """None for what is no file, or is damaged or encrypted, which others may judge as they like."""
    if entry.is_directory or entry.is_encrypted:
        return None
    try:
        return archive.read(entry)
    except BadEntry:
        return None


def _their_body(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    try:
        return archive.read(info)
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        broken("an entry that others do not read", (info.filename, str(error)))


def xml_precheck(data: bytes) -> str:
    """What is accepted has no document type declaration to expat, in whatever encoding."""
    budget = Budget(FUZZ_LIMITS)
    try:
        loading.guarded(lambda: xml.precheck(data, budget), budget)
    except Refusal as refused:
        check_refusal(refused, FUZZ_LIMITS)
        return refused.code
    parser = expat.ParserCreate()

    def declared(*_of: object) -> None:
        broken("a document type declaration that was let pass", data[:64])

    parser.StartDoctypeDeclHandler = declared
    with contextlib.suppress(expat.ExpatError, ValueError):  # the latter for encodings that expat does not know
        parser.Parse(data, True)
    return READ


# ---- the registry ---------------------------------------------------------------------------------------------------

_WITHOUT_KIND: Final = (
    Target("sniff", sniff),
    Target("auto", lambda data: jail(AUTO, data), is_isolated=True),
    Target("markdown-scan", markdown_scan, "markdown"),
    Target("reply", reply),
    Target("zip", zip_precheck),
    Target("xml", xml_precheck),
)


class Targets(Mapping[str, Target]):
    """Every target by its name, those of kinds that were registered since included."""

    def __getitem__(self, name: str) -> Target:
        for target in _WITHOUT_KIND:
            if target.name == name:
                return target
        way, _, kind = name.partition(":")
        if way not in ("load", "jail") or kind not in {known.name for known in kinds.kinds()}:
            raise KeyError(name)
        return _of_kind(way, kinds.get(kind))

    def __iter__(self) -> Iterator[str]:
        for kind in kinds.kinds():
            yield from (f"load:{kind.name}", f"jail:{kind.name}")
        yield from (target.name for target in _WITHOUT_KIND)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _of_kind(way: str, kind: Kind) -> Target:
    if way == "load":
        return Target(f"load:{kind.name}", lambda data: load(kind, data), kind.name)
    return Target(f"jail:{kind.name}", lambda data: jail(kind.name, data), kind.name, is_isolated=True)


TARGETS: Final[Mapping[str, Target]] = Targets()

__all__ = ["FUZZ_LIMITS", "TARGETS", "BrokenPromise", "Target"]

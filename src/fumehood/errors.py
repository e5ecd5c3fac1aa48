"""Every way a read can fail, and every thing a read may remark.

    Refusal
    ├── DocumentTooLarge      input-too-large inflated-too-large too-many-entries output-too-large
    │   └── ArchiveBomb       zip-overlap zip-lie zip-ratio zip-nested
    ├── DocumentTooComplex    memory nodes xml-elements nesting table-cells pages parts image-pixels
    ├── DocumentReadTimeout   wall-clock cpu-time
    ├── MalformedDocument     malformed kind-mismatch
    ├── EncryptedDocument     encrypted
    ├── ScannedDocument       scanned
    ├── UnsupportedKind       unsupported-kind
    ├── WorkerFailed          crashed policy-violation bad-reply
    └── SandboxUnavailable    sandbox-unavailable overloaded cancelled

A refusal is facts: a code, numbers, and names from closed lists. Its message is composed here from
those facts, so it is safe to log and holds no text of the document or of a parser.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal, get_args

import msgspec

from fumehood.vocabulary import CHARSETS as CHARSETS
from fumehood.vocabulary import FORMATS as FORMATS
from fumehood.vocabulary import REMARKS as REMARKS

RefusalCode = Literal[
    "input-too-large",
    "inflated-too-large",
    "too-many-entries",
    "output-too-large",
    "zip-overlap",
    "zip-lie",
    "zip-ratio",
    "zip-nested",
    "memory",
    "nodes",
    "xml-elements",
    "nesting",
    "table-cells",
    "pages",
    "parts",
    "image-pixels",
    "wall-clock",
    "cpu-time",
    "malformed",
    "kind-mismatch",
    "encrypted",
    "scanned",
    "unsupported-kind",
    "crashed",
    "policy-violation",
    "bad-reply",
    "sandbox-unavailable",
    "overloaded",
    "cancelled",
]
Stage = Literal["ingress", "sniff", "precheck", "load", "reply"]

NoticeCode = Literal[
    "empty-document",
    "encoding-guessed",
    "kind-differs",
    "repaired",
    "part-missing",
    "part-unreadable",
    "image-not-read",
    "object-not-read",
    "attachment-not-read",
    "external-target",
    "link-dropped",
    "macro-present",
    "script-present",
    "hidden-text",
    "hidden-part",
    "deleted-text",
    "unmapped-glyphs",
    "pages-without-text",
    "layout-simplified",
    "text-recognised",
    "text-repeated",
    "formula-without-value",
    "nested-table",
    "cycle-skipped",
    "controls-removed",
    "unparsed",
    "password-empty",
    "notices-truncated",
]
NOTICE_CODES: Final[tuple[NoticeCode, ...]] = get_args(NoticeCode)
REFUSAL_CODES: Final[tuple[RefusalCode, ...]] = get_args(RefusalCode)

_NAME = re.compile(r"[a-z0-9][a-z0-9_.+-]{0,39}")

DETAILS: Final = FORMATS | CHARSETS | REMARKS | frozenset(REFUSAL_CODES)
"""The closed list of names a notice's or a refusal's `detail` may be; a code says why an attachment was not read."""

_MESSAGES: Final[Mapping[str, str]] = {
    "input-too-large": "the input is larger than allowed",
    "inflated-too-large": "the document inflates to more than allowed",
    "too-many-entries": "the archive has more entries than allowed",
    "output-too-large": "the document's text is larger than allowed",
    "zip-overlap": "archive entries share bytes, which no honest archive does",
    "zip-lie": "the archive's records contradict each other or cannot be true",
    "zip-ratio": "the archive inflates more than an honest one does",
    "zip-nested": "the archive nests archives",
    "memory": "reading the document takes more memory than allowed",
    "nodes": "the document has more nodes than allowed",
    "xml-elements": "the document has more XML elements than allowed",
    "nesting": "the document is nested deeper than allowed",
    "table-cells": "the document has more table cells than allowed",
    "pages": "the document has more pages than allowed",
    "parts": "the document has more parts than allowed",
    "image-pixels": "the document holds an image larger than allowed",
    "wall-clock": "reading the document took longer than allowed",
    "cpu-time": "reading the document took more processor time than allowed",
    "malformed": "the document is broken beyond reading",
    "kind-mismatch": "the document is not of the kind it was said to be",
    "encrypted": "the document is encrypted; pass ReadOptions(password=...) if its kind has that option, else ask for a copy without a password",
    "scanned": "the document holds pictures and no text; it needs text recognition first",
    "unsupported-kind": "the document is of a kind that has no loader",
    "crashed": "the worker that read the document crashed",
    "policy-violation": "the worker that read the document tried a forbidden act and was killed",
    "bad-reply": "the worker's reply was not valid and was discarded",
    "sandbox-unavailable": "this machine does not give a sandbox layer that is required",
    "overloaded": "too many documents are waiting; try again later or raise Reader(workers=..., queue=...)",
    "cancelled": "the read was cancelled before it ended",
}


class RefusalFacts(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a refusal says, as data. See :class:`Refusal` for the fields."""

    code: RefusalCode
    limit: Annotated[str, msgspec.Meta(max_length=40)] | None = None
    bound: int | float | None = None
    observed: int | float | None = None
    stage: Stage = "load"
    detail: Annotated[str, msgspec.Meta(max_length=400)] | None = None


class Refusal(Exception):
    """A document was not read. Never raised itself: always one of the subclasses.

    - `code`: one stable string, for programs.
    - `limit`, `bound`, `observed`: the name of the limit in :class:`fumehood.Limits` that was passed,
      its value, and what was seen when it was passed (`observed` is a lower bound: counting stops there).
    - `stage`: where it happened: `ingress sniff precheck load reply`.
    - `detail`: a name from a closed list: the kind that was recognised, the layer that is missing.
    - `message`: a sentence composed from the above.
    """

    codes: ClassVar[tuple[RefusalCode, ...]] = ()

    def __init__(
        self,
        code: RefusalCode,
        *,
        limit: str | None = None,
        bound: int | float | None = None,
        observed: int | float | None = None,
        stage: Stage = "load",
        detail: str | None = None,
    ) -> None:
        if code not in self.codes:
            raise ValueError(f"{type(self).__name__} has no code {code!r}; its codes are {', '.join(self.codes)}")
        self._facts = RefusalFacts(code, limit, bound, observed, stage, detail)
        super().__init__(self.message)

    @property
    def code(self) -> RefusalCode:
        return self._facts.code

    @property
    def limit(self) -> str | None:
        return self._facts.limit

    @property
    def bound(self) -> int | float | None:
        return self._facts.bound

    @property
    def observed(self) -> int | float | None:
        return self._facts.observed

    @property
    def stage(self) -> Stage:
        return self._facts.stage

    @property
    def detail(self) -> str | None:
        return self._facts.detail

    @property
    def facts(self) -> RefusalFacts:
        return self._facts

    @property
    def message(self) -> str:
        facts = self._facts
        sentence = _MESSAGES[facts.code]
        if facts.detail is not None:
            sentence += f" ({facts.detail})"
        if facts.limit is not None and facts.bound is not None:
            seen = "" if facts.observed is None else f", seen {facts.observed:,}"
            sentence += f": {facts.limit} is {facts.bound:,}{seen}"
        return sentence

    def to_dict(self) -> dict[str, Any]:
        """The facts and the message as plain values, every field present; for logs and JSON."""
        facts = self._facts
        return {
            "code": facts.code,
            "limit": facts.limit,
            "bound": facts.bound,
            "observed": facts.observed,
            "stage": facts.stage,
            "detail": facts.detail,
            "message": self.message,
        }

    def to_json(self) -> bytes:
        return msgspec.json.encode(self._facts)

    def to_msgpack(self) -> bytes:
        return msgspec.msgpack.encode(self._facts)

    @classmethod
    def from_json(cls, data: bytes | str) -> Refusal:
        """The refusal that `to_json` wrote. Raises `msgspec.ValidationError` on anything else."""
        return from_facts(msgspec.json.decode(data, type=RefusalFacts))

    @classmethod
    def from_msgpack(cls, data: bytes) -> Refusal:
        return from_facts(msgspec.msgpack.decode(data, type=RefusalFacts))

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Refusal:
        """The refusal that `to_dict` described; the message is composed anew."""
        known = {key: value for key, value in fields.items() if key != "message" and value is not None}
        return from_facts(msgspec.convert(known, type=RefusalFacts))

    def __reduce__(self) -> tuple[Any, ...]:
        return from_facts, (self._facts,)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Refusal):
            return NotImplemented
        return type(self) is type(other) and self._facts == other._facts

    def __hash__(self) -> int:
        return hash(self._facts)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.code!r}: {self.message})"


class DocumentTooLarge(Refusal):
    """A size cap was passed. Raise the limit named, or do not read the document."""

    codes: ClassVar[tuple[RefusalCode, ...]] = (
        "input-too-large",
        "inflated-too-large",
        "too-many-entries",
        "output-too-large",
    )


class ArchiveBomb(DocumentTooLarge):
    """The archive is a trick: no honest program writes such a file. Do not read it."""

    codes: ClassVar[tuple[RefusalCode, ...]] = ("zip-overlap", "zip-lie", "zip-ratio", "zip-nested")


class DocumentTooComplex(Refusal):
    """A cap on structure or memory was passed. Raise the limit named, or do not read the document."""

    codes: ClassVar[tuple[RefusalCode, ...]] = (
        "memory",
        "nodes",
        "xml-elements",
        "nesting",
        "table-cells",
        "pages",
        "parts",
        "image-pixels",
    )


class DocumentReadTimeout(Refusal):
    """A time cap was passed. Trying again may help for `wall-clock` on a busy machine."""

    codes: ClassVar[tuple[RefusalCode, ...]] = ("wall-clock", "cpu-time")


class MalformedDocument(Refusal):
    """Not what it says it is, or broken beyond reading."""

    codes: ClassVar[tuple[RefusalCode, ...]] = ("malformed", "kind-mismatch")


class EncryptedDocument(Refusal):
    """Ask the sender for the password and pass `ReadOptions(password=...)`; where the kind has no such option, for a copy without one."""

    codes: ClassVar[tuple[RefusalCode, ...]] = ("encrypted",)


class ScannedDocument(Refusal):
    """Pictures of text only. Recognise the text first."""

    codes: ClassVar[tuple[RefusalCode, ...]] = ("scanned",)


class UnsupportedKind(Refusal):
    """Recognised, but nothing reads it; `detail` says what it is. None: neither text nor a format that is recognised."""

    codes: ClassVar[tuple[RefusalCode, ...]] = ("unsupported-kind",)


class WorkerFailed(Refusal):
    """The worker died, broke its policy, or lied. The document is suspect."""

    codes: ClassVar[tuple[RefusalCode, ...]] = ("crashed", "policy-violation", "bad-reply")


class SandboxUnavailable(Refusal):
    """Nothing is wrong with the document: the reader could not take it."""

    codes: ClassVar[tuple[RefusalCode, ...]] = ("sandbox-unavailable", "overloaded", "cancelled")

    @property
    def message(self) -> str:
        if self.code == "sandbox-unavailable" and self.detail:
            return (
                f"the sandbox is not available: {self.detail}; "
                "`fumehood doctor` shows what this machine gives, and require=... in Python takes the same names"
            )
        return super().message


def _classes(root: type[Refusal]) -> dict[RefusalCode, type[Refusal]]:
    found = dict.fromkeys(root.codes, root)
    for child in root.__subclasses__():
        found |= _classes(child)
    return found


_CLASS_OF: Final = _classes(Refusal)


def refusal(
    code: RefusalCode,
    *,
    limit: str | None = None,
    bound: int | float | None = None,
    observed: int | float | None = None,
    stage: Stage = "load",
    detail: str | None = None,
) -> Refusal:
    """The refusal of the class that `code` belongs to, ready to raise."""
    return _CLASS_OF[code](code, limit=limit, bound=bound, observed=observed, stage=stage, detail=detail)


def from_facts(facts: RefusalFacts) -> Refusal:
    return refusal(**msgspec.structs.asdict(facts))


def is_name(text: str) -> bool:
    """Whether `text` has the form of a kind's or a detail's name."""
    return _NAME.fullmatch(text) is not None

"""Whether reading a source again would give the same: what decides it besides the bytes.

Unchanged means the same bytes (by digest, or by the caller's fingerprint), and the same
- kind asked for and found, version of its loader, engine and its version, options,
- version, strategy and settings of chunking;
- for a refusal, which has no loader and engine on record: the same limits, and the same versions of all that
  could have read it.

Refusals that say nothing about the document are tried again.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Any, Final

import msgspec

from fumehood import kinds
from fumehood.chunking.options import resolve
from fumehood.chunking.registry import get_strategy
from fumehood.chunking.split import VERSION
from fumehood.errors import RefusalCode, RefusalFacts
from fumehood.kinds import AUTO, ReadOptions
from fumehood.limits.policy import Limits

TRIED_AGAIN: Final[frozenset[RefusalCode]] = frozenset(
    {"wall-clock", "crashed", "overloaded", "cancelled", "sandbox-unavailable"}
)
_OURS: Final = "fumehood"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How documents are read and chunked. `strategy` None takes the kind's own; `chunking`: options of `chunk`."""

    kind: str = AUTO
    options: ReadOptions = field(default_factory=ReadOptions)
    limits: Limits = field(default_factory=Limits)
    strategy: str | None = None
    chunking: Mapping[str, Any] = field(default_factory=dict)

    def of_document(self, kind: str, engine: str) -> str:
        """What makes a document of `kind` by `engine`, as text: equal texts, equal documents from equal bytes.

        Of the engine only the name is taken; its version is what is installed. Raises `ValueError` for a kind or strategy that is not registered.
        """
        known = kinds.get(kind)
        strategy = get_strategy(self.strategy or known.chunker)
        settings = resolve(strategy.defaults, self.chunking).fingerprint()
        return _text(
            asked=self.kind,
            kind=kind,
            loader=known.version,
            engine=_installed(engine.partition(" ")[0]),
            options=_told(self.options),
            splitter=VERSION,
            strategy=f"{strategy.name} {strategy.version}",
            # A tokenizer's name may be anything; the rest is long and the same for every source.
            settings=hashlib.sha256(settings.encode("utf-8", "surrogatepass")).hexdigest(),
        )

    def of_refusal(self) -> str:
        """The same for a refusal."""
        candidates = kinds.kinds() if self.kind == AUTO else (kinds.get(self.kind),)
        return _text(
            asked=self.kind,
            loaders=" ".join(f"{kind.name}-{kind.version}" for kind in candidates),
            libraries=_libraries(),
            options=_told(self.options),
            limits=asdict(self.limits),
        )


def _text(**facts: object) -> str:
    return msgspec.json.encode(facts).decode("utf-8")


def _told(options: ReadOptions) -> dict[str, object]:
    """The options without the password: an index is no place for it."""
    told = msgspec.structs.asdict(options)
    told["password"] = options.password is not None
    return told


def same_document(settings: str, kind: str, engine: str, recipe: Recipe) -> bool:
    """Whether a document of `kind`, made by `engine` under `settings`, would come out the same today."""
    try:
        return settings == recipe.of_document(kind, engine)
    except ValueError:
        return False  # The kind or the strategy is registered no more.


def same_refusal(settings: str, refusal: RefusalFacts, recipe: Recipe) -> bool:
    """Whether a refusal under `settings` would come out the same today."""
    if refusal.code in TRIED_AGAIN:
        return False
    if refusal.code == "encrypted" and recipe.options.password is not None:
        return False  # Which password was tried is not on record.
    try:
        return settings == recipe.of_refusal()
    except ValueError:
        return False


@functools.cache
def _installed(name: str) -> str:
    """`name version` of a distribution, as it is installed here and now; our own code is versioned by the registry."""
    try:
        return name if name == _OURS else f"{name} {version(name)}"
    except (PackageNotFoundError, ValueError):
        return name  # An engine of a kind from outside, versioned with its kind.


@functools.cache
def _libraries() -> str:
    """The versions of everything this package needs, as a digest: any of them may have been why it was refused."""
    try:
        needed = [each for each in requires(_OURS) or () if "extra ==" not in each]
        names = sorted({_distribution(each) for each in needed})
    except PackageNotFoundError:
        return ""
    return hashlib.sha256(" ".join(map(_installed, names)).encode()).hexdigest()


def _distribution(requirement: str) -> str:
    """The name that a requirement begins with (PEP 508)."""
    end = next((at for at, char in enumerate(requirement) if not (char.isalnum() or char in "-_.")), len(requirement))
    return requirement[:end]

"""What a caller asks for, checked before anything starts: a mistake here is a `TypeError` or `ValueError`, no refusal."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from fumehood import kinds
from fumehood.charsets import charset
from fumehood.kinds import AUTO, OPTION_NAMES, Kind, ReadOptions
from fumehood.limits.policy import Limits
from fumehood.sandbox.layers import check_requirements

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

MAX_PASSWORD: Final = 1_024
MAX_NAME: Final = 4_096
_SWITCHES: Final = frozenset({"attachments", "lenient"})
"""Options that are on or off; the others are words, or None."""


@dataclass(frozen=True, slots=True)
class Request:
    """One read. `kind` is None where the content decides; `hint` is the kind that the file's name suggests."""

    kind: Kind | None
    data: memoryview
    limits: Limits
    hint: Kind | None
    options: ReadOptions
    require: frozenset[str] | None

    @classmethod
    def check(
        cls,
        kind: str,
        data: ReadableBuffer,
        limits: Limits | None,
        name: str | os.PathLike[str] | None,
        options: ReadOptions | None,
        require: Iterable[str] | None,
    ) -> Request:
        """The arguments of :func:`fumehood.read_isolated`. Raises `TypeError` and `ValueError`."""
        if not isinstance(kind, str):
            raise TypeError(f"kind is a name such as 'pdf' or 'auto', not {type(kind).__name__}")
        known = None if kind == AUTO else kinds.get(kind)
        return cls(
            known,
            _flat_bytes(data),
            checked_limits(limits),
            _hint(name),
            _checked_options(known, options),
            None if require is None else check_requirements(require),
        )


def checked_limits(limits: Limits | None) -> Limits:
    """`limits`, or the default ones for None. Raises `TypeError` for anything else, false values too."""
    if limits is None:
        return Limits()
    if not isinstance(limits, Limits):
        raise TypeError(f"limits takes a Limits, such as Limits(pages=50), not {type(limits).__name__}")
    return limits


def _flat_bytes(data: ReadableBuffer) -> memoryview:
    try:
        view = memoryview(data)
    except TypeError:
        raise TypeError(
            f"data is the document's bytes, not {type(data).__name__}; read a file with open(path, 'rb').read()"
        ) from None
    return view.cast("B") if view.c_contiguous else memoryview(view.tobytes())


def _hint(name: str | os.PathLike[str] | None) -> Kind | None:
    if name is None:
        return None
    if not isinstance(name, str | os.PathLike):
        raise TypeError(f"name is a file name, not {type(name).__name__}")
    return kinds.by_extension(os.fsdecode(name)[-MAX_NAME:])


def _checked_options(kind: Kind | None, options: ReadOptions | None) -> ReadOptions:
    if options is None:
        return ReadOptions()
    if not isinstance(options, ReadOptions):
        raise TypeError(f"options takes a ReadOptions, not {type(options).__name__}")
    _check_types(options)
    if kind is not None:
        unknown = options.chosen() - kind.options
        if unknown:
            has = ", ".join(sorted(kind.options)) or "none"
            raise TypeError(f"kind {kind.name} has no option {', '.join(sorted(unknown))}; it has {has}")
    if options.engine is not None:
        kinds.check_engine(kinds.kinds() if kind is None else (kind,), options.engine)
    if options.password is not None and len(options.password) > MAX_PASSWORD:
        raise ValueError(f"ReadOptions.password has {len(options.password):,} characters; at most {MAX_PASSWORD:,}")
    if options.charset is not None:
        charset(options.charset)
    return options


def _check_types(options: ReadOptions) -> None:
    """A struct does not check what it is made of; a worker that decodes the options does, and would fail."""
    for name in OPTION_NAMES:
        value = getattr(options, name)
        if name in _SWITCHES:
            if not isinstance(value, bool):
                raise TypeError(f"ReadOptions.{name} takes True or False, not {type(value).__name__}")
        elif value is not None and not isinstance(value, str):
            raise TypeError(f"ReadOptions.{name} takes a str, not {type(value).__name__}")

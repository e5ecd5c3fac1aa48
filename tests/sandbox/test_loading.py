"""Whatever a loader raises becomes a refusal, with nothing of what it said."""

from __future__ import annotations

import pytest

from fumehood import Kind, Limits, ReadOptions, Refusal, kinds
from fumehood.sandbox import loading

OBEDIENT = Kind("obedient", "obedient", specimen=b"say x")


def code(order: bytes) -> str:
    with pytest.raises(Refusal) as caught:
        loading.load(OBEDIENT, order, Limits(), ReadOptions())
    assert "secret" not in repr(caught.value.to_dict())
    assert caught.value.__cause__ is None
    return caught.value.code


@pytest.mark.parametrize(
    ("order", "wanted"),
    [
        (b"raise ValueError", "malformed"),
        (b"raise MemoryError", "memory"),
        (b"raise RecursionError", "nesting"),
        (b"raise SystemExit", "malformed"),
        (b"recurse", "nesting"),
        (b"refuse scanned", "scanned"),
        (b"\xff", "malformed"),
        (b"spend pages 5001", "pages"),
    ],
)
def test_what_a_loader_raises(order: bytes, wanted: str) -> None:
    assert code(order) == wanted


def test_a_memory_error_in_disguise_is_still_one() -> None:
    """lxml, for one, turns it into a syntax error and keeps it as the context."""

    def disguised() -> None:
        try:
            raise MemoryError
        except MemoryError:
            raise SyntaxError("unknown error") from None

    from fumehood.limits.budget import Budget

    with pytest.raises(Refusal) as caught:
        loading.guarded(disguised, Budget(Limits()))
    assert caught.value.code == "memory"


def test_a_refusal_that_a_parser_wrapped_is_found_again() -> None:
    from fumehood.errors import refusal
    from fumehood.limits.budget import Budget

    def wrapped() -> None:
        try:
            raise refusal("nodes", limit="nodes", bound=1, observed=2)
        except Refusal as error:
            raise KeyError("wrapped") from error

    with pytest.raises(Refusal) as caught:
        loading.guarded(wrapped, Budget(Limits()))
    assert caught.value.code == "nodes"


def test_ctrl_c_is_no_refusal() -> None:
    from fumehood.limits.budget import Budget

    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        loading.guarded(interrupted, Budget(Limits()))


def test_a_module_that_is_no_loader_says_what_is_missing() -> None:
    with pytest.raises(TypeError, match=r"load\(data, out, budget, options\)"):
        loading.import_loader(Kind("no-loader", "string"))


@pytest.mark.parametrize("kind", [kind for kind in kinds.kinds() if kind.specimen], ids=lambda kind: kind.name)
def test_every_specimen_is_read(kind: Kind) -> None:
    loading.warm(kind)
    assert loading.read_in_process(kind, kind.specimen).blocks


@pytest.mark.parametrize("kind", [kind for kind in kinds.kinds() if kind.engines], ids=lambda kind: kind.name)
def test_the_registry_names_the_loaders_own_engines(kind: Kind) -> None:
    assert tuple(engine.split(" ")[0] for engine in loading.engines(kind)) == kind.engines

"""A smoke of every target, with the same mutations every time; and the oracle knows a breach when it sees one."""

from __future__ import annotations

import itertools
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from fumehood import Document, Limits, Refusal, kinds
from fumehood.document import Block, Link, Locator, Notice
from fumehood.errors import CHARSETS, REFUSAL_CODES, refusal
from fumehood.fuzz import generators, reads, seeds
from fumehood.fuzz.arguments import MISTAKE
from fumehood.fuzz.bomb import READ
from fumehood.fuzz.chunked import TOO_LARGE, TOO_MUCH
from fumehood.fuzz.inputs import mutated
from fumehood.fuzz.oracle import BrokenPromise, check_document, check_loaded, check_refusal, check_text
from fumehood.fuzz.targets import BAD_REPLY, FUZZ_LIMITS, TARGETS, Target
from fumehood.sandbox import frames

SEED = 20_261_129
RUNS, FEWER_RUNS = 300, 50
OFTEN = ("load", "reply", "zip", "xml", "sniff", "markdown-scan")
"""Of the others, which read the same once more in another way, fewer executions will do."""
ENDS = {READ, BAD_REPLY, MISTAKE, TOO_LARGE, TOO_MUCH, *REFUSAL_CODES}
OUTSIDE = {kind.name for kind in kinds.kinds() if not kind.module.startswith("fumehood.")}
OURS = [name for name in TARGETS if TARGETS[name].kind not in OUTSIDE]


@pytest.mark.parametrize("name", OURS)
def test_mutations(name: str) -> None:
    target = TARGETS[name]
    runs = RUNS if name.partition(":")[0] in OFTEN and not target.choices else FEWER_RUNS
    for data in itertools.islice(mutated(target, seeds.for_target(name, target.kind), SEED), runs):
        assert ended(target, data) in ENDS


@pytest.mark.parametrize("name", [name for name in OURS if not TARGETS[name].is_isolated])
def test_what_grammars_write(name: str) -> None:
    target = TARGETS[name]

    @settings(
        max_examples=60 if name.partition(":")[0] in OFTEN and not target.choices else 15,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(generators.for_target(name, target.kind))
    def check(data: bytes) -> None:
        assert ended(target, data) in ENDS

    check()


def ended(target: Target, data: bytes) -> str:
    """With the input in the failure's message, so that it can be read again."""
    try:
        return target(data)
    except Exception as error:
        error.add_note(f"{target.name} of {data[:2_000]!r}")
        raise


@pytest.mark.parametrize("name", OURS)
def test_edges(name: str) -> None:
    for data in (b"", b"\0", b"\xff" * 300, b"PK\x05\x06" + bytes(18), b"%PDF-", b"{", b"<?xml?>", b"\xff\xfe\xff\xfe"):
        assert ended(TARGETS[name], data) in ENDS


@pytest.mark.parametrize(
    "name", ["load:docx", "load:pdf", "load:json", "load:csv", "load:markdown", "load:rtf", "zip", "reply"]
)
def test_every_truncation(name: str) -> None:
    target = TARGETS[name]
    whole = seeds.for_target(name, target.kind)[0]
    for length in range(len(whole)):
        assert ended(target, whole[:length]) in ENDS


@pytest.mark.parametrize("name", ["load:docx", "load:pdf", "load:json", "load:csv", "load:markdown", "zip", "reply"])
def test_every_byte_changed(name: str) -> None:
    """To its complement, or by one bit, another one from byte to byte."""
    target = TARGETS[name]
    whole = seeds.for_target(name, target.kind)[0]
    for at, byte in enumerate(whole):
        other = byte ^ (0xFF if at % 3 == 0 else 1 << at % 8)
        assert ended(target, whole[:at] + bytes([other]) + whole[at + 1 :]) in ENDS


def test_seeds_are_read() -> None:
    for kind in kinds.kinds():
        if kind.specimen:
            assert TARGETS[f"load:{kind.name}"](seeds.own(kind.name)[0]) == READ
    for name in ("zip", "xml", "reply"):
        assert TARGETS[name](seeds.own(name)[0]) == READ


@pytest.mark.parametrize(("name", "chosen"), [("load:pdf+password", 0), ("jail:pdf+password", 10)])
def test_the_first_byte_chooses_the_password(name: str, chosen: int) -> None:
    """Ten of them, again and again; the first one opens the seeds, the second is empty."""
    for data in seeds.for_target(name, "pdf"):
        assert TARGETS[name](bytes([chosen]) + data) == READ
        assert TARGETS[name](bytes([chosen + 1]) + data) == "encrypted"


def test_the_first_byte_chooses_the_charset() -> None:
    kind = kinds.get("html")
    (variant,) = [variant for variant in reads.variants(kind) if variant.drawn == "charset"]
    drawn = [variant.split(bytes([choice]) + b"<p>x") for choice in range(256)]
    assert {data for data, _ in drawn} == {b"<p>x"}
    assert {options.charset for _, options in drawn} == set(CHARSETS)
    assert variant.split(b"") == (b"", variant.chosen(0))
    assert [name for name in TARGETS if name.endswith(":html+charset")] == ["load:html+charset", "jail:html+charset"]


def test_kinds_from_outside_have_targets() -> None:
    """`obedient` is registered by the tests."""
    assert {"load:obedient", "jail:obedient"} <= set(TARGETS)
    assert TARGETS["load:obedient"](b"say hello") == READ
    assert TARGETS["load:obedient"](b"raise ValueError") == "malformed"
    assert TARGETS["jail:obedient"](b"refuse scanned") == "scanned"
    assert len(TARGETS) == len(list(TARGETS))
    with pytest.raises(KeyError):
        TARGETS["load:nothing"]
    with pytest.raises(KeyError):
        TARGETS["dance:pdf"]


def test_a_worker_that_crashes_is_a_finding() -> None:
    with pytest.raises(BrokenPromise, match="no document brings about"):
        TARGETS["jail:obedient"](b"abort")


# ---- the oracle ---------------------------------------------------------------------------------------------------

HONEST = Document(
    "text",
    "A",
    {"author": "B"},
    "One\n\nTwo",
    (Block(0, 3, "heading"), Block(5, 8, "paragraph")),
    (Link(0, 3, "#a"),),
    (),
)


def test_an_honest_document_passes() -> None:
    check_loaded(HONEST, "text", Limits())


@pytest.mark.parametrize(
    "lie",
    [
        {"kind": "pdf"},
        {"title": ""},
        {"title": "a\nb"},
        {"text": "One\n\nT\x00o"},
        {"text": "One\n\nT\ud800o"},
        {"text": "One\n\n   "},
        {"metadata": {"writer": "B"}},
        {"metadata": {"author": ""}},
        {"blocks": (Block(0, 3, "heading"), Block(2, 8, "paragraph"))},
        {"blocks": (Block(0, 9, "heading"),)},
        {"blocks": ()},
        {"blocks": (Block(0, 3, "heading", locator=Locator(line=3, line_end=2)),)},
        {"blocks": (Block(0, 3, "heading", locator=Locator(page=0)),)},
        {"blocks": (Block(0, 3, "heading", locator=Locator(part="a\nb")),)},
        {"links": (Link(0, 9, "#a"),)},
        {"links": (Link(0, 3, "javascript:a"),)},
        {"notices": (Notice("unparsed", detail="a secret"),)},
        {"notices": (Notice("unparsed"),) * 1_002},
    ],
    ids=str,
)
def test_a_document_that_breaks_a_promise(lie: dict[str, Any]) -> None:
    with pytest.raises(BrokenPromise):
        check_loaded(msgspec.structs.replace(HONEST, **lie), "text", Limits())


def test_a_document_over_its_caps() -> None:
    with pytest.raises(BrokenPromise, match="more text"):
        check_document(HONEST, "text", Limits(output_bytes=5))
    with pytest.raises(BrokenPromise, match="more blocks"):
        check_document(HONEST, "text", Limits(blocks=1))


@pytest.mark.parametrize(
    "refused",
    [
        refusal("crashed"),
        refusal("malformed", detail="a secret"),
        refusal("nodes", limit="nodes", bound=7, observed=8),
        refusal("nodes", limit="knots", bound=7, observed=8),
        refusal("nodes", limit="nodes", bound=FUZZ_LIMITS.nodes, observed=FUZZ_LIMITS.nodes),
        refusal("nodes", limit="nodes", bound=FUZZ_LIMITS.nodes, observed=float("nan")),
    ],
    ids=lambda refused: refused.message,
)
def test_a_refusal_that_breaks_a_promise(refused: Refusal) -> None:
    with pytest.raises(BrokenPromise):
        check_refusal(refused, FUZZ_LIMITS)


def test_honest_refusals_pass() -> None:
    check_refusal(refusal("malformed"), FUZZ_LIMITS)
    check_refusal(refusal("unsupported-kind", detail="png", stage="sniff"), FUZZ_LIMITS)
    check_refusal(refusal("nodes", limit="nodes", bound=FUZZ_LIMITS.nodes, observed=FUZZ_LIMITS.nodes + 1), FUZZ_LIMITS)


@given(st.text())
def test_clean_text_is_what_hygiene_calls_clean(text: str) -> None:
    from fumehood.hygiene import is_clean

    try:
        check_text(text)
    except BrokenPromise:
        assert not is_clean(text)
    else:
        assert is_clean(text)


def test_the_reply_target_sees_replies() -> None:
    sent = b"\0" + frames.started((), 0)
    assert TARGETS["reply"](sent + frames.refused(refusal("malformed").facts)) == "malformed"
    assert TARGETS["reply"](b"\1" + frames.started((), 0) + frames.sniffed("pdf")) == READ
    assert TARGETS["reply"](sent) == BAD_REPLY
    assert TARGETS["reply"](seeds.own("reply")[0]) == READ

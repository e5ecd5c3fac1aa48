"""XML parts: refused at once what is certainly too much, counted exactly what is parsed."""

from __future__ import annotations

import time
from xml.parsers import expat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fumehood import Limits, Refusal
from fumehood.limits.budget import Budget
from fumehood.limits.xml import MAX_ATTRIBUTES, Counter, precheck


def refusal_of(part: bytes, limits: Limits | None = None) -> Refusal | None:
    try:
        precheck(part, Budget(limits or Limits()))
    except Refusal as refusal:
        return refusal
    return None


def code_of(part: bytes, limits: Limits | None = None) -> str | None:
    refusal = refusal_of(part, limits)
    assert refusal is None or refusal.stage == "precheck"
    return None if refusal is None else refusal.code


def flat(elements: int) -> bytes:
    return b"<r>" + b"<a/>" * (elements - 1) + b"</r>"


def deep(levels: int) -> bytes:
    return b"<a>" * levels + b"</a>" * levels


def attributed(count: int, form: bytes = b' a%d="1"') -> bytes:
    return b"<r>text<e" + b"".join(form % number for number in range(count)) + b"/></r>"


LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "lol">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9))
    + b"]><r>&j;</r>"
)
QUADRATIC = b'<!DOCTYPE r [<!ENTITY a "' + b"A" * 100_000 + b'">]><r>' + b"&a;" * 10_000 + b"</r>"


@pytest.mark.parametrize(
    "part", [LAUGHS, QUADRATIC, LAUGHS.decode().encode("utf-16")], ids=["laughs", "quadratic", "utf-16"]
)
def test_entities_are_refused_unread(part: bytes) -> None:
    assert code_of(part) == "malformed"


# ---- elements ------------------------------------------------------------------------------------------------------


def test_as_many_elements_as_allowed_pass_and_one_more_does_not() -> None:
    limits = Limits(xml_elements=1000)
    assert code_of(flat(1000), limits) is None
    refusal = refusal_of(flat(1001), limits)
    assert refusal is not None
    assert (refusal.code, refusal.limit, refusal.bound, refusal.observed) == (
        "xml-elements",
        "xml_elements",
        1000,
        1001,
    )


def test_what_earlier_parts_held_counts() -> None:
    budget = Budget(Limits(xml_elements=1000))
    budget.spend("xml_elements", 900)
    with pytest.raises(Refusal) as caught:
        precheck(flat(101), budget)
    assert caught.value.observed == 1001


def test_the_precheck_spends_nothing() -> None:
    budget = Budget(Limits())
    precheck(flat(1000), budget)
    assert budget.used("xml_elements") == 0
    assert budget.stage == "load"


@pytest.mark.parametrize("quiet", [b"<!--%s-->", b"<![CDATA[%s]]>", b"<?pi %s?>"])
def test_what_is_no_element_does_not_count(quiet: bytes) -> None:
    limits = Limits(xml_elements=10, nesting=10)
    assert code_of(b"<r>" + quiet % (b"<a>" * 5000) + b"</r>", limits) is None


# ---- depth ---------------------------------------------------------------------------------------------------------


def test_a_deep_document_is_refused_by_its_depth() -> None:
    refusal = refusal_of(deep(100_000))
    assert refusal is not None
    assert (refusal.code, refusal.limit, refusal.bound) == ("nesting", "nesting", 256)
    assert refusal.observed is not None
    assert refusal.observed > 256


@pytest.mark.parametrize("padding", range(0, 24))
def test_a_document_as_deep_as_allowed_passes_wherever_its_tags_are_cut(padding: int) -> None:
    empty = b"<" + b"e" * padding + b"e a='1'/>"
    assert code_of(b"<a>" * 256 + empty * 3000 + b"</a>" * 256) is None


# ---- attributes ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "form", [b' a%d="1"', b" a%d=''", b"\n xmlns:a%d = 'u'", b' a%d=">"', b' a%d="/>"', b" a%d='x\"y'"]
)
def test_a_flood_of_attributes_on_one_element_is_refused(form: bytes) -> None:
    refusal = refusal_of(attributed(MAX_ATTRIBUTES + 1, form))
    assert refusal is not None
    assert (refusal.code, refusal.bound, refusal.observed) == ("nodes", MAX_ATTRIBUTES, MAX_ATTRIBUTES + 1)
    assert code_of(attributed(MAX_ATTRIBUTES, form)) is None


def test_equal_signs_are_no_attributes() -> None:
    assert code_of(b"<r>" + b'=" =" a="b" ' * 100_000 + b"</r>") is None
    assert code_of(b"<r a='" + b'x="" ' * 100_000 + b"'/>") is None
    assert code_of(b"<r><!-- " + b'a="b" ' * 100_000 + b"--></r>") is None


# ---- true of every document ----------------------------------------------------------------------------------------

leaves = st.sampled_from(["<a/>", "<b c='/' d='/>'/>", "text/", "/>", "<!-- <a> -->", "<![CDATA[<a>]]>", "<?p <a> ?>"])
trees = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4).map(lambda all: "<x>" + "".join(all) + "</x>"), max_leaves=30
)


def counted(part: bytes, limits: Limits) -> str | None:
    """The code that exact counting ends with, or None."""
    counter = Counter(Budget(limits))
    depth = 0

    def start(_name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        counter.start(depth, len(attributes))

    def end(_name: str) -> None:
        nonlocal depth
        depth -= 1

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    try:
        parser.Parse(part, True)
    except Refusal as refusal:
        return refusal.code
    return None


@settings(max_examples=150, deadline=None)
@given(trees, st.integers(1, 30), st.integers(1, 8), st.integers(0, 3000), st.sampled_from(["utf-8", "utf-16"]))
def test_what_exact_counting_passes_is_never_refused_before(
    tree: str, elements: int, nesting: int, wide: int, encoding: str
) -> None:
    part = f"<r>{tree}{' ' * wide}{tree}</r>".encode(encoding)
    limits = Limits(xml_elements=elements, nesting=nesting)
    if counted(part, limits) is None:
        assert code_of(part, limits) is None


@settings(max_examples=300, deadline=None)
@given(
    st.binary(max_size=100),
    st.sampled_from([b"", b"<?xml version='1.0'?>", b"<r>", b"\xff\xfe<\0", b"<r " + b"a='' " * 30_000]),
)
def test_noise_ends_typed(noise: bytes, front: bytes) -> None:
    refusal_of(front + noise, Limits(xml_elements=1, nesting=1))


@pytest.mark.parametrize(
    "part",
    [
        b"<r>" + b"x" * 8_000_000 + b"</r>",
        b"<r a='" + b"x=" * 4_000_000 + b"'/>",
        b"<r>" + b"<!" * 4_000_000,
        b"<r>" + b"<a b='" * 1_300_000,
        b"<" + b"n" * 8_000_000 + b"/>",
        b"<r " + b"=" * 8_000_000 + b"/>",
        b"<r" + b" " * 8_000_000 + b"/>",
        b"<r " + b"a='b' c " * 1_000_000,
        b"<!--" + b"-" * 8_000_000,
        b"<?" * 4_000_000,
        b"<!---->" * 1_000_000,
        ("<r>" + "\u3c3c" * 4_000_000 + "</r>").encode("utf-16"),
    ],
    ids=[
        "text",
        "attribute",
        "declarations",
        "tags",
        "name",
        "equals",
        "spaces",
        "broken",
        "comment",
        "instructions",
        "comments",
        "utf-16",
    ],
)
def test_eight_megabytes_of_anything_are_judged_quickly(part: bytes) -> None:
    start = time.process_time()
    refusal_of(part)
    assert time.process_time() - start < 0.5


# ---- exact counting ------------------------------------------------------------------------------------------------


def test_the_counter_counts_elements_attributes_and_namespaces() -> None:
    budget = Budget(Limits())
    counter = Counter(budget)
    counter.start(1, attributes=2, namespaces=3)
    counter.start(2)
    assert (budget.used("xml_elements"), budget.used("nodes")) == (2, 5)


def test_the_counters_refusals_are_of_loading() -> None:
    counter = Counter(Budget(Limits(nesting=3, nodes=4, entry_bytes=5)))
    with pytest.raises(Refusal) as caught:
        counter.start(4)
    assert (caught.value.code, caught.value.stage) == ("nesting", "load")
    with pytest.raises(Refusal) as caught:
        counter.start(1, attributes=3, namespaces=2)
    assert caught.value.code == "nodes"
    with pytest.raises(Refusal) as caught:
        counter.text(6)
    assert (caught.value.code, caught.value.limit) == ("inflated-too-large", "entry_bytes")
    counter.start(3)
    counter.text(5)

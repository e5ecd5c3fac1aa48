from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from fumehood import Limits, ReadOptions, kinds
from fumehood.chunking import Strategy, register_strategy, registry
from fumehood.chunking.registry import get_strategy
from fumehood.errors import REFUSAL_CODES, RefusalFacts
from fumehood.index import Recipe, recipe
from fumehood.index.recipe import TRIED_AGAIN, same_document, same_refusal

ORDINARY = Recipe()
OTHERS = {
    "kind": Recipe(kind="pdf"),
    "options": Recipe(options=ReadOptions(lenient=True)),
    "engine": Recipe(options=ReadOptions(engine="pdfminer.six")),
    "password": Recipe(options=ReadOptions(password="x")),
}
CHUNKED = {
    "strategy": Recipe(strategy="fixed"),
    "chunking": Recipe(chunking={"max_size": 700}),
}


@pytest.fixture
def pdf() -> Iterator[kinds.Kind]:
    """The registry's entry, put back afterwards."""
    kept = kinds.get("pdf")
    yield kept
    kinds.adopt(kept)


@pytest.mark.parametrize("other", [*OTHERS, *CHUNKED])
def test_another_recipe_may_give_another_document(other: str) -> None:
    settings = ORDINARY.of_document("pdf", "pdfminer.six 1")
    assert same_document(settings, "pdf", "pdfminer.six 1", ORDINARY)
    assert not same_document(settings, "pdf", "pdfminer.six 1", (OTHERS | CHUNKED)[other])


def test_limits_change_no_document_that_was_read() -> None:
    settings = ORDINARY.of_document("pdf", "pdfminer.six")
    assert same_document(settings, "pdf", "pdfminer.six", Recipe(limits=Limits.strict()))


def test_another_version_of_the_loader(pdf: kinds.Kind) -> None:
    settings, refused = ORDINARY.of_document("pdf", "pdfminer.six"), ORDINARY.of_refusal()
    kinds.adopt(msgspec.structs.replace(pdf, version=pdf.version + 1))
    assert not same_document(settings, "pdf", "pdfminer.six", ORDINARY)
    assert not same_refusal(refused, RefusalFacts("malformed"), ORDINARY)


def test_another_version_of_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    settings, refused = ORDINARY.of_document("pdf", "pdfminer.six"), ORDINARY.of_refusal()
    recipe._installed.cache_clear()
    recipe._libraries.cache_clear()
    monkeypatch.setattr(recipe, "version", lambda name: "99")
    try:
        assert not same_document(settings, "pdf", "pdfminer.six", ORDINARY)
        assert not same_refusal(refused, RefusalFacts("malformed"), ORDINARY)
    finally:
        recipe._installed.cache_clear()
        recipe._libraries.cache_clear()


def test_another_version_of_the_strategy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registry", dict(registry._registry))
    register_strategy(Strategy("mine"))
    mine = Recipe(strategy="mine")
    settings = mine.of_document("pdf", "pdfminer.six")
    register_strategy(Strategy("mine", version=2))
    assert get_strategy("mine").version == 2
    assert not same_document(settings, "pdf", "pdfminer.six", mine)


def test_a_kind_that_is_registered_no_more() -> None:
    settings = ORDINARY.of_document("pdf", "pdfminer.six")
    assert not same_document(settings, "gone", "x", ORDINARY)
    with pytest.raises(ValueError, match="there is no kind"):
        ORDINARY.of_document("gone", "x")


@pytest.mark.parametrize("code", REFUSAL_CODES)
def test_which_refusals_are_tried_again(code: str) -> None:
    again = code in ("wall-clock", "crashed", "overloaded", "cancelled", "sandbox-unavailable")
    assert (code in TRIED_AGAIN) == again
    facts = RefusalFacts(code)  # type: ignore[arg-type]  # one of them
    assert same_refusal(ORDINARY.of_refusal(), facts, ORDINARY) == (not again)


@pytest.mark.parametrize("other", [*OTHERS, "limits"])
def test_a_refusal_depends_on_everything_but_chunking(other: str) -> None:
    settings, facts = ORDINARY.of_refusal(), RefusalFacts("malformed")
    assert not same_refusal(settings, facts, {**OTHERS, "limits": Recipe(limits=Limits.strict())}[other])
    assert all(same_refusal(settings, facts, chunked) for chunked in CHUNKED.values())


def test_a_password_is_tried_again_and_never_kept() -> None:
    given = Recipe(options=ReadOptions(password="swordfish"))
    assert "swordfish" not in given.of_refusal() + given.of_document("pdf", "pdfminer.six")
    assert not same_refusal(given.of_refusal(), RefusalFacts("encrypted"), given)


def test_a_new_kind_may_read_what_was_refused() -> None:
    settings = ORDINARY.of_refusal()
    kinds.register(kinds.Kind("brand-new", "brand_new"))
    try:
        assert not same_refusal(settings, RefusalFacts("unsupported-kind"), ORDINARY)
    finally:
        kinds._registry.pop("brand-new")

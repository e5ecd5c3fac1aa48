"""Refusals: every code belongs to one class, carries facts only, and survives every way of being carried."""

from __future__ import annotations

import copy
import pickle
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fumehood
from fumehood import errors
from fumehood.errors import REFUSAL_CODES, Refusal, RefusalCode, Stage, refusal

refusals = st.builds(
    refusal,
    st.sampled_from(REFUSAL_CODES),
    limit=st.none() | st.sampled_from(["nodes", "wall_seconds"]),
    bound=st.none() | st.integers(0, 2**53) | st.floats(0, 1e9),
    observed=st.none() | st.integers(0, 2**53),
    stage=st.sampled_from(get_args(Stage)),
    detail=st.none() | st.sampled_from(sorted(errors.DETAILS)),
)


def classes(root: type[Refusal]) -> list[type[Refusal]]:
    return [root, *(found for child in root.__subclasses__() for found in classes(child))]


def test_every_code_belongs_to_exactly_one_class_of_its_own() -> None:
    owners = [code for found in classes(Refusal) for code in found.__dict__.get("codes", ())]
    assert sorted(owners) == sorted(REFUSAL_CODES)


def test_every_class_is_to_be_had_from_the_package() -> None:
    assert all(getattr(fumehood, found.__name__) is found for found in classes(Refusal))


def test_a_bomb_is_caught_as_too_large() -> None:
    assert issubclass(errors.ArchiveBomb, errors.DocumentTooLarge)


@given(refusals)
def test_it_survives_json_msgpack_pickle_dict_and_copy(made: Refusal) -> None:
    for again in (
        Refusal.from_json(made.to_json()),
        Refusal.from_msgpack(made.to_msgpack()),
        Refusal.from_dict(made.to_dict()),
        pickle.loads(pickle.dumps(made)),
        copy.copy(made),
        copy.deepcopy(made),
    ):
        assert type(again) is type(made)
        assert again == made
        assert again.message == made.message == str(made)


@pytest.mark.parametrize("code", REFUSAL_CODES)
def test_every_code_has_a_sentence(code: RefusalCode) -> None:
    assert len(refusal(code).message) > 20


def test_the_message_says_the_limit_and_what_was_seen() -> None:
    said = str(refusal("nodes", limit="nodes", bound=2_000_000, observed=2_000_001))
    assert "nodes is 2,000,000, seen 2,000,001" in said


def test_a_code_of_another_class_is_refused() -> None:
    with pytest.raises(ValueError, match="no code"):
        errors.EncryptedDocument("memory")


@pytest.mark.parametrize("field", ["code", "limit", "bound", "observed", "stage", "detail", "message", "facts"])
def test_facts_cannot_be_changed(field: str) -> None:
    with pytest.raises(AttributeError):
        setattr(refusal("memory"), field, "x")


@pytest.mark.parametrize(
    "data",
    [b"{}", b"[]", b'{"code": "fine"}', b'{"code": "memory", "text": "x"}', b'{"code": "memory", "bound": "x"}', b"{"],
)
def test_what_is_no_refusal_does_not_decode(data: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        Refusal.from_json(data)


def test_every_detail_has_the_form_of_a_name() -> None:
    assert all(errors.is_name(name) for name in errors.DETAILS)

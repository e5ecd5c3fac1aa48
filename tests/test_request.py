"""A caller's mistake is a `TypeError` or `ValueError` that says what to pass; nothing of it reaches a worker."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fumehood import Limits, Reader, ReadOptions
from fumehood.kinds import OPTION_NAMES
from fumehood.request import MAX_PASSWORD, Request


def check(**arguments: Any) -> Request:
    given = {"kind": "text", "data": b"", "limits": None, "name": None, "options": None, "require": None} | arguments
    return Request.check(**given)


def test_what_is_left_out_is_the_default() -> None:
    request = check(kind="auto")
    assert request.kind is None
    assert request.limits == Limits()
    assert request.options == ReadOptions()
    assert request.hint is None
    assert request.require is None


@pytest.mark.parametrize("limits", [0, "", {}, {"pages": 3}, 5, False])
def test_limits_are_limits_also_where_a_wrong_value_is_false(limits: Any) -> None:
    with pytest.raises(TypeError, match=r"Limits, such as"):
        check(limits=limits)
    with pytest.raises(TypeError, match=r"Limits, such as"):
        Reader(limits=limits)


@pytest.mark.parametrize("options", [0, "", {}, {"password": "x"}])
def test_options_are_read_options(options: Any) -> None:
    with pytest.raises(TypeError, match="takes a ReadOptions"):
        check(options=options)


@pytest.mark.parametrize("name", OPTION_NAMES)
@pytest.mark.parametrize("value", [7, b"x", [], object()])
def test_every_option_is_of_its_type(name: str, value: Any) -> None:
    with pytest.raises(TypeError, match=f"ReadOptions.{name} takes"):
        check(kind="auto", options=ReadOptions(**{name: value}))


@pytest.mark.parametrize("name", ["attachments", "lenient"])
@pytest.mark.parametrize("value", [None, "true", 1])
def test_a_switch_is_true_or_false(name: str, value: Any) -> None:
    """None was once taken, and every worker that was told so crashed."""
    with pytest.raises(TypeError, match=f"ReadOptions.{name} takes True or False"):
        check(kind="auto", options=ReadOptions(**{name: value}))


def test_a_password_is_bounded() -> None:
    check(kind="pdf", options=ReadOptions(password="x" * MAX_PASSWORD))
    with pytest.raises(ValueError, match="1,025 characters; at most 1,024"):
        check(kind="pdf", options=ReadOptions(password="x" * (MAX_PASSWORD + 1)))


@pytest.mark.parametrize("name", ["letter.pdf", Path("inbox/letter.PDF"), "x" * 5_000 + ".pdf"])
def test_a_name_or_a_path_is_a_hint(name: Any) -> None:
    hint = check(kind="auto", name=name).hint
    assert hint is not None
    assert hint.name == "pdf"


@pytest.mark.parametrize("data", [memoryview(b"a.b.c")[::2], memoryview(b"abc"), bytearray(b"abc")])
def test_data_is_one_run_of_bytes(data: Any) -> None:
    assert bytes(check(data=data).data) == b"abc"

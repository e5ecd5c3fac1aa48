"""Passwords: RC4 and AES, of every revision, with either engine."""

from __future__ import annotations

import pytest

from fumehood import ReadOptions, Refusal, kinds
from fumehood.fuzz.pdf_encrypted import REVISIONS, Encrypt
from fumehood.sandbox.loading import read_in_process
from tests.loaders.pdf_writer import document, text

KIND = kinds.get("pdf")
PLAIN = document([text("A secret page."), text("Another.")])
ENGINES = [engine for engine in KIND.engines if kinds.is_installed(KIND, engine)]

pytestmark = [
    pytest.mark.parametrize("engine", ENGINES),
    pytest.mark.parametrize("encrypt", REVISIONS, ids=["R2", "R3", "R4", "R5", "R6"]),
]


def test_the_password_opens(encrypt: Encrypt, engine: str) -> None:
    options = ReadOptions(password="p\u00e4ss", engine=engine)
    assert read_in_process(KIND, encrypt(PLAIN, "p\u00e4ss"), options=options).text == "A secret page.\n\nAnother."


def test_the_empty_password_is_tried_and_told(encrypt: Encrypt, engine: str) -> None:
    found = read_in_process(KIND, encrypt(PLAIN, ""), options=ReadOptions(engine=engine))
    assert found.text == "A secret page.\n\nAnother."
    assert "password-empty" in {notice.code for notice in found.notices}


@pytest.mark.parametrize("password", [None, "", "wrong"])
def test_any_other_does_not(encrypt: Encrypt, engine: str, password: str | None) -> None:
    with pytest.raises(Refusal) as caught:
        read_in_process(KIND, encrypt(PLAIN, "right"), options=ReadOptions(password=password, engine=engine))
    assert caught.value.code == "encrypted"


def test_the_owners_password_opens_too(encrypt: Encrypt, engine: str) -> None:
    options = ReadOptions(password="owner's", engine=engine)
    data = encrypt(PLAIN, "user's", "owner's")
    assert read_in_process(KIND, data, options=options).text == "A secret page.\n\nAnother."


@pytest.mark.parametrize("password", [None, ""])
def test_an_owners_password_that_is_empty_opens_nothing(encrypt: Encrypt, engine: str, password: str | None) -> None:
    with pytest.raises(Refusal) as caught:
        read_in_process(KIND, encrypt(PLAIN, "user's", ""), options=ReadOptions(password=password, engine=engine))
    assert caught.value.code == "encrypted"

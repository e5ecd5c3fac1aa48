from __future__ import annotations

import pytest

from fumehood import Document, Notice
from fumehood.cli import exits, results
from fumehood.document import Block
from fumehood.errors import refusal

HIDDEN = Document(
    "text", None, {}, "seen\n\nunseen", (Block(0, 4, "paragraph"), Block(6, 12, "paragraph", visible=False)), (), ()
)


def test_text_leaves_out_what_is_not_visible() -> None:
    assert results.read("a", HIDDEN, "markdown").out == b"seen\n\nunseen\n"
    assert results.read("a", HIDDEN, "text").out == b"seen\n"


def test_notices_are_counted() -> None:
    notices = (Notice("hidden-text"), Notice("hidden-text", detail=3), Notice("encoding-guessed", detail="cp1252"))
    document = Document("text", None, {}, "", (), (), notices)
    assert results.read("a", document, "text").err == b"fumehood: a: noticed hidden-text (2), encoding-guessed cp1252\n"


@pytest.mark.parametrize(
    ("refused", "code", "ends"),
    [
        (refusal("encrypted"), exits.SOME_REFUSED, b"; here: --option password=...\n"),
        (refusal("pages", limit="pages", bound=5), exits.SOME_REFUSED, b"pages is 5; --limit pages=... allows more\n"),
        (refusal("crashed"), exits.SOME_REFUSED, b"crashed\n"),
        (refusal("overloaded"), exits.SOME_REFUSED, b"\n"),
        (refusal("sandbox-unavailable", detail="cgroup"), exits.NO_SANDBOX, b"takes the same names\n"),
    ],
    ids=lambda value: getattr(value, "code", None),
)
def test_a_refusal_says_what_to_do(refused: Exception, code: int, ends: bytes) -> None:
    result = results.refused("a", refused, "text")  # type: ignore[arg-type]
    assert (result.out, result.code) == (b"", code)
    assert result.err.endswith(ends)


def test_an_error_without_words_of_the_system() -> None:
    assert results.unreadable("a", OSError("odd\n"), "text").err == b"fumehood: a: cannot be read: odd\\n\n"

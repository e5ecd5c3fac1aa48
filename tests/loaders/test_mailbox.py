"""Mailboxes: where a message ends, and what of its text was quoted for that."""

from __future__ import annotations

import pytest

from fumehood.loaders.shared.mailbox import from_line, messages, normalised

LINE = b"From a@example.org Fri Jan  2 03:04:05 2026\n"


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        (LINE + b"A: b\n\none\n\n" + LINE + b"A: c\n\ntwo\n", [b"A: b\n\none\n\n", b"A: c\n\ntwo\n"]),
        ((LINE + b"A: b\n\none\n\n" + LINE + b"\nx").replace(b"\n", b"\r\n"), [b"A: b\r\n\r\none\r\n\r\n", b"\r\nx"]),
        # No blank line before, or no time of day behind: text.
        (
            LINE + b"A: b\n\none\n" + LINE + b"two\n\nFrom here on\n",
            [b"A: b\n\none\n" + LINE + b"two\n\nFrom here on\n"],
        ),
        # Where the first line has no time, none needs one.
        (b"From a\nA: b\n\none\n\nFrom b\n\ntwo", [b"A: b\n\none\n\n", b"\ntwo"]),
        (LINE + b"\n>From x\n>>From y\n> From z", [b"\nFrom x\n>From y\n> From z"]),
        (b"A: b\n\nno line\n\n" + LINE + b"\nx", [b"A: b\n\nno line\n\n", b"\nx"]),
        (b"", [b""]),
        (LINE, [b""]),
    ],
)
def test_messages(data: bytes, wanted: list[bytes]) -> None:
    assert list(messages(data)) == wanted


def test_a_mark_and_old_line_ends_are_no_text() -> None:
    assert normalised(b"\xef\xbb\xbfA: b\r\rx\r") == b"A: b\n\nx\n"
    assert normalised(b"A: b\r\n\r\nx\r") == b"A: b\r\n\r\nx\r"
    assert from_line(b"From a\nB: c") == 7
    assert from_line(b"From: a\n") == 0

"""Mailboxes: many messages in one file."""

from __future__ import annotations

import pytest

from fumehood import Limits, Refusal
from tests.loaders.mail_writer import message, multipart, notices, read, texts

LINE = b"From a@example.org Fri Jan  2 03:04:05 2026\r\n"


def mailbox(*messages: bytes) -> bytes:
    return b"".join(LINE + one + b"\r\n\r\n" for one in messages)


def test_messages_stand_one_after_another() -> None:
    document = read(
        mailbox(
            message("one", "", "Subject: First"),
            b"Subject: Second\r\n" + multipart("mixed", b"\r\ntwo", message("x", "image/png; name=a.png")),
            message("three\n>From the start", "", "Subject: Third"),
        ),
        "mbox",
    )
    assert texts(document) == [
        "# First",
        "one",
        "# Second",
        "two",
        "- a.png (image/png, 1 bytes)",
        "# Third",
        "three\nFrom the start",
    ]
    places = [block.locator.path for block in document.blocks if block.locator]
    assert places == ["1", "1.1", "2", "2.1", "2.2", "3", "3.1"]
    assert notices(document) == [("attachment-not-read", "2.2", "png")]


def test_one_message_that_cannot_be_read_does_not_take_the_others_along() -> None:
    encrypted = multipart("encrypted", message("Version: 1", "application/pgp-encrypted"))
    deep = message("<div>" * 1_000 + "x", "text/html")
    document = read(mailbox(encrypted, deep, message("fine", "", "Subject: x")), "mbox")
    assert texts(document) == ["# x", "fine"]
    assert notices(document) == [("attachment-not-read", "1", "encrypted"), ("part-unreadable", "2.1", "nesting")]


def test_attachments_are_read_here_too() -> None:
    table = multipart("mixed", message("a,b\n1,2\n", "text/csv; name=t.csv"))
    assert texts(read(mailbox(table), "mbox", attachments=True))[0] == "## t.csv"


def test_what_is_no_mailbox_is_refused() -> None:
    with pytest.raises(Refusal) as caught:
        read(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "mbox")
    assert caught.value.code == "kind-mismatch"


def test_messages_are_counted() -> None:
    with pytest.raises(Refusal) as caught:
        read(mailbox(*[message("x")] * 30), "mbox", limits=Limits(parts=20))
    assert caught.value.code == "parts"

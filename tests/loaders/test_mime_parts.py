"""Entities and their numbers: multiparts in each other, never closed, without a boundary, and messages in messages."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood import Limits, Refusal
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.mime_parts import Entity, parse
from tests.loaders.mail_writer import message, multipart


def tree(data: bytes, limits: Limits | None = None) -> Entity:
    return parse(data, Budget(limits or Limits()))


def leaves(entity: Entity) -> list[tuple[str, str, bytes]]:
    """Number, media type and body of each entity without children, in order."""
    if not entity.children:
        return [(entity.number, entity.media_type, entity.body)]
    return [leaf for child in entity.children for leaf in leaves(child)]


def plain(data: bytes) -> list[tuple[str, bytes]]:
    return [(number, body) for number, _, body in leaves(tree(data))]


def test_a_message_without_parts_is_its_own_first_part() -> None:
    assert leaves(tree(b"Subject: x\r\n\r\nbody\r\n")) == [("1", "text/plain", b"body\r\n")]
    assert leaves(tree(b"")) == [("1", "text/plain", b"")]


def test_the_line_end_before_a_delimiter_belongs_to_it() -> None:
    data = multipart("mixed", b"\r\none", b"\r\ntwo\r\n")
    assert plain(data) == [("1", b"one"), ("2", b"two\r\n")]
    assert plain(data.replace(b"\r\n", b"\n")) == [("1", b"one"), ("2", b"two\n")]


def test_numbers_are_those_of_imap() -> None:
    """The example of RFC 3501, section 6.4.5."""
    inner = message("1", "text/plain") + b"\r\n"
    mixed = multipart("mixed", b"\r\n4.2.1", multipart("alternative", b"\r\na", b"\r\nb", boundary="i"), boundary="j")
    second = multipart("mixed", b"\r\n3.1", b"Content-Type: application/octet-stream\r\n\r\n3.2", boundary="k")
    fourth = multipart("mixed", b"Content-Type: image/gif\r\n\r\n4.1", message(mixed, "message/rfc822"), boundary="l")
    data = multipart(
        "mixed",
        inner,
        b"Content-Type: application/octet-stream\r\n\r\n2",
        message(second, "message/rfc822"),
        fourth,
    )
    assert [number for number, _ in plain(data)] == ["1", "2", "3.1", "3.2", "4.1", "4.2.1", "4.2.2.1", "4.2.2.2"]


def test_a_message_within_has_a_number_of_its_own() -> None:
    data = multipart("mixed", message("Subject: in\n\nx", "message/rfc822"))
    assert plain(data) == [("1.1", b"x")]


def test_parts_of_a_digest_are_messages() -> None:
    data = multipart("digest", b"\r\nSubject: one\r\n\r\nx", b"\r\nSubject: two\r\n\r\ny")
    assert plain(data) == [("1.1", b"x"), ("2.1", b"y")]


@pytest.mark.parametrize(
    ("data", "bodies"),
    [
        # Never closed; closed by the one around; a boundary that starts as another does; with space behind it.
        (b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\n\ntwo", [b"one", b"two"]),
        (
            b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\none\n--b\n\ntwo\n--b--",
            [b"one", b"two"],
        ),
        (
            b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=bb\n\n--bb\n\none\n--bb--\n--b\n\ntwo\n--b--",
            [b"one", b"two"],
        ),
        (b'Content-Type: multipart/mixed; boundary="b  "\n\n--b \t\n\none\n--b--  \nend', [b"one"]),
        # A multipart in one of the same boundary; a part with fields and nothing else; with neither.
        (
            b"Content-Type: multipart/mixed; boundary=1\n\n--1\n\na\n--1\nContent-Type: multipart/mixed; boundary=1\n\n--1\n\nb\n--1--",
            [b"a", b"b"],
        ),
        (b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n--b\n--b--", [b"", b""]),
        # A boundary that reads as a field; one that is not quoted and has an equals sign.
        (b'Content-Type: multipart/mixed; boundary="b:c"\n\n--b:c\nX: y\n--b:c\n\none\n--b:c--', [b"", b"one"]),
        (b"Content-Type: multipart/mixed; boundary=----=_Part\n\n------=_Part\n\none\n------=_Part--", [b"one"]),
        # None at all, or another one: what there is is the body.
        (b"Content-Type: multipart/mixed\n\n--b\n\none\n--b--", [b"--b\n\none\n--b--"]),
        (b"Content-Type: multipart/mixed; boundary=b\n\nbody\n", [b"body\n"]),
    ],
)
def test_delimiters_as_they_come(data: bytes, bodies: list[bytes]) -> None:
    assert [body for _, body in plain(data)] == bodies


@pytest.mark.parametrize(
    ("data", "media_type", "body"),
    [
        (b"\r\n\r\nContent-Type: text/html\r\n\r\nx", "text/html", b"x"),
        (b"Content-Type : text/html\n\nx", "text/html", b"x"),
        (b"Subject: a\n\nContent-Type: text/html\n\nx", "text/html", b"x"),
        (b"Content-Type: nonsense\n\nx", "text/plain", b"x"),
        (b"Content-Type: text/html\nno field\n\nx", "text/html", b"no field\n\nx"),
        (b"Subject: a\r\n \r\n b\r\n\r\nx", "text/plain", b"x"),
    ],
)
def test_headers_as_they_come(data: bytes, media_type: str, body: bytes) -> None:
    assert leaves(tree(data)) == [("1", media_type, body)]


def test_depth_and_number_are_capped() -> None:
    deep = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (at, at) for at in range(1_000))
    many = b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 100_000
    inside = b"Content-Type: message/rfc822\n\n" * 1_000
    for data, code in ((deep, "nesting"), (many, "parts"), (inside, "nesting")):
        with pytest.raises(Refusal) as caught:
            tree(data)
        assert caught.value.code == code


def test_time_does_not_grow_with_depth_times_length() -> None:
    """The standard library's parser looks at every boundary that is open for every line."""

    def seconds(depth: int) -> float:
        head = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (at, at) for at in range(depth))
        started = time.process_time()
        tree(head + b"\n" + b"--a line\n" * 100_000)
        return time.process_time() - started

    assert seconds(200) < 0.1 + 4 * seconds(1)


@given(
    st.lists(
        st.sampled_from(
            [
                *(b"--b\n", b"--b--\n", b"--c\r\n", b"--\n", b"\n", b"\r\n", b"x\n", b"X: y\n"),
                b"Content-Type: multipart/mixed; boundary=b\n",
                b"Content-Type: multipart/related; boundary=c\n",
                b"Content-Type: message/rfc822\n",
                b"Content-Transfer-Encoding: base64\n",
                b"Content-Type: text/html\n",
            ]
        ),
        max_size=40,
    )
)
def test_bodies_are_in_order_and_apart(pieces: list[bytes]) -> None:
    entities = [tree(b"".join(pieces))]
    spans = []
    while entities:
        entity = entities.pop()
        entities += reversed(entity.children)
        if not entity.children:
            spans.append((entity.start, entity.end))
    assert all(start <= end for start, end in spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))

"""Parameters of content types: quoted, continued, encoded, and as programs write them that know no rules."""

from __future__ import annotations

import pytest

from fumehood import Limits, Refusal
from fumehood.limits.budget import Budget
from fumehood.loaders.shared.mime_parameters import Field, field


def read(text: str) -> Field:
    return field(text, Budget(Limits()))


@pytest.mark.parametrize(
    ("text", "value", "parameters"),
    [
        ("text/plain; charset=us-ascii (Plain text)", "text/plain", {"charset": "us-ascii"}),  # RFC 2045, 5.1
        ('Text/PLAIN; Charset="us-ascii"', "text/plain", {"charset": "us-ascii"}),
        # RFC 2231, sections 3 and 4.
        (
            'message/external-body; access-type=URL; URL*0="ftp://"; URL*1="cs.utk.edu/pub/moore/bulk-mailer.tar"',
            "message/external-body",
            {"access-type": "URL", "url": "ftp://cs.utk.edu/pub/moore/bulk-mailer.tar"},
        ),
        (
            "application/x-stuff; title*=us-ascii'en-us'This%20is%20%2A%2A%2Afun%2A%2A%2A",
            "application/x-stuff",
            {"title": "This is ***fun***"},
        ),
        (
            "application/x-stuff; title*0*=us-ascii'en'This%20is%20even%20more%20; title*1*=%2A%2A%2Afun%2A%2A%2A%20;"
            ' title*2="isn\'t it!"',
            "application/x-stuff",
            {"title": "This is even more ***fun*** isn't it!"},
        ),
        ("a/b; name*1=c; name*0=b", "a/b", {"name": "bc"}),
        ("a/b; name=old; name*=utf-8''n%C3%A9w", "a/b", {"name": "néw"}),
        ("a/b; name*=none''%C3%A9", "a/b", {"name": "é"}),
        ("a/b; name*=%41", "a/b", {"name": "A"}),
        # Written by programs.
        ("multipart/mixed; boundary=----=_NextPart_x", "multipart/mixed", {"boundary": "----=_NextPart_x"}),
        ('a/b; name="=?utf-8?q?=C3=A9?="', "a/b", {"name": "é"}),
        ("a/b; name=two words.pdf", "a/b", {"name": "two words.pdf"}),
        ('a/b; name="never closed', "a/b", {"name": "never closed"}),
        ('a/b; name="a\\"b;c"', "a/b", {"name": 'a"b;c'}),
        ("a/b; name=first; name=second", "a/b", {"name": "first"}),
        ("a/b;;; x ;y=1;", "a/b", {"y": "1"}),
        ("", "", {}),
        ("attachment", "attachment", {}),
    ],
)
def test_fields(text: str, value: str, parameters: dict[str, str]) -> None:
    assert read(text) == Field(value, parameters)


def test_bytes_outside_utf8_are_text_as_well() -> None:
    assert read(b"a/b; name=\xe9.pdf".decode("utf-8", "surrogateescape")).parameters == {"name": "é.pdf"}


def test_parameters_are_counted() -> None:
    with pytest.raises(Refusal) as caught:
        field("a/b" + ";c=d" * 11, Budget(Limits(nodes=10)))
    assert caught.value.code == "nodes"

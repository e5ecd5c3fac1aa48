"""Messages of mail: what their readers see, what is hidden, what is attached, and what is wrong with them."""

from __future__ import annotations

import base64
import quopri
import time
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood import Limits, Refusal, kinds
from fumehood.errors import EncryptedDocument, MalformedDocument
from tests.loaders.mail_writer import message, multipart, notices, read, texts

PLAIN = "text/plain; charset=utf-8"


def code(data: bytes, **given_: Any) -> str:
    with pytest.raises(Refusal) as caught:
        read(data, **given_)
    return caught.value.code


# ---- the head --------------------------------------------------------------------------------------------------


def test_the_head_is_shown_and_is_metadata() -> None:
    document = read(
        message(
            "Hello.",
            PLAIN,
            "Received: from x",
            "From: =?utf-8?q?J=C3=B6rg?= <j@example.org>",
            'To: "Mary Smith" <mary@x.test>, jdoe@example.org',
            "Cc: b@example.org",
            "To: late@example.org",
            "Subject: =?utf-8?b?w5xiZXI=?= us",
            "Date: Fri, 2 Jan 2026 03:04:05 -0500 (EST)",
            "Message-ID: <1@example.org>",
            "Keywords: a, b",
            "User-Agent: Mailer 1",
            "Content-Language: de",
        )
    )
    assert document.title == "Über us"
    assert texts(document) == [
        "# Über us",
        "From: Jörg <j@example.org>\nTo: Mary Smith <mary@x.test>, jdoe@example.org, late@example.org\n"
        "Cc: b@example.org\nDate: Fri, 2 Jan 2026 03:04:05 -0500 (EST)",
        "Hello.",
    ]
    assert dict(document.metadata) == {
        "author": "Jörg <j@example.org>",
        "x-to": "Mary Smith <mary@x.test>, jdoe@example.org, late@example.org",
        "x-cc": "b@example.org",
        "created": "2026-01-02T03:04:05-05:00",
        "x-message-id": "<1@example.org>",
        "keywords": "a, b",
        "generator": "Mailer 1",
        "language": "de",
    }
    assert [block.locator.path if block.locator else None for block in document.blocks] == [None, None, "1"]
    assert document.notices == ()


def test_a_head_in_eight_bits_is_of_the_bodys_charset() -> None:
    raw = "Subject: дом\r\nContent-Type: text/plain; charset=koi8-r\r\n\r\nдым".encode("koi8-r")
    assert texts(read(raw)) == ["# дом", "дым"]


def test_nothing_but_a_body() -> None:
    assert texts(read(b"\r\nbody")) == ["body"]
    assert notices(read(b"")) == [("empty-document", None, None)]
    document = read(b"body only, without a head")
    assert texts(document) == ["body only, without a head"]
    assert notices(document) == [("repaired", None, None)]


def test_what_is_no_mail_is_refused() -> None:
    assert code(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR") == "kind-mismatch"
    assert code(bytes(range(256)) * 4) == "kind-mismatch"


def test_a_from_line_before_the_head_is_none_of_it() -> None:
    assert texts(read(b"From a@b.c\nSubject: x\n\ny")) == ["# x", "y"]


# ---- the body: RFC 2046 ------------------------------------------------------------------------------------------


def test_one_form_of_several_is_shown() -> None:
    document = read(multipart("alternative", message("one *two*", PLAIN), message("<p>one <b>two</b>", "text/html")))
    assert texts(document) == ["one two"]
    assert texts(document, visible=False) == []
    assert notices(document) == []
    assert [block.locator.path for block in document.blocks if block.locator] == ["2"]


def test_what_only_the_other_form_says_is_kept_and_hidden() -> None:
    document = read(
        multipart("alternative", message("The same.\n\nPay here.", PLAIN), message("<p>The same.", "text/html"))
    )
    assert texts(document) == ["The same."]
    assert texts(document, visible=False) == ["Pay here."]
    assert notices(document) == [("hidden-text", "1", None)]


def test_the_next_best_form_is_shown_where_the_best_says_nothing() -> None:
    deep = "<div>" * 1_000 + "x"
    document = read(multipart("alternative", message("plain", PLAIN), message(deep, "text/html")))
    assert texts(document) == ["plain"]
    assert notices(document) == [("part-unreadable", "2", "nesting")]
    document = read(multipart("alternative", message("plain", PLAIN), message("<img src=x>", "text/html")))
    assert texts(document) == ["plain"]


def test_a_page_that_is_all_there_is_and_cannot_be_read_is_refused() -> None:
    assert code(message("<div>" * 1_000 + "x", "text/html")) == "nesting"


def test_what_is_no_form_of_the_text_is_not_lost_beside_it() -> None:
    document = read(
        multipart(
            "alternative",
            message("come", PLAIN),
            message("<p>come", "text/html"),
            message("BEGIN:VCALENDAR\nEND:VCALENDAR\n", "text/calendar; method=REQUEST"),
            message("%PDF-1.4", "application/pdf; name=a.pdf"),
        )
    )
    assert texts(document) == [
        "come",
        "```\nBEGIN:VCALENDAR\nEND:VCALENDAR\n```",
        "- a.pdf (application/pdf, 8 bytes)",
    ]
    assert notices(document) == [("attachment-not-read", "4", "pdf")]


def test_attachments_of_a_form_that_is_not_shown_are_still_attached() -> None:
    inner = multipart("mixed", message("x", PLAIN), message("%PDF-1.4", "application/pdf"), boundary="c")
    document = read(multipart("alternative", inner, message("<p>x", "text/html")))
    assert texts(document) == ["x", "- application/pdf, 8 bytes"]


def test_an_invitation_is_text_and_its_lines_are_whole() -> None:
    """RFC 5545, 3.1: a line may be broken anywhere."""
    event = "BEGIN:VEVENT\r\nSUMMARY:Quarterly re\r\n view\r\nDESCRIPTION:Bring\r\n  your notes\r\nEND:VEVENT"
    for content in ("text/calendar; method=REQUEST; charset=utf-8", "text/vcard"):
        document = read(multipart("alternative", message("Come.", PLAIN), message(event, content)))
        assert texts(document) == [
            "Come.",
            "```\nBEGIN:VEVENT\nSUMMARY:Quarterly review\nDESCRIPTION:Bring your notes\nEND:VEVENT\n```",
        ]


def test_a_form_for_other_programs_is_none_of_the_text() -> None:
    amp = message("<html amp4email><p>come", "text/x-amp-html")
    document = read(multipart("alternative", message("come", PLAIN), amp, message("<p>come", "text/html")))
    assert document.text == "come"


def test_a_message_in_a_form_that_is_not_shown_is_still_a_section() -> None:
    inner = message(message("in", "", "Subject: Inner"), "message/rfc822")
    form = multipart("mixed", message("x", PLAIN), inner, boundary="c")
    assert texts(read(multipart("alternative", form, message("<p>x", "text/html")))) == ["x", "## Inner", "in"]


def test_the_root_of_related_parts_is_the_body() -> None:
    page = message("<p>page <img src='cid:i' alt='chart'>", "text/html", "Content-ID: <p>")
    picture = message("\x01", "image/png", "Content-ID: <i>")
    style = message("p{}", "text/css; name=s.css")
    document = read(multipart("related", page, picture, style))
    assert texts(document)[0].startswith("page")
    assert ("image-not-read", "2", None) in notices(document)
    document = read(multipart("related", picture, style, page, more='; start="<p>"; type="text/html"'))
    assert texts(document)[0].startswith("page")
    assert texts(read(multipart("related", picture, page)))[0].startswith("page")


def test_a_signed_body_is_read_and_its_signature_is_said() -> None:
    document = read(
        multipart("signed", message("signed", PLAIN), message("s", "application/pgp-signature; name=signature.asc"))
    )
    assert texts(document) == ["signed"]
    assert notices(document) == [("attachment-not-read", "2", None)]


def test_what_is_encrypted_is_refused_where_there_is_nothing_else() -> None:
    version = message("Version: 1", "application/pgp-encrypted")
    data = message("-----BEGIN PGP MESSAGE-----", "application/octet-stream")
    encrypted = multipart("encrypted", version, data, boundary="e")
    assert code(b"Subject: x\r\n" + encrypted) == "encrypted"
    enveloped = base64.b64encode(b"\x30\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03\xa0\x80")
    smime = message(enveloped, "application/pkcs7-mime; name=smime.p7m", "Content-Transfer-Encoding: base64")
    assert code(smime) == "encrypted"
    document = read(multipart("mixed", message("readable", PLAIN), encrypted, smime))
    assert texts(document) == ["readable"]
    assert notices(document) == [("attachment-not-read", "2", "encrypted"), ("attachment-not-read", "3", "encrypted")]


def test_what_stands_around_the_parts_is_hidden() -> None:
    """RFC 2046, 5.1.1: preamble and epilogue. Most preambles are one sentence that says nothing of the message."""
    data = multipart("mixed", b"\r\nbody").replace(b"\r\n\r\n--b", b"\r\n\r\nOld readers see this.\r\n--b", 1)
    document = read(data + b"and this\r\n")
    assert texts(document) == ["body"]
    assert texts(document, visible=False) == ["Old readers see this.", "and this"]
    usual = data.replace(b"Old readers see this.", b"This is a multi-part message in MIME format.")
    assert texts(read(usual), visible=False) == []


def test_the_complex_example_of_rfc_2049() -> None:
    """Appendix A, its comments shortened."""
    document = read(
        b"MIME-Version: 1.0\nFrom: Nathaniel Borenstein <nsb@nsb.fv.com>\nTo: Ned Freed <ned@innosoft.com>\n"
        b"Date: Fri, 07 Oct 1994 16:15:05 -0700 (PDT)\nSubject: A multipart example\n"
        b"Content-Type: multipart/mixed;\n              boundary=unique-boundary-1\n\n"
        b"This is the preamble area of a multipart message.\n\n"
        b"--unique-boundary-1\n\n  ... Some text appears here ...\n\n"
        b"--unique-boundary-1\nContent-type: text/plain; charset=US-ASCII\n\nThis could have been part of the previous part.\n\n"
        b"--unique-boundary-1\nContent-Type: multipart/parallel; boundary=unique-boundary-2\n\n"
        b"--unique-boundary-2\nContent-Type: audio/basic\nContent-Transfer-Encoding: base64\n\nAAAA\n\n"
        b"--unique-boundary-2\nContent-Type: image/jpeg\nContent-Transfer-Encoding: base64\n\nAAAA\n\n"
        b"--unique-boundary-2--\n\n"
        b"--unique-boundary-1\nContent-type: text/enriched\n\n"
        b"This is <bold><italic>enriched.</italic></bold>\n<smaller>as defined in RFC 1896</smaller>\n\n"
        b"Isn't it\n<bigger><bigger>cool?</bigger></bigger>\n\n"
        b"--unique-boundary-1\nContent-Type: message/rfc822\n\n"
        b"From: (mailbox in US-ASCII)\nTo: (address in US-ASCII)\nSubject: (subject in US-ASCII)\n"
        b"Content-Type: Text/plain; charset=ISO-8859-1\nContent-Transfer-Encoding: Quoted-printable\n\n"
        b"  ... Additional text in ISO-8859-1 goes here ... =E9\n\n"
        b"--unique-boundary-1--\n"
    )
    assert document.metadata["created"] == "1994-10-07T16:15:05-07:00"
    assert texts(document)[2:] == [
        "... Some text appears here ...",
        "This could have been part of the previous part.",
        "This is enriched. as defined in RFC 1896\nIsn't it cool?",
        "## (subject in US-ASCII)",
        "From: (mailbox in US-ASCII)\nTo: (address in US-ASCII)",
        "... Additional text in ISO-8859-1 goes here ... é",
        "- audio/basic, 3 bytes",
        "- image/jpeg, 3 bytes",
    ]
    assert texts(document, visible=False) == ["This is the preamble area of a multipart message."]
    assert notices(document) == [
        ("hidden-text", None, None),
        ("attachment-not-read", "3.1", None),
        ("attachment-not-read", "3.2", "jpeg"),
    ]


# ---- charsets and encodings --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("charset", "body", "wanted", "said"),
    [
        ("shift_jis", "あいう".encode("cp932"), "あいう", []),
        ("ks_c_5601-1987", "스티해".encode("cp949"), "스티해", []),
        ("us-ascii", "naïve café".encode(), "naïve café", []),
        ("iso-8859-1", "naïve café".encode(), "naïve café", []),
        ("x-unknown", "naïve café".encode("cp1252"), "naïve café", ["encoding-guessed"]),
        ("utf-8", "naïve café".encode("cp1252"), "naïve café", ["encoding-guessed"]),
        ("gb2312", "天\xff".encode("gb18030") + b"\xff", None, ["repaired"]),
    ],
)
def test_charsets(charset: str, body: bytes, wanted: str | None, said: list[str]) -> None:
    document = read(f"Content-Type: text/plain; charset={charset}\n\n".encode() + body)
    assert [note for note, _, _ in notices(document)] == said
    if wanted is not None:
        assert texts(document) == [wanted]


def test_a_page_says_itself_what_it_is_written_in() -> None:
    page = "<meta charset=windows-1251><p>привет".encode("cp1251")
    assert texts(read(b"Content-Type: text/html\n\n" + page)) == ["привет"]


def test_the_caller_may_know_the_charset_of_what_does_not_say() -> None:
    assert texts(read(b"\n" + "привет".encode("koi8-r"), charset="koi8-r")) == ["привет"]


@pytest.mark.parametrize(
    ("encoding", "body", "wanted", "repaired"),
    [
        ("base64", b"aMOpbGxv", ["héllo"], False),
        ("base64", b"aMOpbGxv!\n*=", ["héllo"], True),
        ("base64", b"aMOpbGxvIQ==\n-- \nA list\n", ["héllo!", "\\--\nA list"], True),
        ("quoted-printable", b"h=C3=A9l=\nlo", ["héllo"], False),
        ("quoted-printable", b"h=C3=A9llo = 100% =", ["héllo = 100%"], True),
        ("8bit", "héllo".encode(), ["héllo"], False),
        ("none such", b"hello", ["hello"], False),
    ],
)
def test_transfer_encodings(encoding: str, body: bytes, wanted: list[str], repaired: bool) -> None:
    document = read(message(body, PLAIN, f"Content-Transfer-Encoding: {encoding}"))
    assert texts(document) == wanted
    assert (("repaired", "1", None) in notices(document)) is repaired


def test_a_body_that_is_no_text_is_attached() -> None:
    document = read(message("", PLAIN, "Content-Transfer-Encoding: binary") + b"\x89PNG\r\n\x1a\n\0")
    assert notices(document) == [("attachment-not-read", "1", "png")]
    assert texts(document) == ["- text/plain, 9 bytes"]


def test_a_table_in_utf8_under_a_careless_label_is_utf8() -> None:
    part = message("é,b\n1,2\n", "text/csv; charset=us-ascii; name=t.csv")
    assert "é" in read(multipart("mixed", part), attachments=True).text


def test_characters_that_are_taken_out_are_counted() -> None:
    document = read(multipart("mixed", b"\r\na\x01b\x02\n", message("c\x03", "text/html")))
    assert texts(document) == ["ab", "c"]
    assert notices(document)[-1] == ("controls-removed", None, 3)


# ---- messages within ---------------------------------------------------------------------------------------------


def test_a_message_within_is_a_section() -> None:
    inner = message("in", PLAIN, "From: b@example.org", "Subject: Inner")
    document = read(
        message("", "", "Subject: Outer")[:-2] + multipart("mixed", b"\r\nout", message(inner, "message/rfc822"))
    )
    assert texts(document) == ["# Outer", "out", "## Inner", "From: b@example.org", "in"]
    assert [block.locator.path if block.locator else None for block in document.blocks] == [None, "1", "2", "2", "2.1"]
    assert document.title == "Outer"


@pytest.mark.parametrize("encoding", ["base64", "quoted-printable", "7bit"])
def test_a_message_within_may_be_encoded_though_it_must_not(encoding: str) -> None:
    inner = message("in=3D" if encoding == "quoted-printable" else "in", "", "Subject: Inner", "X: =3D")
    body = base64.encodebytes(inner) if encoding == "base64" else inner
    document = read(message(body, "message/rfc822", f"Content-Transfer-Encoding: {encoding}"))
    assert [text.rstrip("=") for text in texts(document)] == ["## Inner", "in"]


def test_a_message_said_to_be_encoded_may_not_be() -> None:
    inner = message("in", "", "Subject: Inner")
    assert texts(read(message(inner, "message/rfc822", "Content-Transfer-Encoding: base64"))) == ["## Inner", "in"]


# ---- what is attached --------------------------------------------------------------------------------------------


def with_attachment(body: bytes, content: str, *headers: str) -> bytes:
    return multipart("mixed", message("see", PLAIN), message(body, content, *headers))


def test_attachments_are_said_with_name_type_and_size() -> None:
    document = read(
        with_attachment(
            base64.encodebytes(b"%PDF-1.4"),
            "application/octet-stream",
            "Content-Transfer-Encoding: base64",
            "Content-Disposition: attachment; filename*=utf-8''..%2F%C3%A9t%C3%A9%0A.pdf",
        )
    )
    assert texts(document) == ["see", "- été .pdf (application/octet-stream, 8 bytes)"]
    assert notices(document) == [("attachment-not-read", "2", "pdf")]


@pytest.mark.parametrize(
    ("content", "disposition", "shown"),
    [
        ("text/plain; name=a.txt", "inline", True),
        ("text/plain; name=a.txt", "attachment", False),
        ("text/html; name=a.html", "inline", True),
        ("text/csv; name=a.csv", "inline", False),
        ("text/x-patch", "inline", True),
        ("text/calendar; name=a.ics", "inline", True),
        ("text/rtf", "inline", False),
        ("application/json", "inline", False),
        ("image/png", "inline", False),
    ],
)
def test_what_is_shown_in_place(content: str, disposition: str, shown: bool) -> None:
    document = read(with_attachment(b"words", content, f"Content-Disposition: {disposition}"))
    assert ("words" in document.text) is shown
    assert bool(notices(document)) is not shown


def test_attachments_are_read_on_demand_each_as_a_section() -> None:
    table = with_attachment(b"a,b\n1,2\n", "text/csv; name=t.csv", "Content-Disposition: attachment")
    document = read(table, attachments=True)
    assert texts(document) == ["see", "## t.csv", "| a | b |\n| --- | --- |", "| 1 | 2 |"]
    assert {block.locator.path for block in document.blocks[1:] if block.locator} == {"2"}
    assert notices(document) == []


def test_documents_of_every_kind_can_be_attached() -> None:
    for kind in kinds.of_family(kinds.ATTACHMENTS):
        if kind.name == "eml":
            continue  # A message within is a section anyway.
        data = base64.encodebytes(kind.specimen)
        content = f"{kind.media_types[0]}; name=x.{kind.extensions[0]}"
        document = read(
            with_attachment(data, content, "Content-Transfer-Encoding: base64", "Content-Disposition: attachment"),
            attachments=True,
        )
        assert ("attachment-not-read", "2", None) not in notices(document), kind.name
        assert any(text.startswith(f"## x.{kind.extensions[0]}") for text in texts(document)), kind.name


def test_an_attachment_that_cannot_be_read_costs_itself_alone() -> None:
    document = read(
        multipart(
            "mixed",
            message("{", "application/json; name=a.json"),
            message(kinds.get("pdf").specimen[:40], "application/pdf; name=b.pdf"),
            message("\x00\x01\x02", "image/png; name=c.png"),
            message("ok", "text/plain; name=d.txt", "Content-Disposition: attachment"),
        ),
        attachments=True,
    )
    assert texts(document)[-2:] == ["## d.txt", "ok"]
    assert [note[:2] for note in notices(document)] == [("attachment-not-read", path) for path in ("1", "2", "3")]
    assert notices(document)[0][2] == "malformed"


def test_mail_attached_to_mail_ends_at_a_depth() -> None:
    data = message("innermost")
    for _ in range(12):
        data = with_attachment(
            base64.encodebytes(data), "application/x; name=a.eml", "Content-Transfer-Encoding: base64"
        )
    document = read(data, attachments=True)
    assert [note[2] for note in notices(document)] == ["nesting"]
    assert "innermost" not in document.text
    assert "innermost" in read(data, limits=Limits(nesting=512), attachments=True).text


def test_files_in_the_text_are_attached() -> None:
    document = read(b"\nsee\nbegin 644 a.txt\n#0V%T\n`\nend\nbye\n")
    assert texts(document) == ["see\nbye", "- a.txt (uuencode, 3 bytes)"]
    assert texts(read(b"\nbegin 644 a.txt\n#0V%T\n`\nend\n", attachments=True)) == ["## a.txt", "Cat"]


def test_what_lies_elsewhere_is_said() -> None:
    data = multipart("mixed", message("Content-Type: text/plain\n\n", "message/external-body; access-type=URL"))
    assert notices(read(data)) == [("external-target", "1", None), ("empty-document", None, None)]


# ---- what was reported of other readers ----------------------------------------------------------------------------


def test_a_bounced_message_of_another_charset() -> None:
    """eml_parser 38; go-mail 477: a report is read like any multipart, each part in its own charset."""
    original = b"Subject: J\xf6rg\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\nGr\xfc\xdfe"
    document = read(
        multipart(
            "report",
            message("Not delivered.", "text/plain; charset=us-ascii"),
            message("Action: failed\nStatus: 5.0.0\n", "message/delivery-status"),
            message(original, "message/rfc822"),
            more="; report-type=delivery-status",
        )
    )
    assert texts(document) == ["Not delivered.", "Action: failed\nStatus: 5.0.0", "## Jörg", "Grüße"]


def test_headers_of_a_returned_message_are_text() -> None:
    document = read(multipart("report", message("No.", PLAIN), message("Subject: x\n", "text/rfc822-headers")))
    assert texts(document)[-1] == "```\nSubject: x\n```"


def test_a_multipart_of_an_unknown_subtype_is_read_as_mixed() -> None:
    assert texts(read(multipart("x-new", b"\r\none", b"\r\ntwo"))) == ["one", "two"]


def test_a_part_that_does_not_say_how_it_is_encoded_is_not() -> None:
    """eml-format 21."""
    assert texts(read(multipart("alternative", message("a=3D", "text/plain")))) == ["a=3D"]


def test_a_preamble_takes_no_part_away() -> None:
    """eml-format 4."""
    data = multipart("mixed", message("first", PLAIN), message("second", PLAIN))
    data = data.replace(b"\r\n\r\n--b", b"\r\n\r\nThis is a multi-part message in MIME format.\r\n--b", 1)
    assert texts(read(data)) == ["first", "second"]


def test_a_message_within_is_said_once() -> None:
    """mail-parser 78."""
    inner = b"Subject: In\r\n" + multipart("mixed", b"\r\nonce", message("p", "image/png"), boundary="c")
    for attachments in (False, True):
        document = read(multipart("mixed", message(inner, "message/rfc822")), attachments=attachments)
        assert document.text.count("once") == 1
        assert document.text.count("image/png") == 1


def test_a_boundary_without_quotes_may_hold_an_equals_sign() -> None:
    """Znuny 476."""
    assert texts(read(multipart("mixed", b"\r\nbody", boundary="----=_NextPart_1"))) == ["body"]


def test_a_blank_line_among_the_headers_loses_nothing() -> None:
    """eml-parse-js 47."""
    document = read(b"Subject: x\r\n\r\n" + multipart("mixed", b"\r\nbody"))
    assert texts(document) == ["# x", "body"]
    assert notices(document) == [("repaired", None, None)]


# ---- bounds ------------------------------------------------------------------------------------------------------


def test_parts_and_depth_are_capped() -> None:
    assert code(multipart("mixed", *[b"\r\nx"] * 50), limits=Limits(parts=20)) == "parts"
    files = b"\n" + b"begin 644 a\n#0V%T\n`\nend\n" * 50
    assert code(files, limits=Limits(parts=20)) == "parts"
    data = b"\r\nx"
    for at in range(60):
        data = multipart("mixed", data, boundary=f"b{at}")
    assert code(data, limits=Limits(nesting=40)) == "nesting"
    for _ in range(60):
        data = message(base64.encodebytes(data), "message/rfc822", "Content-Transfer-Encoding: base64")[:200_000]
    assert code(data, limits=Limits(nesting=10)) == "nesting"


def test_a_name_of_any_length_is_a_name() -> None:
    started = time.process_time()
    document = read(with_attachment(b"x", f"application/x; name={'a' * 2_000_000}"))
    assert len(document.text) < 3_000
    assert time.process_time() - started < 1


def test_messages_that_are_decoded_again_and_again_are_paid_for() -> None:
    data = message("x=" * 5_000)
    for _ in range(20):
        encoded = quopri.encodestring(data.replace(b"\r", b""))
        data = message(encoded, "message/rfc822", "Content-Transfer-Encoding: quoted-printable")
    assert code(data, limits=Limits(inflated_bytes=100_000)) == "inflated-too-large"


HEADERS = [b"Subject: x\n", b"To: a@b\n", b"Content-Transfer-Encoding: base64\n", b"Content-Disposition: attachment\n"]
TYPES = [
    b"text/html",
    b"text/plain; format=flowed",
    b"message/rfc822",
    b"image/png",
    b"text/calendar",
    b"text/enriched",
]
MULTIPARTS = [b"mixed", b"alternative", b"related", b"signed", b"digest", b"encrypted"]


@given(
    st.lists(
        st.sampled_from(
            [
                *HEADERS,
                b"\n",
                b"--b\n",
                b"--c\n",
                b"--b--\n",
                b"x\n",
                b"<p>y\n",
                b"aGk=\n",
                b"begin 644 a\n",
                b"#0V%T\n",
            ]
            + [b"Content-Type: " + name + b"\n" for name in TYPES]
            + [b"Content-Type: multipart/" + name + b"; boundary=b\n" for name in MULTIPARTS]
            + [b"Content-Type: multipart/alternative; boundary=c\n"]
        ),
        max_size=30,
    ),
    st.booleans(),
)
def test_any_message_is_read_or_refused(pieces: list[bytes], attachments: bool) -> None:
    try:
        document = read(b"".join(pieces), attachments=attachments)
    except (EncryptedDocument, MalformedDocument):
        return
    assert all(document.text[block.start : block.end].strip() for block in document.blocks)
    assert all(one.end <= two.start for one, two in pairwise(document.blocks))

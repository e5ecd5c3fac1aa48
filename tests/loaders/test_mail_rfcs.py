"""The examples of the standards of mail: RFC 5322, 2045, 2046, 2047, 2183, 3676. Those of 2231 and 2049 stand with their parts.

Long bodies are shortened; everything that is an example of something is as it stands there.
"""

from __future__ import annotations

import pytest

from fumehood.document import Document
from fumehood.loaders.shared.mime_transfer import decode
from fumehood.loaders.shared.mime_words import text_of
from tests.loaders.mail_writer import notices, read, texts
from tests.loaders.test_mail_text import said

HELLO = '\n\nThis is a message just to say hello.\nSo, "Hello".\n'


def mail(text: str) -> Document:
    return read(text.encode())


# ---- RFC 5322, appendix A ----------------------------------------------------------------------------------------


def test_a_message_between_two_people() -> None:
    """A.1.1."""
    document = mail(
        "From: John Doe <jdoe@machine.example>\nSender: Michael Jones <mjones@machine.example>\n"
        "To: Mary Smith <mary@example.net>\nSubject: Saying Hello\nDate: Fri, 21 Nov 1997 09:55:06 -0600\n"
        "Message-ID: <1234@local.machine.example>" + HELLO
    )
    assert texts(document) == [
        "# Saying Hello",
        "From: John Doe <jdoe@machine.example>\nTo: Mary Smith <mary@example.net>\nDate: Fri, 21 Nov 1997 09:55:06 -0600",
        'This is a message just to say hello.\nSo, "Hello".',
    ]
    assert dict(document.metadata) == {
        "author": "John Doe <jdoe@machine.example>",
        "x-to": "Mary Smith <mary@example.net>",
        "created": "1997-11-21T09:55:06-06:00",
        "x-message-id": "<1234@local.machine.example>",
    }


def test_different_mailboxes() -> None:
    """A.1.2."""
    document = mail(
        'From: "Joe Q. Public" <john.q.public@example.com>\n'
        "To: Mary Smith <mary@x.test>, jdoe@example.org, Who? <one@y.test>\n"
        'Cc: <boss@nil.test>, "Giant; \\"Big\\" Box" <sysservices@example.net>\n'
        "Date: Tue, 1 Jul 2003 10:52:37 +0200\nMessage-ID: <5678.21-Nov-1997@example.com>\n\nHi everyone.\n"
    )
    assert texts(document) == [
        "From: Joe Q. Public <john.q.public@example.com>\nTo: Mary Smith <mary@x.test>, jdoe@example.org, Who? <one@y.test>\n"
        'Cc: <boss@nil.test>, "Giant; \\"Big\\" Box" <sysservices@example.net>\nDate: Tue, 1 Jul 2003 10:52:37 +0200',
        "Hi everyone.",
    ]


def test_groups() -> None:
    """A.1.3."""
    document = mail(
        "From: Pete <pete@silly.example>\nTo: A Group:Ed Jones <c@a.test>,joe@where.test,John <jdoe@one.test>;\n"
        "Cc: Undisclosed recipients:;\nDate: Thu, 13 Feb 1969 23:32:54 -0330\n\nTesting.\n"
    )
    assert document.metadata["x-to"] == "A Group:Ed Jones <c@a.test>,joe@where.test,John <jdoe@one.test>;"
    assert document.metadata["x-cc"] == "Undisclosed recipients:;"
    assert document.metadata["created"] == "1969-02-13T23:32:54-03:30"


def test_a_reply_names_what_it_answers() -> None:
    """A.2."""
    document = mail(
        "From: Mary Smith <mary@example.net>\nTo: John Doe <jdoe@machine.example>\n"
        'Reply-To: "Mary Smith: Personal Account" <smith@home.example>\nSubject: Re: Saying Hello\n'
        "Date: Fri, 21 Nov 1997 10:01:10 -0600\nMessage-ID: <3456@example.net>\n"
        "In-Reply-To: <1234@local.machine.example>\nReferences: <1234@local.machine.example>\n\n"
        "This is a reply to your hello.\n"
    )
    assert document.title == "Re: Saying Hello"
    assert document.metadata["x-in-reply-to"] == "<1234@local.machine.example>"
    assert document.metadata["x-reply-to"] == '"Mary Smith: Personal Account" <smith@home.example>'


@pytest.mark.parametrize(
    "before",
    [
        # A.3, resent; A.4, trace fields.
        "Resent-From: Mary Smith <mary@example.net>\nResent-To: Jane Brown <j-brown@other.example>\n"
        "Resent-Date: Mon, 24 Nov 1997 14:22:01 -0800\nResent-Message-ID: <78910@example.net>\n",
        "Received: from x.y.test\n   by example.net\n   via TCP\n   with ESMTP\n   id ABC12345\n"
        "   for <mary@example.net>;  21 Nov 1997 10:05:43 -0600\n"
        "Received: from node.example by x.y.test; 21 Nov 1997 10:01:22 -0600\n",
    ],
)
def test_a_message_on_its_way_is_the_one_that_was_sent(before: str) -> None:
    document = mail(
        before + "From: John Doe <jdoe@machine.example>\nTo: Mary Smith <mary@example.net>\nSubject: Saying Hello\n"
        "Date: Fri, 21 Nov 1997 09:55:06 -0600" + HELLO
    )
    assert texts(document)[1] == (
        "From: John Doe <jdoe@machine.example>\nTo: Mary Smith <mary@example.net>\nDate: Fri, 21 Nov 1997 09:55:06 -0600"
    )


def test_white_space_and_comments() -> None:
    """A.5. Comments are words that somebody wrote: they stay."""
    document = mail(
        "From: Pete(A nice \\) chap) <pete(his account)@silly.test(his host)>\n"
        "To:A Group(Some people)\n     :Chris Jones <c@(Chris's host.)public.example>,\n         joe@example.org,\n"
        "  John <jdoe@one.test> (my dear friend); (the end of the group)\n"
        "Cc:(Empty list)(start)Hidden recipients  :(nobody(that I know))  ;\n"
        "Date: Thu,\n      13\n        Feb\n          1969\n      23:32\n               -0330 (Newfoundland Time)\n"
        "Message-ID:              <testabcd.1234@silly.test>\n\nTesting.\n"
    )
    assert document.metadata["x-to"] == (
        "A Group(Some people) :Chris Jones <c@(Chris's host.)public.example>, joe@example.org, "
        "John <jdoe@one.test> (my dear friend); (the end of the group)"
    )
    assert document.metadata["created"] == "1969-02-13T23:32:00-03:30"
    assert document.metadata["x-message-id"] == "<testabcd.1234@silly.test>"


def test_obsolete_forms() -> None:
    """A.6.1 and A.6.2."""
    document = mail(
        "From: Joe Q. Public <john.q.public@example.com>\n"
        "To: Mary Smith <@node.test:mary@example.net>, , jdoe@test  . example\nDate: 21 Nov 97 09:55:06 GMT\n\nHi everyone.\n"
    )
    assert document.metadata["x-to"] == "Mary Smith <@node.test:mary@example.net>, , jdoe@test . example"
    assert document.metadata["created"] == "1997-11-21T09:55:06Z"


def test_obsolete_white_space() -> None:
    """A.6.3: the first line is a field, not one that parts the messages of a mailbox."""
    text = (
        "From  : John Doe <jdoe@machine(comment).  example>\nTo    : Mary Smith\n  \n          <mary@example.net>\n"
        "Subject     : Saying Hello\nDate  : Fri, 21 Nov 1997 09(comment):   55  :  06 -0600\n"
        "Message-ID  : <1234   @   local(blah)  .machine .example>" + HELLO
    )
    for document in (mail(text), read(text.encode(), "mbox")):
        assert texts(document)[1] == (
            "From: John Doe <jdoe@machine(comment). example>\nTo: Mary Smith <mary@example.net>\n"
            "Date: Fri, 21 Nov 1997 09(comment): 55 : 06 -0600"
        )
    assert mail(text).metadata["created"] == "1997-11-21T09:55:06-06:00"


# ---- RFC 2045 and 2046 -------------------------------------------------------------------------------------------


def test_soft_line_breaks() -> None:
    """RFC 2045, 6.7."""
    encoded = b"Now's the time =\nfor all folk to come=\n to the aid of their country."
    wanted = b"Now's the time for all folk to come to the aid of their country."
    assert decode(encoded, "quoted-printable").data == wanted


@pytest.mark.parametrize(
    "content",
    ["text/plain; charset=us-ascii (Plain text)", 'text/plain; charset="us-ascii"', "TEXT/plain;CHARSET=US-ASCII"],
)
def test_content_types_that_mean_the_same(content: str) -> None:
    """RFC 2045, 5.1."""
    assert texts(mail(f"MIME-Version: 1.0 (produced by MetaSend Vx.x)\nContent-type: {content}\n\nHello\n")) == [
        "Hello"
    ]


@pytest.mark.parametrize("boundary", ['"gc0pJq0M:08jU534c0p"', "gc0pJq0M:08jU534c0p"])
def test_a_boundary_that_has_to_be_quoted_and_is_not(boundary: str) -> None:
    """RFC 2046, 5.1.1: the second form is invalid, and means what it says."""
    assert texts(mail(f"Content-Type: multipart/mixed; boundary={boundary}\n\n--gc0pJq0M:08jU534c0p\n\nx\n")) == ["x"]


def test_parts_that_end_with_a_line_end_or_without() -> None:
    """RFC 2046, 5.1.1."""
    document = mail(
        "From: Nathaniel Borenstein <nsb@bellcore.com>\nTo: Ned Freed <ned@innosoft.com>\n"
        "Date: Sun, 21 Mar 1993 23:56:48 -0800 (PST)\nSubject: Sample message\nMIME-Version: 1.0\n"
        'Content-type: multipart/mixed; boundary="simple boundary"\n\n'
        "This is the preamble.  It is to be ignored, though it\nis a handy place for composition agents to include an\n"
        "explanatory note to non-MIME conformant readers.\n\n--simple boundary\n\n"
        "This is implicitly typed plain US-ASCII text.\nIt does NOT end with a linebreak.\n--simple boundary\n"
        "Content-type: text/plain; charset=us-ascii\n\nThis is explicitly typed plain US-ASCII text.\n"
        "It DOES end with a linebreak.\n\n--simple boundary--\n\nThis is the epilogue.  It is also to be ignored.\n"
    )
    assert texts(document)[2:] == [
        "This is implicitly typed plain US-ASCII text.\nIt does NOT end with a linebreak.",
        "This is explicitly typed plain US-ASCII text.\nIt DOES end with a linebreak.",
    ]
    before, behind = texts(document, visible=False)
    assert before.startswith("This is the preamble.")
    assert behind == "This is the epilogue.  It is also to be ignored."


def test_formatted_text_mail() -> None:
    """RFC 2046, 5.1.4: the richest form that can be shown; the richest of all is attached."""
    document = mail(
        "Subject: Formatted text mail\nContent-Type: multipart/alternative; boundary=boundary42\n\n--boundary42\n"
        "Content-Type: text/plain; charset=us-ascii\n\n  ... plain text version of message goes here ...\n\n"
        "--boundary42\nContent-Type: text/enriched\n\n  ... RFC 1896 text/enriched version of same message\n"
        "      goes here ...\n\n--boundary42\nContent-Type: application/x-whatever\n\n"
        "  ... fanciest version of same message goes here ...\n\n--boundary42--\n"
    )
    assert [text.split()[1] for text in texts(document)[1:]] == ["RFC", "application/x-whatever,"]
    assert texts(document, visible=False) == ["... plain text version of message goes here ..."]


def test_an_internet_digest() -> None:
    """RFC 2046, 5.1.5: neither multipart is closed as it should be."""
    document = mail(
        "From: Moderator-Address\nTo: Recipient-List\nDate: Mon, 22 Mar 1994 13:34:51 +0000\n"
        "Subject: Internet Digest, volume 42\nMIME-Version: 1.0\n"
        'Content-Type: multipart/mixed;\n              boundary="---- main boundary ----"\n\n'
        "------ main boundary ----\n\n  ...Introductory text or table of contents...\n\n------ main boundary ----\n"
        'Content-Type: multipart/digest;\n              boundary="---- next message ----"\n\n------ next message ----\n\n'
        "From: someone-else\nDate: Fri, 26 Mar 1993 11:13:32 +0200\nSubject: my opinion\n\n  ...body goes here ...\n\n"
        "------ next message ----\n\nFrom: someone-else-again\nDate: Fri, 26 Mar 1993 10:07:13 -0500\n"
        "Subject: my different opinion\n\n  ... another body goes here ...\n\n------ next message ------\n\n"
        "------ main boundary ------\n"
    )
    assert texts(document)[2:] == [
        "...Introductory text or table of contents...",
        "## my opinion",
        "From: someone-else\nDate: Fri, 26 Mar 1993 11:13:32 +0200",
        "...body goes here ...",
        "## my different opinion",
        "From: someone-else-again\nDate: Fri, 26 Mar 1993 10:07:13 -0500",
        "... another body goes here ...",
    ]
    assert [block.locator.path for block in document.blocks if block.locator][-1] == "2.2.1"


def test_a_part_of_a_message() -> None:
    """RFC 2046, 5.2.2.1: it is not put together with what is in another mail, and nothing in it is lost."""
    document = mail(
        "From: Bill@host.com\nSubject: Audio mail (part 1 of 2)\nMIME-Version: 1.0\n"
        'Content-type: message/partial; id="ABC@host.com";\n              number=1; total=2\n\n'
        "X-Weird-Header-1: Bar\nMessage-ID: <anotherid@foo.com>\nContent-type: audio/basic\n"
        "Content-transfer-encoding: base64\n\n  ... first half of encoded audio data goes here ...\n"
    )
    assert texts(document)[-1] == "... first half of encoded audio data goes here ..."


def test_what_lies_elsewhere() -> None:
    """RFC 2046, 5.2.3.7: one of them lacks a semicolon, as it does there."""
    inner = "\nContent-type: application/postscript\nContent-ID: <id42@guppylake.bellcore.com>\n\n"
    document = mail(
        "Subject: whatever\nDate: Whenever\nContent-Type: multipart/alternative; boundary=42\n\n"
        '--42\nContent-Type: message/external-body; name="BodyFormats.ps";\n'
        '              site="thumper.bellcore.com"; mode="image";\n              access-type=ANON-FTP; directory="pub";\n'
        f'              expiration="Fri, 14 Jun 1991 19:13:14 -0400 (EDT)"\n{inner}'
        "--42\nContent-Type: message/external-body; access-type=local-file;\n"
        f'              name="/u/nsb/writing/rfcs/RFC-MIME.ps";\n              site="thumper.bellcore.com"\n{inner}'
        "--42\nContent-Type: message/external-body;\n              access-type=mail-server\n"
        f'              server="listserv@bogus.bitnet"\n{inner}get RFC-MIME.DOC\n--42--\n'
    )
    assert notices(document) == [("external-target", number, None) for number in "123"]
    assert "created" not in document.metadata


# ---- RFC 2047, 2183, 3676, 6533 ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        (b"=?ISO-8859-1?Q?Patrik_F=E4ltstr=F6m?= <paf@nada.kth.se>", "Patrik Fältström <paf@nada.kth.se>"),
        (b"Dave Crocker <dcrocker@mordor.stanford.edu>", "Dave Crocker <dcrocker@mordor.stanford.edu>"),
        (b"Re: RFC-HDR care and feeding", "Re: RFC-HDR care and feeding"),
    ],
)
def test_names_of_authors(raw: bytes, wanted: str) -> None:
    """RFC 2047, 8; the others of its examples are in test_mime_words.py."""
    assert text_of(raw) == wanted


def test_a_picture_with_a_name() -> None:
    """RFC 2183, 2.10."""
    document = mail(
        "Content-Type: image/jpeg\nContent-Disposition: attachment; filename=genome.jpeg;\n"
        '  modification-date="Wed, 12 Feb 1997 16:29:51 -0500";\n'
        "Content-Description: a complete map of the human genome\n\n<jpeg data>\n"
    )
    assert texts(document) == ["- genome.jpeg (image/jpeg, 12 bytes)"]


def test_parts_in_place_and_attached() -> None:
    """RFC 2183, 3: the text within the attached multipart is one to be shown."""
    document = mail(
        "Content-Type: multipart/mixed; boundary=outer\nContent-Description: multipart-1\n\n--outer\n"
        "Content-Type: text/plain\nContent-Disposition: inline\nContent-Description: text-part-1\n\nSome text goes here\n\n"
        "--outer\nContent-Type: multipart/mixed; boundary=inner\nContent-Disposition: attachment\n"
        "Content-Description: multipart-2\n\n--inner\nContent-Type: text/plain\nContent-Disposition: inline\n"
        "Content-Description: text-part-2\n\nSome more text here.\n\n--inner\nContent-Type: image/jpeg\n"
        "Content-Disposition: attachment\nContent-Description: jpeg-1\n\n<jpeg data>\n--inner--\n--outer--\n"
    )
    assert texts(document) == ["Some text goes here", "Some more text here.", "- image/jpeg, 11 bytes"]
    assert notices(document) == [("attachment-not-read", "2.2", "jpeg")]


def test_a_tea_party_that_flows() -> None:
    """RFC 3676, 4.8."""
    text = (
        "`Take some more tea,' the March Hare said to Alice, very \nearnestly.\n\n"
        "`I've had nothing yet,' Alice replied in an offended tone, `so \nI can't take more.'\n\n"
        "`You mean you can't take LESS,' said the Hatter: `it's very \neasy to take MORE than nothing.'\n"
    )
    assert [piece for _, piece, _, _ in said(text, format="flowed")] == [
        "`Take some more tea,' the March Hare said to Alice, very earnestly.",
        "`I've had nothing yet,' Alice replied in an offended tone, `so I can't take more.'",
        "`You mean you can't take LESS,' said the Hatter: `it's very easy to take MORE than nothing.'",
    ]
    quoted = (
        ">>>Take some more tea.\n>>I've had nothing yet, so I can't take more.\n"
        ">You mean you can't take LESS, it's very easy to take \n>MORE than nothing.\n"
    )
    assert [piece for _, piece, _, _ in said(quoted, format="flowed")] == [
        "> \\> > Take some more tea.",
        "> \\> I've had nothing yet, so I can't take more.",
        "> You mean you can't take LESS, it's very easy to take MORE than nothing.",
    ]


def test_quotes_of_increasing_depth() -> None:
    """RFC 3676, 4.5: a line that flows into one of another depth ends there all the same."""
    text = (
        "> Thou villainous ill-breeding spongy dizzy-eyed \n> reeky elf-skinned pigeon-egg! \n"
        ">> Thou artless swag-bellied milk-livered \n>> dismal-dreaming idle-headed scut!\n>>>>>> Any complaints?\n"
    )
    assert [piece for _, piece, _, _ in said(text, format="flowed")] == [
        "> Thou villainous ill-breeding spongy dizzy-eyed reeky elf-skinned pigeon-egg!",
        "> \\> Thou artless swag-bellied milk-livered dismal-dreaming idle-headed scut!",
        "> \\> > > > > Any complaints?",
    ]


def test_reports_and_headers_of_messages_in_utf8_are_text() -> None:
    """The types of RFC 6533, and the message type of RFC 6532, 3.7."""
    document = mail(
        "Content-Type: multipart/report; report-type=delivery-status; boundary=x\n\n--x\n\nIt failed.\n"
        "--x\nContent-Type: message/global-delivery-status\n\nReporting-MTA: dns; x\n\nFinal-Recipient: utf-8; jörg@x\n"
        "--x\nContent-Type: message/global-headers\n\nSubject: Größe\n"
        "--x\nContent-Type: message/global\n\nFrom: Jörg <jörg@bücher.example>\nSubject: 日本\n\nÜber\n--x--\n"
    )
    assert texts(document) == [
        "It failed.",
        "Reporting-MTA: dns; x",
        "Final-Recipient: utf-8; jörg@x",
        "Subject: Größe",
        "## 日本",
        "From: Jörg <jörg@bücher.example>",
        "Über",
    ]

"""Mutators give the same bytes for the same seed, and the structured ones close what they opened."""

from __future__ import annotations

import contextlib
import email
import io
import itertools
import json
import re
import zipfile
import zlib
from pathlib import Path
from random import Random

import pytest

from fumehood.fuzz import mail_files, mutators, ooxml, pdf_files, reply_mutators, seeds, text_mutators
from fumehood.fuzz.bomb import READ
from fumehood.fuzz.byte_mutators import BYTES, MOST_BYTES, Mutator, splice
from fumehood.fuzz.mutators import mutated, mutations
from fumehood.fuzz.targets import TARGETS
from fumehood.sandbox import frames

KINDS = [
    "csv",
    "docx",
    "eml",
    "html",
    "json",
    "markdown",
    "odp",
    "ods",
    "odt",
    "pdf",
    "mbox",
    "text",
    "xml",
    "zip",
    None,
]


@pytest.mark.parametrize("mutator", BYTES, ids=lambda mutator: mutator.__name__)
@pytest.mark.parametrize("data", [b"ab", b"12 abc 345", bytes(range(256))], ids=["two", "digits", "all"])
def test_byte_mutators_are_deterministic_and_change_something(mutator: Mutator, data: bytes) -> None:
    made = [mutator(data, Random(seed)) for seed in range(20)]
    assert made == [mutator(data, Random(seed)) for seed in range(20)]
    assert any(each != data for each in made)


@pytest.mark.parametrize("kind", KINDS)
def test_mutations_are_the_same_for_the_same_seed(kind: str | None) -> None:
    own = seeds.for_target(kind or "auto", kind)
    first, second, other = (list(itertools.islice(mutations(own, seed, kind), 50)) for seed in (1, 1, 2))
    assert first == second != other
    assert len(set(first)) > 25


def test_nothing_grows_without_bound() -> None:
    rng, data = Random(3), b"[1,2,3]" * 1_000
    for _ in range(200):
        data = mutated(data, rng, "json")
        assert len(data) <= MOST_BYTES


def test_splice_takes_a_beginning_and_an_end() -> None:
    made = splice(b"aaaa", b"bbbb", Random(4))
    assert re.fullmatch(rb"a*b*", made)


def test_archives_are_closed_right() -> None:
    changed = 0
    for seed in range(60):
        made = mutators.zip_part(ooxml.docx(), Random(seed))
        with zipfile.ZipFile(io.BytesIO(made)) as opened:
            assert opened.testzip() is None
            changed += opened.namelist() != ["[Content_Types].xml", "_rels/.rels", "word/document.xml"]
            bodies = [opened.read(info) for info in opened.infolist()]
        changed += ooxml.HELLO not in bodies
    assert changed > 10


def test_what_is_no_archive_is_mutated_all_the_same() -> None:
    assert mutators.zip_part(b"PK\x03\x04 and no more", Random(1)) != b"PK\x03\x04 and no more"


def test_pdf_streams_stay_streams() -> None:
    """Inflated, changed, deflated again, with the right length before them."""
    content = b"/Filter/FlateDecode"
    seed_file = pdf_files.pdf(pdf_files.one_page(pdf_files.stream(zlib.compress(pdf_files.SHOW), content)))
    inflated = set()
    for seed in range(40):
        made = mutators.pdf_stream(seed_file, Random(seed))
        match = re.search(rb"<</Length (\d+)/Filter/FlateDecode>>\nstream\n", made)
        assert match is not None
        inflated.add(zlib.decompress(made[match.end() : match.end() + int(match[1])]))
    assert len(inflated) > 20


def test_what_is_attached_is_packed_again() -> None:
    """Changed by its own structure: an archive is one still, wherever not the lines of the mail were changed."""
    mail = mail_files.eml(mail_files.encoded(ooxml.docx(), b"application/octet-stream; name=a.docx"))
    inner = set()
    for seed in range(80):
        made = email.message_from_bytes(mutators.mail_part(mail, Random(seed)))
        attached = made.get_payload(decode=True) if not made.is_multipart() else None
        if isinstance(attached, bytes) and attached != ooxml.docx():
            with contextlib.suppress(Exception), zipfile.ZipFile(io.BytesIO(attached)) as opened:
                inner.update([attached] * (opened.testzip() is None))
    assert len(inner) > 10


def test_mails_are_put_into_mails() -> None:
    mail = mail_files.eml(mail_files.message(b"One."))
    made = [email.message_from_bytes(mutators.mail_part(mail, Random(seed))) for seed in range(80)]
    assert any(each.is_multipart() for each in made)
    assert any(each.get_filename() == "a.eml" and each.get_payload(decode=True) == mail for each in made)


def test_json_stays_json() -> None:
    """All but what would hold itself."""
    read = 0
    for seed in range(100):
        with contextlib.suppress(ValueError):
            json.loads(text_mutators.json_value(b'{"a": [1, {"b": null}], "c": "d"}', Random(seed)))
            read += 1
    assert read > 80
    assert {text_mutators.json_value(b"{", Random(seed)) for seed in range(20)} != {b"{"}


def test_frames_keep_their_lengths() -> None:
    read = 0
    for seed in range(100):
        made = reply_mutators.reply_frame(seeds.own("reply")[0], Random(seed))
        read += TARGETS["reply"](made) == READ
        rest = made[1:]
        while rest:
            size, _kind = frames.HEADER.unpack_from(rest)
            assert len(rest) >= frames.HEADER.size + size
            rest = rest[frames.HEADER.size + size :]
    assert 0 < read < 100


PACKED = b"Content-Transfer-Encoding: base64\n\nYWJj=Z\nYQ\n"


def test_structured_mutators_take_whatever_there_is() -> None:
    for mutator in (
        text_mutators.json_token,
        text_mutators.csv_token,
        text_mutators.markdown_line,
        mutators.pdf_token,
        text_mutators.xml_token,
        mutators.pdf_stream,
        mutators.mail_part,
        reply_mutators.reply_frame,
    ):
        for data in (b"", b"\0", b"\xff" * 50, b"\n\n", b"((", b'"', b"<<>>stream\nx", PACKED):
            for seed in range(20):
                assert isinstance(mutator(data, Random(seed)), bytes)


def test_seeds_of_a_folder_are_small_and_in_order(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "two").write_bytes(b"2")
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "c").write_bytes(b"3" * 100)
    (tmp_path / "d").write_bytes(b"")
    assert seeds.of_folder(tmp_path, most_bytes=10) == [b"1", b"2"]


def test_every_target_has_seeds() -> None:
    assert seeds.for_target("auto", None)
    assert seeds.for_target("load:obedient", "obedient")
    assert all(seeds.for_target(name, name) for name in ("docx", "pdf", "reply", "zip", "xml"))

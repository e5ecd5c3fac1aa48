"""What an OpenDocument file is, before anything of it is read."""

from __future__ import annotations

import pytest

from fumehood.fuzz.archives import archive, entry
from fumehood.fuzz.odf_files import MEDIA_TYPE, content, flat, manifest, odf, para
from fumehood.loaders.shared.odf_package import object_path
from tests.loaders.odf_reader import refused

ENCRYPTED = '<manifest:file-entry manifest:full-path="{}"><manifest:encryption-data manifest:checksum="x"/></manifest:file-entry>'


@pytest.mark.parametrize("part", ["content.xml", "styles.xml", "encrypted-package"])
def test_an_encrypted_document_is_said_to_be(part: str) -> None:
    data = odf(
        "odt",
        para("a"),
        parts={"META-INF/manifest.xml": manifest("odt", ENCRYPTED.format(part)), "content.xml": b"\x93\x01\xff"},
    )
    assert refused("odt", data) == "encrypted"


def test_a_picture_that_is_encrypted_is_none_of_the_texts() -> None:
    data = odf("odt", para("a"), parts={"META-INF/manifest.xml": manifest("odt", ENCRYPTED.format("Pictures/a.png"))})
    assert refused("odt", data) == "read"


@pytest.mark.parametrize("suffix", ["", "-template", "-web", "-master", "\r\n"])
def test_templates_and_the_like_are_of_the_same_kind(suffix: str) -> None:
    assert refused("odt", odf("odt", para("a"), parts={"mimetype": f"{MEDIA_TYPE}text{suffix}"})) == "read"


def test_what_says_nothing_of_itself_is_known_by_its_content() -> None:
    bare = archive([entry("content.xml", content("odt", para("a")).encode())])
    assert refused("odt", bare) == "read"
    assert refused("ods", bare) == "kind-mismatch"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "malformed"),
        (b"  \n", "malformed"),
        (b"This is no document.", "kind-mismatch"),
        (b"<html><body>a</body></html>", "kind-mismatch"),
        (b"<html><body>a", "malformed"),
        (odf("odt", para("a"))[:-40], "malformed"),
        (archive([entry("word/document.xml", b"<a/>")]), "kind-mismatch"),
        (archive([entry("mimetype", f"{MEDIA_TYPE}text".encode(), stored=True)]), "malformed"),
        (odf("odt", para("a"), parts={"mimetype": f"{MEDIA_TYPE}graphics"}), "kind-mismatch"),
        (flat("ods", ""), "kind-mismatch"),
    ],
)
def test_what_is_no_text_document(data: bytes, code: str) -> None:
    assert refused("odt", data) == code


@pytest.mark.parametrize(
    ("href", "path"),
    [
        ("./Object 1", "Object 1"),
        ("Object 1/", "Object 1"),
        ("./a/b#c", "a/b"),
        ("", None),
        ("#a", None),
        ("../a", None),
        ("a/../../b", None),
        ("/etc/passwd", None),
        ("http://a.example/x", None),
        ("file:///a", None),
    ],
)
def test_objects_are_in_the_package_or_nowhere(href: str, path: str | None) -> None:
    assert object_path(href) == path

"""Packages: parts, content types and relationships, as the standard says and as producers write them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fumehood.document import Locator, Notice
from fumehood.errors import Refusal
from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.limits.zip import BadEntry
from fumehood.loaders.shared.builder import Builder
from fumehood.loaders.shared.opc import Package, Relationship, first_of_type, resolved
from tests.loaders.docx_writer import RELATIONSHIPS, archive, content_types, relationship, relationships


def opened(parts: Mapping[str, str | bytes], **limits: int) -> tuple[Package, Builder]:
    budget = Budget(Limits(**limits))
    out = Builder(budget)
    return Package(archive({"[Content_Types].xml": content_types({}), **parts}), out, budget), out


def arrows_of(*arrows: str, source: str = "word/document.xml", **parts: str) -> tuple[dict[str, Relationship], Builder]:
    folder, _, name = source.rpartition("/")
    package, out = opened({source: "<a/>", f"{folder}/_rels/{name}.rels": relationships(*arrows), **parts})
    return package.relationships(source), out


@pytest.mark.parametrize(
    ("target", "folder", "part"),
    [
        ("styles.xml", "word", "word/styles.xml"),
        ("/word/styles.xml", "word", "word/styles.xml"),
        ("./media/image1.png", "word", "word/media/image1.png"),
        ("../customXml/item1.xml", "word", "customXml/item1.xml"),
        ("../../../../etc/passwd", "word", "etc/passwd"),
        ("my%20part.xml", "word", "word/my part.xml"),
        ("media\\image1.png", "word", "word/media/image1.png"),
        ("styles.xml#here", "word", "word/styles.xml"),
        ("#_top", "word", "#_top"),
        ("word/document.xml", "", "word/document.xml"),
    ],
)
def test_internal_targets(target: str, folder: str, part: str) -> None:
    assert resolved(target, folder) == part


@given(st.text(max_size=40), st.sampled_from(["", "word", "a/b"]))
def test_no_target_leaves_the_package(target: str, folder: str) -> None:
    part = resolved(target, folder)
    assert not part.startswith("/") or ":" in part
    assert ".." not in part.split("/") or ":" in part or part.startswith("#")


@pytest.mark.parametrize(
    ("uri", "short"),
    [
        (f"{RELATIONSHIPS}/styles", "styles"),
        ("http://purl.oclc.org/ooxml/officeDocument/relationships/styles", "styles"),
        (f"{RELATIONSHIPS}/extended-properties", "extended-properties"),
        ("http://purl.oclc.org/ooxml/officeDocument/relationships/extendedProperties", "extended-properties"),
        (
            "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties",
            "core-properties",
        ),
        ("http://schemas.microsoft.com/office/2006/relationships/vbaProject", "vbaProject"),
        ("urn:mine", "urn:mine"),
    ],
)
def test_types_are_the_same_in_every_class_of_conformance(uri: str, short: str) -> None:
    arrows, _ = arrows_of(relationship("a", uri, "#x"))
    assert arrows["a"].type == short


def test_missing_null_and_external_targets_survive_with_a_notice() -> None:
    arrows, out = arrows_of(
        relationship("gone", "image", "media/none.png"),
        relationship("again", "image", "media/NONE.png"),
        relationship("null", "image", "NULL"),
        relationship("there", "styles", "styles.xml"),
        relationship("place", "hyperlink", "#_top"),
        relationship("link", "hyperlink", "https://a.example/", external=True),
        relationship("template", "attachedTemplate", "file:///c:/t.dotm", external=True),
        relationship("unmarked", "image", "http://a.example/x.png"),
        **{"word/styles.xml": "<a/>"},
    )
    assert arrows["there"] == Relationship("there", "styles", "word/styles.xml", False)
    assert arrows["place"].target == "#_top"
    assert not arrows["place"].is_part
    assert arrows["link"].external
    assert arrows["unmarked"].external
    assert out.notices == [
        Notice("part-missing", Locator(part="word/media/none.png")),
        Notice("part-missing", Locator(part="word/NULL")),
        Notice("external-target"),
        Notice("external-target"),
    ]


def test_a_part_without_relationships_has_none() -> None:
    package, out = opened({"a.xml": "<a/>"})
    assert package.relationships("a.xml") == {}
    assert out.notices == []


def test_broken_relationships_give_those_before_the_break() -> None:
    broken = relationships(relationship("a", "styles", "#x"), relationship("b", "styles", "#y"))[:-30]
    package, out = opened({"_rels/.rels": broken})
    assert list(package.relationships()) == ["a"]
    assert [notice.code for notice in out.notices] == ["part-unreadable"]


def test_the_first_of_an_identifier_counts() -> None:
    arrows, _ = arrows_of(relationship("a", "styles", "#x"), relationship("a", "styles", "#y"))
    assert arrows["a"].target == "#x"


def test_the_first_part_of_a_type() -> None:
    arrows, _ = arrows_of(
        relationship("a", "styles", "http://a.example/", external=True), relationship("b", "styles", "s.xml")
    )
    found = first_of_type(arrows, "styles")
    assert found is not None
    assert found.id == "b"
    assert first_of_type(arrows, "numbering") is None


def test_names_are_the_same_in_any_case() -> None:
    package, _ = opened({"Word/Document.XML": "<a/>"})
    assert package.has("word/document.xml")
    assert package.read("WORD/document.xml") == b"<a/>"


def test_content_types_by_name_and_by_extension() -> None:
    types = content_types({"word/Document.xml": "Application/Main+XML"})
    package, _ = opened({"[Content_Types].xml": types, "a.xml": "<a/>"})
    assert package.content_type("WORD/document.xml") == "application/main+xml"
    assert package.content_type("a.XML") == "application/xml"
    assert package.content_type("a.png") == ""


def test_a_package_without_content_types_opens() -> None:
    budget = Budget(Limits())
    out = Builder(budget)
    package = Package(archive({"a.xml": "<a/>"}), out, budget)
    assert package.content_type("a.xml") == ""
    assert list(package.parts()) == ["a.xml"]
    assert out.notices == [Notice("part-missing", Locator(part="[Content_Types].xml"))]


def test_a_part_that_cannot_be_read_is_said() -> None:
    data = bytearray(archive({"[Content_Types].xml": content_types({}), "a.xml": b"<a>" + b"x" * 100 + b"</a>"}))
    at = data.find(b"a.xml") + len(b"a.xml")
    data[at + 2] ^= 0xFF
    budget = Budget(Limits())
    out = Builder(budget)
    package = Package(bytes(data), out, budget)
    assert package.read_if_there("a.xml") is None
    assert package.read_if_there("b.xml") is None
    assert out.notices == [
        Notice("part-unreadable", Locator(part="a.xml")),
        Notice("part-missing", Locator(part="b.xml")),
    ]
    with pytest.raises(BadEntry):
        package.read("b.xml")


def test_relationships_are_counted() -> None:
    package, _ = opened(
        {"_rels/.rels": relationships(*[relationship(f"r{at}", "styles", "#x") for at in range(50)])}, nodes=100
    )
    with pytest.raises(Refusal) as caught:
        package.relationships()
    assert caught.value.code == "nodes"

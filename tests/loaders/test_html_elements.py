"""Elements that show a part of what they hold: lists of choices, media, parts of images."""

from __future__ import annotations

import pytest

from fumehood import kinds
from fumehood.document import Document
from fumehood.fuzz.html_files import page
from fumehood.sandbox.loading import read_in_process

HTML = kinds.get("html")


def read(body: str) -> Document:
    return read_in_process(HTML, page(body))


def hidden(document: Document) -> list[str]:
    return [document.text[block.start : block.end] for block in document.blocks if not block.visible]


# What a browser shows of it before anybody has clicked (WHATWG HTML, 4.10.7).
@pytest.mark.parametrize(
    ("body", "seen", "unseen"),
    [
        ("<select><option>one<option>two<option>three</select>", "one", ["two\nthree"]),
        ("<select><option>one<option selected>two<option>three</select>", "two", ["one\nthree"]),
        ("<select><option selected>one<option selected>two</select>", "two", ["one"]),
        ("<select><option disabled>choose<option>one</select>", "one", ["choose"]),
        ("<select><option disabled selected>choose<option>one</select>", "choose", ["one"]),
        (
            "<select><optgroup label=A disabled><option>a</optgroup><optgroup label=B><option>b</select>",
            "b",
            ["A\na\nB"],
        ),
        ("<select><option>a<optgroup label=B><option selected>b</select>", "b", ["a\nB"]),
        ("<select><option label=shown>written</select>", "shown", ["written"]),
        ("<select multiple><option>one<option selected>two</select>", "one\ntwo", []),
        ("<select size=2><optgroup label=G><option>one<option>two</select>", "G\none\ntwo", []),
        ("<select size=1><option>one<option>two</select>", "one", ["two"]),
        ("<select size=many><option>one<option>two</select>", "one", ["two"]),
        ("<select hidden><option>one<option>two</select>", "", ["one\ntwo"]),
        ("<select></select>x", "x", []),
        ("<p>Size <select><option>S<option>M</select> please", "Size\n\nS\n\nplease", ["M"]),
        ("<select><option>a<option>b</select><select><option>c<option>d</select>", "a\n\nc", ["b", "d"]),
    ],
)
def test_a_closed_list_shows_one_of_its_options(body: str, seen: str, unseen: list[str]) -> None:
    document = read(body)
    assert document.visible_text == seen
    assert hidden(document) == unseen


def test_an_option_of_no_list_is_seen() -> None:
    assert read("<option>a</option><optgroup label=b></optgroup>").visible_text == "a\n\nb"


@pytest.mark.parametrize("name", ["audio", "video", "canvas", "meter", "progress"])
def test_what_is_for_browsers_that_do_not_know_an_element_is_not_seen(name: str) -> None:
    document = read(f"<p>a <{name} src=x>no <b>such</b> thing</{name}> b")
    assert document.visible_text == "a b"
    assert hidden(document) == ["no such thing"]


def test_media_are_said() -> None:
    codes = {notice.code: notice.detail for notice in read("<video src=v></video><audio src=a></audio>").notices}
    assert codes["object-not-read"] == 2


def test_links_on_parts_of_an_image_have_their_text() -> None:
    document = read("<map><area alt='The north' href='https://a.example/n'><area alt=South href='#s'><area></map>")
    assert document.text == "The north South"
    assert [link.target for link in document.links] == ["https://a.example/n", "#s"]

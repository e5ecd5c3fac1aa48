"""No text becomes markup."""

from __future__ import annotations

import html.parser

from hypothesis import given
from hypothesis import strategies as st

from fumehood.ingest.markup import Markup, element, escaped, isolated, join


class Reading(html.parser.HTMLParser):
    """The tags, attributes and text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.values: list[str | None] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.values += [value for _, value in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"])))
def test_text_stays_text_wherever_it_is_put(text: str) -> None:
    page = Reading(element("p", text, class_=text))
    assert page.tags == ["p"]
    assert page.values == [text]
    assert page.text == text


def test_markup_is_not_escaped_twice() -> None:
    inner = element("b", "a & b")
    assert escaped(inner) is inner
    assert element("p", inner, "<") == "<p><b>a &amp; b</b>&lt;</p>"
    assert join(("<", Markup("<br>"))) == "&lt;<br>"


def test_attributes_have_the_names_of_html_and_svg() -> None:
    assert element("text", x="1", text_anchor="end", class_="a", viewBox="0") == (
        '<text x="1" text-anchor="end" class="a" viewBox="0"></text>'
    )
    assert element("meta", charset="utf-8") == '<meta charset="utf-8">'


def test_names_are_isolated_and_their_overrides_are_shown() -> None:
    assert isolated("a\u202efdp.exe") == r"<bdi>a\u202efdp.exe</bdi>"
    assert isolated("\u0627<") == "<bdi>\u0627&lt;</bdi>"

"""References in text that no parser has seen."""

from __future__ import annotations

import pytest
from lxml import etree

from fumehood.loaders.shared.xml_references import Unusual, resolved


@pytest.mark.parametrize("text", ["plain", "a &amp;lt; b", "&lt;&gt;&quot;&apos;", "&#65;&#x1F600;&#xe9;", ""])
def test_references_are_what_a_parser_makes_of_them(text: str) -> None:
    assert resolved(text) == (etree.fromstring(f"<a>{text}</a>").text or "")


@pytest.mark.parametrize("text", ["&", "a & b", "&unknown;", "&#0;", "&#x110000;", "&#12345678;", "&amp"])
def test_what_names_no_character_is_for_a_parser(text: str) -> None:
    with pytest.raises(Unusual):
        resolved(text)

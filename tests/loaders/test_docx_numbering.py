"""Numbers in front of paragraphs: forms, restarts, overrides."""

from __future__ import annotations

import pytest

from fumehood.limits.budget import Budget
from fumehood.limits.policy import Limits
from fumehood.loaders.shared.docx_numbering import Numbering
from tests.loaders.docx_writer import lvl, root


def numbering(content: str) -> Numbering:
    found = Numbering()
    found.read(root("numbering", content).encode(), Budget(Limits()))
    return found


def abstract(identifier: int, *levels: str) -> str:
    return f'<w:abstractNum w:abstractNumId="{identifier}">{"".join(levels)}</w:abstractNum>'


def num(identifier: int, of: int, content: str = "") -> str:
    return f'<w:num w:numId="{identifier}"><w:abstractNumId w:val="{of}"/>{content}</w:num>'


def override(at: int, content: str) -> str:
    return f'<w:lvlOverride w:ilvl="{at}">{content}</w:lvlOverride>'


def labels(found: Numbering, *wanted: tuple[int, int]) -> list[str | None]:
    shown = [found.label(str(num_id), level, lambda style: None) for num_id, level in wanted]
    return [None if label is None else label.text for label in shown]


OUTLINE = abstract(0, lvl(0, "decimal", "%1."), lvl(1, "decimal", "%1.%2."), lvl(2, "lowerRoman", "(%3)"))


def test_levels_count_and_start_again_below() -> None:
    found = numbering(OUTLINE + num(1, 0))
    assert labels(found, (1, 0), (1, 1), (1, 1), (1, 2), (1, 0), (1, 1), (1, 2)) == [
        "1.",
        "1.1.",
        "1.2.",
        "(i)",
        "2.",
        "2.1.",
        "(i)",
    ]


def test_a_level_that_was_skipped_counts_as_begun() -> None:
    assert labels(numbering(OUTLINE + num(1, 0)), (1, 1), (1, 0)) == ["1.1.", "2."]


def test_lists_of_one_definition_count_on_unless_they_say_where_they_start() -> None:
    found = numbering(OUTLINE + num(1, 0) + num(2, 0) + num(3, 0, override(0, '<w:startOverride w:val="5"/>')))
    assert labels(found, (1, 0), (2, 0), (3, 0), (3, 0), (1, 0)) == ["1.", "2.", "5.", "6.", "7."]


def test_a_list_may_replace_a_level() -> None:
    found = numbering(OUTLINE + num(1, 0, override(0, lvl(0, "upperLetter", "%1)", start=3))))
    assert labels(found, (1, 0), (1, 0)) == ["C)", "D)"]


@pytest.mark.parametrize(("restart", "expected"), [("0", "3."), ("1", "1."), ("2", "1.")])
def test_when_a_level_starts_again(restart: str, expected: str) -> None:
    inner = lvl(2, "decimal", "%3.", f'<w:lvlRestart w:val="{restart}"/>')
    found = numbering(abstract(0, lvl(0, "decimal", "%1"), lvl(1, "decimal", "%2"), inner) + num(1, 0))
    assert labels(found, (1, 0), (1, 1), (1, 2), (1, 2), (1, 0), (1, 2))[-1] == expected


def test_legal_levels_are_all_decimal() -> None:
    found = numbering(abstract(0, lvl(0, "upperRoman", "%1"), lvl(1, "decimal", "%1.%2", "<w:isLgl/>")) + num(1, 0))
    assert labels(found, (1, 0), (1, 1)) == ["I", "1.1"]


def test_what_shows_nothing_is_no_label() -> None:
    found = numbering(abstract(0, lvl(0, "none", ""), lvl(1, "bullet", "\uf0b7")) + num(1, 0) + num(2, 77))
    assert labels(found, (1, 0), (1, 1), (2, 0), (3, 0), (1, 99)) == [None, "-", None, None, None]


def test_a_list_may_take_its_levels_from_a_style() -> None:
    linked = '<w:abstractNum w:abstractNumId="1"><w:numStyleLink w:val="S"/></w:abstractNum>'
    found = numbering(OUTLINE + linked + num(1, 0) + num(2, 1))
    label = found.label("2", 0, {"S": "1"}.get)
    assert label is not None
    assert label.text == "1."
    assert numbering(linked + num(2, 1)).label("2", 0, {"S": "2"}.get) is None


def test_the_level_of_a_style() -> None:
    styled = abstract(0, lvl(0, "decimal", "%1"), lvl(1, "decimal", "%2", '<w:pStyle w:val="H2"/>'))
    found = numbering(styled + num(1, 0))
    assert found.level_of_style("1", "H2", lambda style: None) == 1
    assert found.level_of_style("1", "Other", lambda style: None) == 0
    assert found.level_of_style("9", "H2", lambda style: None) == 0


def test_a_text_of_any_length_is_cut() -> None:
    found = numbering(abstract(0, lvl(0, "decimal", "%1." * 10_000)) + num(1, 0))
    (shown,) = labels(found, (1, 0))
    assert shown is not None
    assert len(shown) < 300

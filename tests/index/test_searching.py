from __future__ import annotations

import msgspec
import pytest

from fumehood import Document, Locator, chunk
from fumehood.index import Filters, SQLiteIndex

from .conftest import document, found, put


def test_the_title_counts_most_then_headings(index: SQLiteIndex) -> None:
    for number in range(20):
        put(index, f"filler{number}", f"# Other {number}\n\nwhatever else is said here")
    put(index, "text", "# Other\n\nthe ledger is long and so on")
    put(index, "heading", "# Other\n\n## Ledger\n\nis long and so on and on")
    put(index, "title", "# Ledger\n\nis long and so on and on and on")
    assert found(index, "ledger") == ["title", "heading", "text"]
    scores = [hit.score for hit in index.search("ledger").hits]
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] > 0


@pytest.mark.parametrize(
    ("query", "sources"),
    [
        ("cafe", ["fr"]),
        ("CAFÉ", ["fr"]),
        ("東京", ["ja"]),
        ("京都", ["ja"]),
        ("都", ["ja"]),
        ("大", ["ja"]),
        ("東都", []),
        ("서울", ["ko"]),
        ("ประเทศ", ["th"]),
        ("whale harp*", ["en"]),
        ('"white whale"', ["en"]),
        ('"whale white"', []),
        ("white NEAR/2 harpoon", []),
        ("white NEAR/3 harpoon", ["en"]),
        ("whale NOT white", []),
        ("whale OR 東京", ["en", "ja"]),
        ("(whale OR cafe) -ouvert", ["en"]),
        ("read_isolated", ["en"]),
        ("ann@example.org", ["en"]),
        ("'; DROP TABLE chunks; --", []),
    ],
)
def test_questions(index: SQLiteIndex, query: str, sources: list[str]) -> None:
    put(index, "en", "The white whale and the harpoon; read_isolated, ann@example.org.")
    put(index, "fr", "Le café est ouvert.")
    put(index, "ja", "東京都は大きい。")
    put(index, "ko", "서울에서 만나요")
    put(index, "th", "สวัสดีประเทศไทย")
    assert sorted(found(index, query)) == sources


def test_pages_follow_one_another(index: SQLiteIndex) -> None:
    for number in range(25):
        put(index, f"{number:02}", f"same words here {number}")
    whole = found(index, "words", limit=100)
    paged, offset = list[str](), 0
    while True:
        page = index.search("words", limit=7, offset=offset)
        paged += [hit.source for hit in page.hits]
        if page.next_offset is None:
            break
        offset = page.next_offset
    assert paged == whole
    assert len(set(paged)) == 25
    assert index.search("words", offset=500).hits == ()


@pytest.mark.parametrize(("limit", "offset"), [(0, 0), (1_001, 0), (-1, 0), (1, -1)])
def test_what_is_out_of_range(index: SQLiteIndex, limit: int, offset: int) -> None:
    with pytest.raises(ValueError, match=r"limit is between|offset is not"):
        index.search("x", limit=limit, offset=offset)


def test_hidden_text_is_found_when_asked_for(index: SQLiteIndex) -> None:
    made = Document.from_markdown("shown words\n\nsecret words")
    first, second = made.blocks
    made = msgspec.structs.replace(made, blocks=(first, msgspec.structs.replace(second, visible=False)))
    index.replace("a", made, chunk(made, visible_only=False, min_size=0))
    assert [hit.chunk.text for hit in index.search("words").hits] == ["shown words"]
    assert found(index, "secret") == []
    assert found(index, "secret", filters=Filters(hidden=True)) == ["a"]


def test_hits_know_their_place(index: SQLiteIndex) -> None:
    made, chunks = document("# Report\n\ntext of the page")
    index.replace("report.pdf", made, [msgspec.structs.replace(chunks[0], locators=(Locator(page=4),))])
    (hit,) = index.search("page").hits
    assert hit.chunk.locators == (Locator(page=4),)
    assert hit.chunk.headings == ("Report",)
    assert (hit.title, hit.kind) == ("Report", "markdown")


def test_the_header_of_a_table_finds_its_later_rows(index: SQLiteIndex) -> None:
    rows = "".join(f"| row{number} | {number} |\n" for number in range(200))
    made = Document.from_markdown(f"| name | turnover |\n| - | - |\n{rows}")
    index.replace("a", made, chunk(made))
    assert [hit.chunk.index for hit in index.search("turnover row199").hits] == [len(chunk(made)) - 1]

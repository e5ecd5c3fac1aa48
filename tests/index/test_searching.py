from __future__ import annotations

import msgspec
import pytest

from fumehood import Document, Locator, chunk
from fumehood.index import Filters, SQLiteIndex, highlighted

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


CJK = {
    "ja": "東京都は大きい。データベースの検索と\uff21\uff30\uff29の設計。カタカナ",
    "zh": "我们在北京大学学习数据库。iPhone手机很贵",
    "ko": "서울에서 데이터베이스를 검색합니다",
}


@pytest.mark.parametrize(
    ("query", "source", "shown"),
    [
        # one character, two, three and more: `trigram` would find none of the first two (FTS5, 4.3.4)
        ("都", "ja", "東京[都]は大きい"),
        ("い", "ja", "大き[い]。"),
        ("京都", "ja", "東[京都]は大きい"),
        ("東京都", "ja", "[東京都]は大きい"),
        ("データベース", "ja", "[データベース]の検索"),
        ("ﾃﾞｰﾀ", "ja", "[データ]ベースの検索"),
        ("大学", "zh", "我们在北京[大学]学习"),
        ("北京大学", "zh", "我们在[北京大学]学习"),
        ("贵", "zh", "手机很[贵]"),
        ("서울", "ko", "[서울]에서"),
        ("데이터베이스", "ko", "[데이터베이스]를 검색합니다"),
        # beside Latin letters, in phrases, beginnings, and several at once
        ("api", "ja", "の検索と[\uff21\uff30\uff29]の設計"),
        ("iphone手机", "zh", "[iPhone手机]很贵"),
        ("iphone", "zh", "[iPhone]手机"),
        ('"API の"', "ja", "[\uff21\uff30\uff29の]設計"),
        ("カタ*", "ja", "[カタ]カナ"),
        ("東京 検索", "ja", "[東京]都は大きい。データベースの[検索]"),
        ('"데이터베이스를 검색"', "ko", "[데이터베이스를 검색]합니다"),
        ("北京 NEAR 数据库", "zh", "在[北京]大学学习[数据库]。"),
    ],
)
def test_scripts_without_spaces(index: SQLiteIndex, query: str, source: str, shown: str) -> None:
    for name, text in CJK.items():
        put(index, name, text)
    (hit,) = index.search(query).hits
    assert hit.source == source
    assert shown in highlighted(hit.snippet, "[", "]")


@pytest.mark.parametrize("query", ["東都", "都京", "学北京", "데베", "北京学习", '"検索 東京"'])
def test_characters_that_do_not_follow_one_another_are_not_found(index: SQLiteIndex, query: str) -> None:
    for name, text in CJK.items():
        put(index, name, text)
    assert found(index, query) == []


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

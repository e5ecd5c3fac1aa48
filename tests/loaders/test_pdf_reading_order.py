"""Pages whose reading order is known, because we set them."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from fumehood import Document
from fumehood.kinds import get
from fumehood.sandbox.loading import read_in_process
from tests.loaders.pdf_typesetter import box, broken, column, prose, rule, ruled, width
from tests.loaders.pdf_writer import HELVETICA, document, lines, text

pytestmark = pytest.mark.usefixtures("either_engine")

KIND = get("pdf")
Objects = dict[str, bytes | tuple[bytes, str]]


def read(*pages: bytes, **more: object) -> Document:
    return read_in_process(KIND, document(pages, **more))  # type: ignore[arg-type]


def texts(found: Document) -> list[str]:
    """The blocks' texts, each on one line."""
    return [" ".join(found.text[block.start : block.end].split()) for block in found.blocks]


def roles(found: Document) -> list[tuple[str, str]]:
    return list(zip([block.role for block in found.blocks], texts(found), strict=True))


def joined(*parts: list[bytes]) -> bytes:
    return b"".join(line for part in parts for line in part)


def interleaved(*parts: list[bytes]) -> bytes:
    """Drawn from the top, whatever belongs together."""
    longest = max(len(part) for part in parts)
    return b"".join(part[row] for row in range(longest) for part in parts if row < len(part))


def shuffled(*parts: list[bytes]) -> bytes:
    drawn = [line for part in parts for line in part]
    random.Random(7).shuffle(drawn)
    return b"".join(drawn)


A, B, C, D, E = (prose(seed, 40) for seed in ("Alpha", "Bravo", "Charlie", "Delta", "Echo"))
TITLE = "A Title Across the Page"

# ---- columns ----------------------------------------------------------------------------------------------


def test_paragraphs_of_one_column() -> None:
    assert texts(read(joined(column(A, 50, 700, 500), column(B, 50, 640, 500)))) == [A, B]


@pytest.mark.parametrize("drawn", [joined, interleaved, shuffled])
def test_two_columns(drawn: object) -> None:
    content = drawn(column(A, 50, 700, 230), column(B, 310, 700, 230))  # type: ignore[operator]
    assert texts(read(content)) == [A, B]


@pytest.mark.parametrize("drawn", [joined, interleaved, shuffled])
def test_three_columns(drawn: object) -> None:
    content = drawn(*(column(part, x, 700, 150) for part, x in ((A, 40), (B, 210), (C, 380))))  # type: ignore[operator]
    assert texts(read(content)) == [A, B, C]


def test_two_paragraphs_in_each_of_two_columns() -> None:
    content = interleaved(
        column(A, 50, 700, 230) + column(B, 50, 590, 230), column(C, 310, 700, 230) + column(D, 310, 590, 230)
    )
    assert texts(read(content)) == [A, B, C, D]


def test_columns_whose_base_lines_differ() -> None:
    content = interleaved(column(A, 50, 700, 230), column(B, 310, 696, 230, 9))
    assert texts(read(content)) == [A, B]


def test_a_title_over_two_columns() -> None:
    content = text(TITLE, 150, 750, 20) + interleaved(column(A, 50, 700, 230), column(B, 310, 700, 230))
    assert texts(read(content)) == [f"# {TITLE}", A, B]


def test_a_title_close_above_two_columns_of_its_size() -> None:
    content = text("One line that goes across both of the columns below it, and has their size as well.", 50, 716, 10)
    content += interleaved(column(A, 50, 692, 230), column(B, 310, 692, 230))
    assert texts(read(content))[1:] == [A, B]


def test_bands_of_columns_are_read_one_after_another() -> None:
    content = interleaved(column(A, 50, 740, 230), column(B, 310, 740, 230))
    content += text("A Heading Between the Bands", 50, 580, 16)
    content += interleaved(column(C, 50, 550, 230), column(D, 310, 550, 230))
    assert texts(read(content)) == [A, B, "# A Heading Between the Bands", C, D]


def test_text_across_the_page_below_columns() -> None:
    content = interleaved(column(A, 50, 740, 230), column(B, 310, 740, 230)) + joined(column(C, 50, 550, 490))
    assert texts(read(content)) == [A, B, C]


def test_a_newspaper_whose_headline_spans_two_of_three_columns() -> None:
    content = text("Headline of Two Columns", 40, 740, 18)
    content += interleaved(column(A, 40, 710, 150), column(B, 210, 710, 150), column(C, 400, 745, 150))
    assert texts(read(content)) == ["# Headline of Two Columns", A, B, C]


def test_a_right_column_that_starts_higher() -> None:
    content = interleaved(column(A, 50, 640, 230), column(B, 310, 700, 230))
    assert texts(read(content)) == [A, B]


@pytest.mark.parametrize(("main", "side"), [(50, 430), (200, 40)])
def test_a_sidebar(main: float, side: float) -> None:
    content = interleaved(column(A + " " + B, main, 700, 340), column(C, side, 703, 120, 8))
    assert sorted(texts(read(content))) == sorted([A + " " + B, C])
    assert texts(read(content))[0] == (A + " " + B if main < side else C)


def test_a_figure_with_labels_beside_text() -> None:
    labels = [text(f"label {number}", 330 + 50 * (number % 4), 690 - 23 * number, 8) for number in range(8)]
    found = texts(read(joined(column(A + " " + B, 50, 700, 230), labels)))
    assert found[0] == A + " " + B


def test_a_sheet_with_one_page_on_it_twice_is_read_once() -> None:
    content = interleaved(column(A, 40, 700, 230), column(A, 330, 700, 230))
    found = read(content)
    assert texts(found) == [A]
    assert [(notice.code, notice.detail) for notice in found.notices] == [("text-repeated", 1)]


# ---- paragraphs -------------------------------------------------------------------------------------------


def test_paragraphs_told_by_their_first_line_alone() -> None:
    first = column(A, 50, 700, 400, indent=20)
    second = column(B, 50, 700 - 12 * len(first), 400, indent=20)
    third = column(C, 50, 700 - 12 * (len(first) + len(second)), 400, indent=20)
    assert texts(read(joined(first, second, third))) == [A, B, C]


def test_entries_whose_first_line_stands_out() -> None:
    first = column(A, 50, 700, 400, hang=20)
    second = column(B, 50, 700 - 12 * len(first), 400, hang=20)
    assert texts(read(joined(first, second))) == [A, B]


def test_double_spacing_parts_no_paragraphs() -> None:
    assert texts(read(joined(column(A, 50, 700, 300, leading=2.2)))) == [A]


def test_lines_of_verse_and_of_addresses_stay_lines() -> None:
    verse = [
        "Tyger Tyger, burning bright,",
        "In the forests of the night;",
        "What immortal hand or eye,",
        "Could frame",
    ]
    body = joined(column(A, 50, 600, 500))
    assert read(lines(verse, y=700, size=10, leading=12) + body).text == "\n".join(verse) + "\n\n" + A


def test_centred_lines_of_one_heading_are_one() -> None:
    heading = ["The First Line of a Heading Is Long", "and Its Second Is Not"]
    content = b"".join(
        text(line, 300 - width(line, 18) / 2, 740 - 22 * row, 18) for row, line in enumerate(heading)
    ) + joined(column(A, 50, 650, 500))
    assert texts(read(content)) == ["# " + " ".join(heading), A]


def test_words_broken_at_line_ends_and_compounds_that_are_none() -> None:
    found = read(
        lines(
            [
                "A sentence that holds a well-known and a so-called thing will break docu-",
                "ments at the end of lines, and so-",
                "called compounds, 1999-",
                "2004 as a span of years, and names like Meyer-",
                "Lansky too.",
            ],
            size=10,
        )
    )
    assert " ".join(found.text.split()) == (
        "A sentence that holds a well-known and a so-called thing will break documents at the end of lines, and "
        "so-called compounds, 1999-2004 as a span of years, and names like Meyer-Lansky too."
    )


def test_words_painted_in_any_order() -> None:
    words: list[bytes] = []
    for row, line in enumerate(broken(A, 300)):
        x = 50.0
        for word in line.split(" "):
            words.append(text(word, x, 700 - 12 * row, 10))
            x += width(word + " ")
    assert texts(read(shuffled(words))) == [A]


def test_glyphs_painted_one_by_one() -> None:
    glyphs, x = [], 50.0
    for char in "Letter by letter":
        glyphs.append(text(char, x, 700, 10))
        x += width(char)
    assert read(joined(glyphs)).text == "Letter by letter"


def test_text_painted_twice_to_look_bold() -> None:
    content = joined(*(column(A, 50 + shift, 700, 300) for shift in (0, 0.3)))
    assert texts(read(content)) == [A]


def test_double_letters_stay() -> None:
    glyphs = [text(char, 50 + 3 * index, 700, 10) for index, char in enumerate("illll")]
    assert read(joined(glyphs)).text.replace(" ", "") == "illll"


def test_letters_spaced_out_are_one_word() -> None:
    assert read(text("SPACED OUT", before="2 Tc", size=12)).text == "SPACED OUT"


def test_letters_set_apart_as_far_as_columns_are_none() -> None:
    head = [text("Name", 50, 660), text("A", 200, 660), text("B", 250, 660)]
    rows = [
        text(f"row {index}", 50, 640 - 20 * index) + text("XY", 200, 640 - 20 * index, before="42 Tc")
        for index in range(3)
    ]
    found = read(joined(head, [row + b"0 Tc\n" for row in rows]))
    assert texts(found)[1:] == ["| row 0 | X | Y |", "| row 1 | X | Y |", "| row 2 | X | Y |"]


# ---- marks ------------------------------------------------------------------------------------------------


def test_an_equation_with_exponents_and_indices() -> None:
    content, x = b"", 50.0
    for part, rise, size in (("a", 0, 12), ("2", 5, 8), (" + b", 0, 12), ("i", -3, 8), (" = c", 0, 12), ("10", 5, 8)):
        content += text(part, x, 700 + rise, size)
        x += width(part, size)
    assert read(content).text == "a2 + bi = c10"


def test_the_mark_of_a_footnote_stands_with_its_word() -> None:
    content = text("A claim", 50, 700, 12) + text("1", 50 + width("A claim", 12), 705, 7)
    content += text("that goes on here.", 50 + width("A claim", 12) + 8, 700, 12)
    assert read(content).text == "A claim1 that goes on here."


# ---- notes, captions, what is at the edges ----------------------------------------------------------------


def test_footnotes_stand_at_the_foot() -> None:
    content = joined(column(A + " " + B, 50, 700, 500)) + rule(50, 110, 150, 110)
    content += text("1 See the first book on it, page 12.", 50, 98, 8) + text("2 And the second.", 50, 86, 8)
    assert roles(read(content)) == [
        ("paragraph", A + " " + B),
        ("note", "1 See the first book on it, page 12."),
        ("note", "2 And the second."),
    ]


def test_footnotes_of_columns_follow_the_columns() -> None:
    notes = [text("1 A note to the left column.", 50, 100, 8), text("2 A note to the right column.", 310, 100, 8)]
    content = interleaved(column(A + " " + C, 50, 700, 230), column(B + " " + D, 310, 700, 230)) + joined(notes)
    assert roles(read(content)) == [
        ("paragraph", A + " " + C),
        ("paragraph", B + " " + D),
        ("note", "1 A note to the left column."),
        ("note", "2 A note to the right column."),
    ]


def test_captions() -> None:
    content = joined(column(A, 50, 700, 500)) + text("Figure 2.1: What the picture shows.", 150, 500, 9)
    content += joined(column("Figure 2 shows that this is a sentence. " + B, 50, 460, 500))
    assert [role for role, _ in roles(read(content))] == ["paragraph", "caption", "paragraph"]


def running_pages(count: int) -> list[bytes]:
    pages = []
    for number in range(1, count + 1):
        content = text("The Book of Tests", 50, 770, 9) + joined(column(prose(f"Page{number}x", 60), 50, 700, 500))
        pages.append(content + text(f"Page {number} of {count}", 280, 30, 9))
    return pages


def test_headers_and_footers_come_once_with_their_roles() -> None:
    found = roles(read(*running_pages(4)))
    assert [role for role, _ in found] == ["header", "paragraph", "footer", "paragraph", "paragraph", "paragraph"]
    assert (found[0][1], found[2][1]) == ("The Book of Tests", "Page 1 of 4")


def test_a_running_title_with_the_number_of_its_page_comes_once() -> None:
    pages = [
        text(f"{number + 7} The Book of Tests", 50, 770, 9) + text(prose(f"Page{number}x", 9), 50, 600, 9)
        for number in range(1, 5)
    ]
    assert [role for role, _ in roles(read(*pages))] == ["header", "paragraph", "paragraph", "paragraph", "paragraph"]


def test_a_running_title_with_the_number_of_its_page_and_of_all_comes_once() -> None:
    pages = [
        text(f"The Book of Tests, page {number} of 4", 50, 20, 9) + text(prose(f"Page{number}x", 9), 50, 600, 9)
        for number in range(1, 5)
    ]
    assert [role for role, _ in roles(read(*pages))] == ["paragraph", "footer", "paragraph", "paragraph", "paragraph"]


HEAD = "The Book of all Tests that anybody ever thought of, and of some that nobody did, no {}"
FOOT = "Printed on paper that was made of wood from forests which are nobody's but our own, {}/4"


def test_headers_and_footers_set_solid_against_the_text_are_none_of_it() -> None:
    bodies = [" ".join(broken(prose(f"Page{number}x", 900), 500)[:60]) for number in range(1, 5)]
    pages = [
        text(HEAD.format(number), 50, 770, 10)
        + joined(column(body, 50, 758, 500))
        + text(FOOT.format(number), 50, 758 - 60 * 12, 10)
        for number, body in enumerate(bodies, start=1)
    ]
    found = roles(read(*pages))
    assert found[:3] == [("header", HEAD.format(1)), ("paragraph", bodies[0]), ("footer", FOOT.format(1))]
    assert found[3:] == [("paragraph", body) for body in bodies[1:]]


def test_headers_set_solid_against_columns_are_none_of_them() -> None:
    pages = []
    for number in range(1, 5):
        heads = text("The Book of all Tests that anybody thought of", 50, 770, 10)
        heads += text(f"and of some that nobody did, page {number}", 310, 770, 10)
        columns = [column(prose(f"Page{number}{side}", 200), x, 758, 230) for x, side in ((50, "l"), (310, "r"))]
        pages.append(heads + interleaved(*columns))
    found = roles(read(*pages))
    assert [role for role, _ in found[:4]] == ["header", "paragraph", "header", "paragraph"]
    assert [said.split()[0] for _, said in found[4:]] == [
        f"Page{number}{side}" for number in (2, 3, 4) for side in "lr"
    ]


def test_the_first_line_of_a_form_letter_is_no_header() -> None:
    letter = (
        "Dear reader, thank you for the letter that you have sent to us, which we have read with interest, number {}."
    )
    pages = [joined(column(letter.format(number) + " " + A, 50, 770, 300)) for number in range(1, 5)]
    assert [role for role, _ in roles(read(*pages))] == ["paragraph"] * 4


def test_numbers_that_do_not_count_the_pages_are_never_left_out() -> None:
    pages = [
        text(f"Invoice {number}", 50, 770, 9) + text(prose(f"Page{number}x", 9), 50, 600, 9) + text(total, 300, 40, 9)
        for number, total in ((2031, "450"), (2032, "17"), (2033, "99"), (2034, "8"))
    ]
    found = read(*pages).text
    for one in ("2031", "2032", "2033", "2034", "450", "17", "99", "8"):
        assert one in found.split() or f"{one}" in found.replace("\n", " ").split(" ")


def test_what_stands_on_two_pages_alone_is_text() -> None:
    found = roles(read(*running_pages(2)))
    assert [role for role, _ in found].count("paragraph") == 6


def test_tables_of_contents_are_entries() -> None:
    content = text("1 A Chapter of the Book", 50, 700, 10, "2 Tr") + text("2", 400, 700, 10)
    for at, title in enumerate(("The first section", "Another", "The last section of all")):
        content += text(f"1.{at + 1} {title}", 60, 688 - 12 * at, 10, "0 Tr")
        content += text(". " * 34, 200, 688 - 12 * at, 10) + text(
            str(3 + 7 * at), 406 - width(str(3 + 7 * at)), 688 - 12 * at, 10
        )
    found = [said for role, said in roles(read(content)) if role == "paragraph"]
    assert [(entry[:6], entry.rsplit(" ", 1)[1]) for entry in found] == [
        ("1 A Ch", "2"),
        ("1.1 Th", "3"),
        ("1.2 An", "10"),
        ("1.3 Th", "17"),
    ]


def test_the_mark_of_a_note_may_stand_apart_from_it() -> None:
    content = joined(column(A, 50, 700, 500), column(B, 50, 640, 500))
    for at, name in enumerate(("first", "second")):
        content += text(str(at + 1), 50, 78 - 12 * at, 6.4) + text(f"http://www.{name}.example/", 59, 75 - 12 * at, 8)
    found = roles(read(content))
    assert found[2:] == [("note", "1 http://www.first.example/"), ("note", "2 http://www.second.example/")]


@pytest.mark.parametrize("said", ["page 1 / 1", "see the other side", "a remark"])
def test_small_text_without_a_mark_is_no_note(said: str) -> None:
    content = joined(column(A, 50, 700, 500), column(B, 50, 640, 500)) + text(said, 50, 75, 8)
    assert roles(read(content))[2] == ("paragraph", said)


def test_large_type_stays_apart_from_small_type_beside_it() -> None:
    content = text("Here is some text.", 50, 700, 11) + text("A Remark", 250, 696, 40)
    assert sorted(roles(read(content))) == [("heading", "# A Remark"), ("paragraph", "Here is some text.")]


# ---- frames -----------------------------------------------------------------------------------------------


def framed(lines: list[str], x: float, y: float, across: float = 200, leading: float = 20) -> bytes:
    shown = b"".join(text(line, x + 8, y - 14 - leading * at, 10) for at, line in enumerate(lines))
    return shown + box(x, y - leading * len(lines) - 6, x + across, y)


def test_what_stands_in_frames_is_read_frame_by_frame() -> None:
    sender, receiver = ["From: Ada", "12 Long Street"], ["To: Charles", "1 Dorset Street"]
    content = framed(receiver, 310, 701) + framed(sender, 50, 700) + joined(column(A, 50, 600, 500))
    assert texts(read(content)) == [*sender, *receiver, A]


def test_a_frame_within_a_column_keeps_its_place() -> None:
    left = joined(column(A, 50, 700, 230)) + framed(["Note one", "Note two"], 50, 612, 230)
    left += joined(column(B, 50, 545, 230))
    assert texts(read(left + joined(column(C, 310, 700, 230), column(D, 310, 545, 230)))) == [
        A,
        "Note one",
        "Note two",
        B,
        C,
        D,
    ]


def test_a_table_in_a_frame_is_one() -> None:
    rows = b"".join(text(f"cell {row}{at}", 70 + 100 * at, 660 - 14 * row, 10) for row in range(4) for at in range(3))
    content = rows + box(60, 600, 400, 680) + text("A Heading", 70, 668, 10)
    assert [role for role, _ in roles(read(content))] == ["paragraph", *["table-row"] * 4]


def test_verses_in_a_frame_keep_their_breaks() -> None:
    found = read(framed(["The first verse", "and the second one", "and a third"], 50, 700, 300, 12))
    assert found.text == "The first verse\nand the second one\nand a third"


def test_a_frame_that_text_goes_over_is_a_drawing() -> None:
    lines = column(A, 50, 700, 500)
    assert texts(read(joined(lines) + box(100, 640, 300, 712))) == [A]


def test_a_frame_around_the_page_changes_nothing() -> None:
    content = joined(column(A, 50, 700, 230), column(B, 310, 700, 230))
    assert texts(read(content + box(20, 20, 580, 780))) == [A, B]


@pytest.mark.parametrize("count", [63, 90])
def test_many_frames(count: int) -> None:
    content = b"".join(
        framed([f"one {at}", f"two {at}"], 20 + 70 * (at % 8), 780 - 60 * (at // 8), 60) for at in range(count)
    )
    words = read(content).text.replace("|", " ").replace("---", " ").split()
    assert sorted(words) == sorted(word for at in range(count) for word in ("one", str(at), "two", str(at)))


def test_what_a_rule_stands_between_is_read_side_by_side() -> None:
    left = [
        "DOCTOR JOHN, an Iowa",
        "Corporation,",
        "Plaintiff,",
        "vs.",
        "CITY OF SIOUX CITY, and",
        "PAUL, the Manager.",
    ]
    right = ["No. C 03-4121", "ORDER ON SANCTIONS", "FOR THE DESTRUCTION", "OF RECORDS"]
    ys = (640, 628, 610, 592, 574, 562)
    content = b"".join(text(line, 50, y, 10) for line, y in zip(left, ys, strict=True))
    content += b"".join(text(line, 330, y, 10) for line, y in zip(right, (610, 592, 580, 568), strict=True))
    content += rule(300, 550, 300, 655) + joined(column(A, 50, 500, 500)) + text("IN THE COURT", 250, 700, 10)
    said = " ".join(texts(read(content))).split()
    assert said == " ".join(["IN THE COURT", *left, *right, A]).split()


def test_a_rule_between_columns_of_a_table_parts_none_of_its_rows() -> None:
    rows = [(f"Item {at}", f"{at}00.50") for at in range(5)]
    content = b"".join(
        text(one, 50, 640 - 14 * at, 10) + text(two, 220, 640 - 14 * at, 10) for at, (one, two) in enumerate(rows)
    )
    found = roles(read(content + rule(200, 570, 200, 655)))
    assert [said.split(" | ")[0].strip("| ") for _, said in found] == [one for one, _ in rows]


# ---- lists ------------------------------------------------------------------------------------------------


def test_items_with_bullets_and_lines_that_go_on() -> None:
    content = b"".join(
        text("\u2022", 50, y, 10) + joined(column(part, 65, y, 300))
        for part, y in ((A, 700), (B, 700 - 12 * len(broken(A, 300))))
    )
    assert roles(read(content)) == [("list-item", f"- {A}"), ("list-item", f"- {B}")]


def test_numbered_items_and_items_inside() -> None:
    content = lines(["1. First of all", "2. Then the next", "3. And a third"], size=10)
    assert roles(read(content)) == [
        ("list-item", "1. First of all"),
        ("list-item", "2. Then the next"),
        ("list-item", "3. And a third"),
    ]
    inner = text("1. Outer", 50, 700, 10) + text("a) inner", 70, 688, 10) + text("b) inner too", 70, 676, 10)
    found = read(inner + text("2. Outer again", 50, 664, 10))
    assert [block.level for block in found.blocks] == [1, 2, 2, 1]


def test_a_single_number_is_no_list() -> None:
    assert roles(read(text("1. Introduction to it", 50, 700, 10))) == [("paragraph", "1\\. Introduction to it")]


# ---- tables among text ------------------------------------------------------------------------------------

CELLS = [["Item", "Count", "Price"], ["Apples", "12", "3.50"], ["Pears", "7", "2.10"], ["Quinces", "1", "9.99"]]


def cells(rows: list[list[str]], y: float) -> bytes:
    return b"".join(
        text(cell, 60 + 120 * column, y - 20 * row, 10)
        for row, parts in enumerate(rows)
        for column, cell in enumerate(parts)
    )


TABLE = [("table-row", "| " + " | ".join(row) + " |") for row in CELLS]


@pytest.mark.parametrize("rules", [b"", ruled([55, 175, 295, 415], [614, 594, 574, 554, 534])])
def test_a_table_between_paragraphs(rules: bytes) -> None:
    content = joined(column(A, 50, 700, 500)) + rules + cells(CELLS, 600) + joined(column(B, 50, 500, 500))
    found = roles(read(content))
    assert [found[0], *found[2:-1], found[-1]] == [("paragraph", A), *TABLE[1:], ("paragraph", B)]
    assert found[1][1].startswith(TABLE[0][1])


def test_merged_cells_give_their_text_once() -> None:
    grid = b"".join(rule(55, y, 415, y) for y in (614, 594, 574, 554))
    grid += b"".join(rule(x, 554, x, 614) for x in (55, 415)) + b"".join(rule(x, 554, x, 594) for x in (175, 295))
    content = grid + text("Fruit of the year", 180, 600, 10) + cells(CELLS[1:3], 580)
    assert texts(read(content)) == [
        "| Fruit of the year | | | | --- | --- | --- |",
        "| Apples | 12 | 3.50 |",
        "| Pears | 7 | 2.10 |",
    ]


def test_lines_within_a_cell_are_joined() -> None:
    grid = ruled([55, 175, 295], [614, 580, 550])
    content = grid + lines(["A cell of more than one", "line or two"], 60, 602, 10, 12) + text("b", 180, 602, 10)
    content += text("c", 60, 560, 10) + text("d", 180, 560, 10)
    assert texts(read(content)) == ["| A cell of more than one line or two | b | | --- | --- |", "| c | d |"]


def test_an_invoice() -> None:
    content = lines(["Fruit and Sons Ltd", "1 Orchard Lane", "Appleton AB1 2CD"], 50, 740, 10)
    content += lines(["Invoice 2031", "12 May 2024", "Due in 30 days"], 400, 740, 10)
    content += ruled([55, 175, 295, 415], [614, 594, 574, 554, 534]) + cells(CELLS, 600)
    content += text("Total: 15.59", 300, 510, 10) + text("Thank you for your business.", 50, 460, 10)
    found = read(content)
    order = ["Orchard Lane", "Invoice 2031", "Quinces", "Total: 15.59", "Thank you"]
    assert [found.text.find(one) for one in order] == sorted(found.text.find(one) for one in order)
    assert -1 not in [found.text.find(one) for one in order]
    assert [role for role, _ in roles(found)].count("table-row") >= 4


def test_names_of_a_form_stand_with_their_values() -> None:
    fields = [
        ("Name", "Ada Lovelace"),
        ("Born", "10 December 1815"),
        ("Profession", "Mathematician"),
        ("City", "London"),
    ]
    content = b"".join(
        text(name + ":", 50, 700 - 20 * row, 10) + text(value, 160, 700 - 20 * row, 10)
        for row, (name, value) in enumerate(fields)
    )
    found = read(content).text
    for name, value in fields:
        line = next(line for line in found.splitlines() if name in line)
        assert value in line


def test_entries_of_a_table_of_contents_keep_their_pages() -> None:
    entries = [("Introduction", "1"), ("Methods of measuring", "7"), ("Results", "23"), ("Discussion", "31")]
    content = b"".join(
        text(title + " " + "." * int((430 - width(title)) / width(".")), 50, 700 - 14 * row, 10)
        + text(page, 500, 700 - 14 * row, 10)
        for row, (title, page) in enumerate(entries)
    )
    found = read(content).text.splitlines()
    for title, page in entries:
        assert any(title in line and page in line.rsplit(".", 1)[-1] for line in found)


# ---- other directions -------------------------------------------------------------------------------------


def japanese(columns: list[tuple[str, float, float]]) -> Document:
    font = {
        "F": b"<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/90ms-RKSJ-V/DescendantFonts[<</Type/Font/Subtype/CIDFontType0"
        b"/BaseFont/X/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>>>]>>"
    }
    content = b"".join(
        b"BT /F2 12 Tf %d %d Td <%s> Tj ET " % (x, y, words.encode("shift-jis").hex().encode())
        for words, x, y in columns
    )
    return read(content, resources="/Font<</F2 {F}>>", objects=font)


LONG = "\u3042\u3044\u3046\u3048\u304a\u304b\u304d\u304f\u3051\u3053\u3055\u3057\u3059\u305b\u305d"


def test_vertical_japanese_is_read_from_the_right_and_is_no_table() -> None:
    found = japanese([(LONG, 300, 700), (LONG, 282, 700), (LONG[:5], 264, 700)])
    assert roles(found) == [("paragraph", LONG + LONG + LONG[:5])]


def test_vertical_japanese_in_two_tiers() -> None:
    upper = [(LONG, 300 - 18 * number, 700) for number in range(4)]
    lower = [(LONG[::-1], 300 - 18 * number, 400) for number in range(4)]
    assert texts(japanese([part for both in zip(upper, lower, strict=True) for part in both])) == [
        LONG * 4,
        LONG[::-1] * 4,
    ]


def semitic(first: int, content: bytes) -> Document:
    """A font whose capital letters stand for the letters from `first` on, and small ones for themselves."""
    mapping = b"1 beginbfrange <41> <5A> <%04X> endbfrange" % first
    entries = b"/FirstChar 32/LastChar 122/Widths[" + b"600 " * 91 + b"]/ToUnicode {U}>>"
    font: Objects = {"U": (mapping, ""), "F": HELVETICA.replace(b"Helvetica", b"Semitic").replace(b">>", entries)}
    return read(content, resources="/Font<</F2 {F}>>", objects=font)


def letters(first: int, string: str) -> str:
    return "".join(chr(first + ord(char) - 65) if char.isupper() else char for char in string)


HEBREW, ARABIC = 0x5D0, 0x627


def test_arabic_with_numbers() -> None:
    found = semitic(ARABIC, b"BT /F2 12 Tf 50 700 Td (\\(FED 1,250\\) CBA) Tj ET")
    assert found.text == letters(ARABIC, "ABC (1,250 DEF)")


def test_forms_of_arabic_letters_are_letters_and_ligatures_keep_their_order() -> None:
    found = semitic(0xFEF5, b"BT /F2 12 Tf 50 700 Td (A) Tj ET")  # lam with alef, one glyph
    assert found.text == "\u0644\u0622"


def test_letters_stored_as_seen_and_as_read_are_read_alike() -> None:
    seen = b"BT /F2 12 Tf 50 700 Td (HGFED CBA) Tj ET"
    stored = b"BT /F2 12 Tf 110 700 Td [(A)1200(B)1200(C)1200( )1200(D)1200(E)1200(F)1200(G)1200(H)] TJ ET"
    assert semitic(HEBREW, seen).text == semitic(HEBREW, stored).text == letters(HEBREW, "ABC DEFGH")


def test_hebrew_with_english_in_it() -> None:
    found = semitic(HEBREW, b"BT /F2 12 Tf 50 700 Td (HGF two words EDCBA) Tj ET")
    assert found.text == letters(HEBREW, "ABCDE two words FGH")


def test_hebrew_drawn_letter_by_letter_from_the_right() -> None:
    content = b"BT /F2 12 Tf 90 700 Td [(A)1200(B)1200(C)1200(D)1200(E)] TJ ET"
    assert semitic(HEBREW, content).text == letters(HEBREW, "ABCDE")


def test_columns_of_hebrew_are_read_from_the_right() -> None:
    content = b""
    for row in range(5):
        content += b"BT /F2 12 Tf 50 %d Td (KJIHGFEDCBA JIHGFE KJIHGFEDCBA) Tj ET " % (700 - 14 * row)
        content += b"BT /F2 12 Tf 320 %d Td (ZYXWVUTSRQP YXWVUT ZYXWVUTSRQP) Tj ET " % (700 - 14 * row)
    found = semitic(HEBREW, content).text
    assert found.index(letters(HEBREW, "PQR")) < found.index(letters(HEBREW, "ABC"))


def test_text_up_the_margin_is_read_whole() -> None:
    content = joined(column(A, 80, 700, 400)) + b"BT /F1 8 Tf 0 1 -1 0 30 200 Tm (Copyright in the margin) Tj ET"
    assert texts(read(content)) == [A, "Copyright in the margin"]


def test_columns_on_a_turned_page() -> None:
    turned = b"q 0 1 -1 0 600 0 cm " + interleaved(column(A, 50, 500, 230), column(B, 310, 500, 230)) + b" Q"
    assert texts(read(turned, page="/Rotate 90")) == [A, B]


def test_text_that_leans_a_little_is_read_line_by_line() -> None:
    content = b"".join(
        b"BT /F1 10 Tf 0.9994 0.0349 -0.0349 0.9994 %.2f %.2f Tm (%s) Tj ET\n" % (50, 700 - 12 * row, line.encode())
        for row, line in enumerate(broken(A, 300))
    )
    assert texts(read(content)) == [A]


def test_paragraphs_of_hebrew_end_where_their_last_line_is_short() -> None:
    wide, short = b"KJIHGFEDCBA JIHGFE KJIHGFEDCBA", b".JIHGFE"
    content = b"".join(
        b"BT /F2 12 Tf %d %d Td (%s) Tj ET " % (50 if string is wide else 223, 700 - 14 * row, string)
        for row, string in enumerate((wide, wide, short, wide, short))
    )
    found = semitic(HEBREW, content)
    assert len(found.blocks) == 2
    assert found.blocks[0].end - found.blocks[0].start > found.blocks[1].end - found.blocks[1].start


def test_items_of_hebrew_lists_stand_in_from_the_right() -> None:
    rows = [(b"BA .1", 170), (b"DC .2", 170)]
    content = b"".join(
        b"BT /F2 12 Tf %d %d Td (%s) Tj ET " % (x, 700 - 14 * row, string) for row, (string, x) in enumerate(rows)
    )
    assert roles(semitic(HEBREW, content)) == [
        ("list-item", letters(HEBREW, "1. AB")),
        ("list-item", letters(HEBREW, "2. CD")),
    ]


def test_tables_of_hebrew_are_read_from_the_right() -> None:
    rows = [(b"CBA", b"FED"), (b"IHG", b"12.5%"), (b"LKJ", b"7")]
    content = b"".join(
        b"BT /F2 12 Tf 200 %d Td (%s) Tj ET BT /F2 12 Tf 60 %d Td (%s) Tj ET "
        % (600 - 20 * row, one, 600 - 20 * row, two)
        for row, (one, two) in enumerate(rows)
    )
    assert texts(semitic(HEBREW, content)) == [
        letters(HEBREW, string) for string in ("| ABC | DEF | | --- | --- |", "| GHI | 12.5% |", "| JKL | 7 |")
    ]


def test_what_stands_below_even_columns_is_read_after_them() -> None:
    columns = interleaved(column(A, 50, 700, 230), column(prose("Bravo", 30), 310, 700, 230))
    below = text("Findings", 50, 580, 14) + lines(["a short line", "and one more"], 60, 560, 10)
    assert texts(read(columns + below)) == [A, prose("Bravo", 30), "# Findings", "a short line and one more"]


def test_a_column_that_goes_on_further_than_its_neighbour_is_read_before_it() -> None:
    left = column(A, 50, 700, 230) + column(B, 50, 580, 230) + column(D, 50, 470, 230)
    assert texts(read(interleaved(left, column(C, 310, 700, 230)))) == [A, B, D, C]


def test_notes_one_below_the_other_whose_marks_are_not_raised() -> None:
    notes = lines(
        ["1 First note says this.", "2 The second note is long and", "goes on in a line of its own.", "3 Third."],
        50,
        90,
        8,
        9,
    )
    found = read(joined(column(A, 50, 700, 500), column(B, 50, 640, 500)) + notes)
    assert roles(found)[2:] == [
        ("note", "1 First note says this."),
        ("note", "2 The second note is long and goes on in a line of its own."),
        ("note", "3 Third."),
    ]


def test_a_wide_word_that_would_not_have_fitted_goes_on() -> None:
    first, second, filler = "Of all that it is still a little", "mammoth till it is filled", "It is the widest."
    # Room for a word as wide as the letters of its line are on average, and not for this one.
    right = 50 + width(first) + 1.1 * width(second) * len("mammoth ") / len(second)
    content = lines([first, second], 50, 700, 10) + text(filler, right - width(filler), 600, 10)
    assert read(content).text.startswith(f"{first} {second}\n\n")


ADDRESS = ["Acme Widgets and Gadgets Limited", "12 High Street, Building 4", "London SW1A 1AA", "United Kingdom"]
SAID = ["Date: 12 March 2024", "Invoice number: 4711", "Your reference: AB-12", "Customer: 99812"]
ASKED = ["Name of the buyer:", "Street and number:", "Town and postcode:", "Country of the buyer:"]
WORDS = ["12 March 2024", "Invoice 4711", "Reference AB-12", "Page 1 of 2 pages"]


def side_by_side(left: Sequence[str], right: Sequence[str]) -> str:
    shown = zip(left, right, strict=True)
    drawn = [
        text(one, 50, 700 - 14 * at, 10) + text(other, 300, 700 - 14 * at, 10) for at, (one, other) in enumerate(shown)
    ]
    found = read(document([b"".join(drawn) + text(prose("Below", 8), 50, 600, 10)])).text
    return " ".join(found.replace("|", " ").replace("---", " ").split())


@pytest.mark.parametrize(("left", "right"), [(ADDRESS, SAID), (SAID, ADDRESS)])
def test_an_address_and_what_says_itself_beside_it_are_read_one_after_the_other(
    left: Sequence[str], right: Sequence[str]
) -> None:
    assert side_by_side(left, right).startswith(" ".join([*left, *right]))


@pytest.mark.parametrize(("left", "right"), [(ASKED, ADDRESS), (ADDRESS, WORDS), (ASKED, SAID)])
def test_what_may_be_rows_is_read_row_by_row(left: Sequence[str], right: Sequence[str]) -> None:
    assert side_by_side(left, right).startswith(" ".join(cell for row in zip(left, right, strict=True) for cell in row))

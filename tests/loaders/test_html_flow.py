"""White space in a line, and where links in it stand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fumehood.loaders.shared.html_flow import Flow

PIECES = st.lists(st.text("a \n\t\u00a0x", max_size=6))


def flow_of(*pieces: str) -> Flow:
    flow = Flow()
    for piece in pieces:
        flow.add(piece, None)
    return flow


def test_white_space_collapses_across_pieces() -> None:
    assert flow_of(" a \n", " b", "c ", " ").take()[0] == "a bc"


def test_no_break_spaces_stand() -> None:
    assert flow_of("a\u00a0\u00a0b").take()[0] == "a\u00a0\u00a0b"


@given(PIECES)
def test_pieces_collapse_as_their_whole_does(pieces: list[str]) -> None:
    whole = "".join(pieces)
    for space in "\n\t":
        whole = whole.replace(space, " ")
    wanted = " ".join(word for word in whole.split(" ") if word)
    assert flow_of(*pieces).take()[0] == wanted


def test_a_line_break_takes_the_spaces_around_it() -> None:
    flow = flow_of("a ")
    flow.line_break()
    flow.add(" b", None)
    assert flow.take()[0] == "a\nb"


def test_a_link_covers_its_label_alone() -> None:
    flow = flow_of("see ")
    flow.open_link("#x")
    flow.add(" here ", None)
    flow.close_link()
    flow.add("now", None)
    text, links = flow.take()
    assert [(text[start:end], target) for start, end, target in links] == [("here", "#x")]


def test_a_link_goes_on_in_the_next_block() -> None:
    flow = Flow()
    flow.open_link("#x")
    flow.add("one", None)
    assert flow.take() == ("one", [(0, 3, "#x")])
    flow.add("two", None)
    flow.close_link()
    flow.add(" three", None)
    assert flow.take() == ("two three", [(0, 3, "#x")])


def test_a_link_behind_a_control_character_stays_in_its_place() -> None:
    flow = flow_of("a\x01b ")
    flow.open_link("#x")
    flow.add("c\x02d", None)
    text, ((start, end, _),) = flow.take()
    assert text[start:end] == "cd"


def test_preserved_text_stands_as_it_is() -> None:
    flow = flow_of("a")
    flow.add_preserved(" \n  b\n", None)
    flow.line_break()
    flow.add_preserved("c", None)
    assert flow.take()[0] == "a \n  b\nc"

"""Alternate texts that say something, and those that programs have filled in."""

from __future__ import annotations

import pytest

from fumehood.loaders.shared.pdf_alternates import says_something
from tests.loaders.pdf_reading import read
from tests.loaders.pdf_writer import document, text


@pytest.mark.parametrize(
    "alternate",
    [
        *(
            "Figure",
            "image",
            "PICTURE",
            "Picture 12",
            "Image1",
            "[Image]",
            "Figure.",
            "Abbildung 3",
            "Bild",
            "img_0042",
        ),
        *(
            "logo.png",
            "pic-3 (1).jpg",
            "C:\\Users\\me\\My Pictures\\a robot.jpg",
            "/tmp/scan.TIF",
            "https://example.org/a/b.gif",
        ),
    ],
)
def test_kinds_and_names_say_nothing(alternate: str) -> None:
    assert not says_something(alternate)


@pytest.mark.parametrize(
    "alternate",
    [
        *("A cat on a mat.", "Figure 1: Bears", "Picture of a cat", "Oval: Died before 1999", "x", "E = mc2", "Logo"),
        *(
            "Figure 7-26. Self-locking nuts.",
            "The sketch that the program saves at first as sketch.png",
            "Imagery",
            "2021",
        ),
    ],
)
def test_everything_else_is_kept(alternate: str) -> None:
    assert says_something(alternate)


@pytest.mark.parametrize(("alternate", "captions"), [("A cat.", ["A cat."]), ("Image 3", []), ("cat.jpeg", [])])
def test_only_what_says_something_is_a_caption(alternate: str, captions: list[str]) -> None:
    objects: dict[str, bytes | tuple[bytes, str]] = {
        "T": b"<</Type/StructTreeRoot/K {F}>>",
        "F": f"<</S/Figure/Pg 7 0 R/Alt({alternate})/P {{T}}>>".encode(),
    }
    data = document([text("Seen.")], catalog="/MarkInfo<</Marked true>>/StructTreeRoot {T}", objects=objects)
    found = read(data)
    assert [found.text[block.start : block.end] for block in found.blocks if block.role == "caption"] == captions


def test_a_long_text_without_an_end_takes_no_time() -> None:
    assert says_something("a " * 500_000)
    assert says_something("/" * 1_000 + "a")

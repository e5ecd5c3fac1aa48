"""Formulas of MathML in one line."""

from __future__ import annotations

import pytest

from fumehood import kinds
from fumehood.fuzz.html_files import page
from fumehood.sandbox.loading import read_in_process

A, B, C = "<mi>a</mi>", "<mi>b</mi>", "<mi>c</mi>"


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (f"<mfrac>{A} {B}</mfrac>", "a/b"),
        (f"<msup>{A}{B}</msup>", "a^b"),
        (f"<munder>{A}{B}</munder>", "a_b"),
        (f"<msubsup>{A}\n{B}\n{C}</msubsup>", "a_b^c"),
        (f"<mrow>{A}<mo>+</mo>{B}</mrow>", "a+b"),
        (f"<mfrac>{A}{B}{C}</mfrac>", "a/bc"),
        (f"<mfrac>{A}</mfrac>", "a"),
        (f"<mtable><mtr><mtd>{A}</mtd><mtd>{B}</mtd></mtr><mtr><mtd>{C}</mtd></mtr></mtable>", "a b; c"),
        ("<msqrt></msqrt>", ""),
    ],
)
def test_parts_have_signs_between_them(formula: str, text: str) -> None:
    assert read_in_process(kinds.get("html"), page(f"<math>{formula}</math>")).text == text

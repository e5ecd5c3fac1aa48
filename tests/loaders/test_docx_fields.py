"""Fields: their instructions, and which of them are links."""

from __future__ import annotations

from fumehood.loaders.shared.docx_fields import MAX_OPEN, Fields


def test_a_field_has_a_code_and_then_a_result() -> None:
    fields = Fields()
    fields.begin()
    assert fields.in_code
    fields.instruction(' HYPERLINK "https://a.example/"')
    fields.separate(3)
    assert not fields.in_code
    ended = fields.end()
    assert ended is not None
    assert (ended.target, ended.start) == ("https://a.example/", 3)
    assert fields.end() is None


def test_a_result_within_an_instruction_is_of_the_instruction() -> None:
    fields = Fields()
    fields.begin()
    fields.begin()
    fields.separate(0)
    assert fields.in_code
    fields.end()
    fields.separate(0)
    assert not fields.in_code


def test_an_instruction_ends_with_its_paragraph_and_a_link_does_not() -> None:
    fields = Fields()
    fields.begin()
    fields.instruction("HYPERLINK x")
    fields.separate(0)
    fields.begin()
    assert [field.target for field in fields.close_paragraph()] == ["x"]
    assert not fields.in_code


def test_fields_within_each_other_are_bounded() -> None:
    fields = Fields()
    for _ in range(3 * MAX_OPEN):
        fields.begin()
    for _ in range(2 * MAX_OPEN):
        assert fields.end() is None
    assert fields.end() is not None

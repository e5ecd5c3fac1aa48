r"""Fields of RTF: an instruction that nobody sees, and the result that stands for it (RTF 1.9.1, "Fields")."""

from __future__ import annotations

from functools import partial

from fumehood.limits.budget import Budget
from fumehood.loaders.shared.ooxml_symbols import mapped
from fumehood.loaders.shared.rtf_machine import Machine
from fumehood.loaders.shared.rtf_state import Field
from fumehood.loaders.shared.rtf_story import open_story
from fumehood.loaders.shared.rtf_tokens import Handler
from fumehood.loaders.shared.word_fields import link_target, symbol


def handlers(machine: Machine, budget: Budget) -> dict[bytes, Handler]:
    """What the control words of fields do."""
    return {
        b"field": lambda _: _begin(machine),
        b"fldinst": lambda _: _enter_instruction(machine),
        b"fldrslt": lambda _: _enter_result(machine),
        b"formfield": lambda _: None,
        b"ffl": lambda _: _enter_entry(machine, budget),
        **{word: partial(_set_form, machine, word) for word in (b"fftype", b"ffres", b"ffdefres")},
    }


def _begin(machine: Machine) -> None:
    machine.flush()
    field = machine.state.field = Field()
    machine.at_close(lambda: _end(machine, field))


def _end(machine: Machine, field: Field) -> None:
    text = field.text()
    if text:
        machine.text(text)


def _enter_instruction(machine: Machine) -> None:
    field = machine.state.field
    if field is None:
        machine.skip()
    else:
        machine.collect(partial(_set_instruction, field))


def _set_instruction(field: Field, text: str) -> None:
    field.target = link_target(text)
    found = symbol(text)
    if found is not None:
        field.shown = mapped(*found)


def _enter_result(machine: Machine) -> None:
    field, story = machine.state.field, open_story(machine)
    if field is None or story is None:
        return
    start, target = story.length, field.target

    def close() -> None:
        field.has_result = story.length > start
        if target is not None:
            story.end_link()

    if target is not None:
        story.begin_link(target)
    machine.at_close(close)


def _set_form(machine: Machine, word: bytes, value: int | None) -> None:
    if machine.state.field is not None:
        machine.state.field.form[word] = value or 0


def _enter_entry(machine: Machine, budget: Budget) -> None:
    field = machine.state.field
    if field is not None:
        budget.spend("nodes")
        machine.collect(field.entries.append)

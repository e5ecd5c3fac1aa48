"""What the documents list is what there is."""

from __future__ import annotations

import dataclasses
import importlib
import re
from pathlib import Path

import msgspec
import pytest

import fumehood
from fumehood import Block, Chunk, Document, Limits, Locator, Receipt
from fumehood.chunking import Options, strategies
from fumehood.chunking.model import Context
from fumehood.document import METADATA_KEYS, ROLES
from fumehood.errors import NOTICE_CODES, REFUSAL_CODES
from fumehood.index import Filters, Index, StoreError
from fumehood.kinds import OPTION_NAMES, Kind, ReadOptions, kinds
from fumehood.limits.policy import parse_limit
from fumehood.loaders.shared.builder import Builder
from fumehood.sandbox.layers import DEFAULT_REQUIRE, LAYERS
from fumehood.testing import check_loader

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
INDEX = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
CHUNKING = (ROOT / "docs" / "chunking.md").read_text(encoding="utf-8")
LOADERS = (ROOT / "docs" / "loaders.md").read_text(encoding="utf-8")
READING = (ROOT / "docs" / "reading.md").read_text(encoding="utf-8")
SECURITY = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")


def test_every_limit_is_listed_with_its_default() -> None:
    listed = dict(re.findall(r"\| `([a-z_]+)` \| ([0-9][0-9,]*(?: [MG]iB)?) (?=\|)", README))
    assert set(listed) == {field.name for field in dataclasses.fields(Limits)}
    for name, text in listed.items():
        assert parse_limit(name, text.replace(",", "")) == getattr(Limits(), name), name


def test_every_preset_is_listed_with_its_limits() -> None:
    rows = re.findall(r"\n\| `([a-z_]+)` \| ([0-9][^|]*) \| ([^|]*) \| ([^|]*) \| [A-Za-z]", READING)
    assert [name for name, *_ in rows] == [field.name for field in dataclasses.fields(Limits)]
    for name, *values in rows:
        presets = (Limits(), Limits.strict(), Limits.generous())
        assert [parse_limit(name, value.replace(",", "")) for value in values] == [
            getattr(each, name) for each in presets
        ]


@pytest.mark.parametrize("code", REFUSAL_CODES)
def test_every_refusal_is_listed(code: str) -> None:
    assert f"`{code}`" in README


@pytest.mark.parametrize("code", NOTICE_CODES)
def test_every_notice_is_explained(code: str) -> None:
    assert re.search(rf"\n\| [a-z` -]*`{code}`[a-z` -]* \| ", READING)


@pytest.mark.parametrize("model", [Block, Document, Locator, Receipt], ids=lambda model: model.__name__)
def test_every_field_of_what_a_read_returns_is_explained(model: type[msgspec.Struct]) -> None:
    named = set(re.findall(r"[a-z_0-9]+", " ".join(re.findall(r"`[^`\n]+`", READING))))
    assert set(model.__struct_fields__) <= named


def test_every_option_is_explained_with_its_default() -> None:
    listed = dict(re.findall(r"\n\| `([a-z]+)` \| (None|False) \| ", READING.split("| option |")[1]))
    assert listed == {name: str(getattr(ReadOptions(), name)) for name in OPTION_NAMES}


def test_every_role_and_every_key_of_metadata_is_listed() -> None:
    assert f"`{' '.join(ROLES)}`" in READING
    (keys,) = re.findall(r"\| `metadata` \| `([^`]*)`", READING)
    assert set(keys.split()) == METADATA_KEYS


def test_every_public_name_is_in_a_document() -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")) + README
    assert [name for name in fumehood.__all__ if not re.search(rf"\b{name}\b", pages)] == []


@pytest.mark.parametrize("page", sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]), ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)", page.read_text(encoding="utf-8")):
        linked = (page.parent / target) if target else page
        assert linked.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", linked.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {heading.lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("layer", LAYERS)
def test_every_layer_is_explained(layer: str) -> None:
    assert f"`{layer}`" in README
    assert f"\n| `{layer}` | " in SECURITY


@pytest.mark.parametrize("name", sorted(DEFAULT_REQUIRE))
def test_what_is_required_by_default_is_said(name: str) -> None:
    for document in (README, SECURITY):
        (said,) = re.findall(r"By default .*?(?:refused|Otherwise)", document, re.DOTALL)
        assert f"`{name}`" in said


def test_every_built_in_kind_is_listed_with_its_options() -> None:
    for kind in kinds():
        if kind.module.startswith("fumehood."):
            (options,) = re.findall(rf"\| `{kind.name}` \| [^|]+ \| ([^|]*) \|", README)
            assert set(options.strip("`").split()) == kind.options


def test_every_chunking_option_is_listed_with_its_default() -> None:
    listed: dict[str, str] = {}
    for names, defaults in re.findall(r"\| (`[a-z_`, ]+`) \| ([^|]+) \| ", CHUNKING.split("\n## Options\n")[1]):
        names = re.findall(r"`([a-z_]+)`", names)
        defaults = defaults.split(", ") if ", " in defaults else [defaults] * len(names)
        listed.update(zip(names, (default.strip("` ") for default in defaults), strict=True))
    assert listed == {field.name: str(field.default) for field in dataclasses.fields(Options)}


def test_every_field_of_a_chunk_is_named() -> None:
    (said,) = re.findall(r"A `Chunk` has (.*?)\.\n", CHUNKING, re.DOTALL)
    assert set(Chunk.__struct_fields__) | set(Context.__struct_fields__) <= set(re.findall(r"`([a-z]+)`", said))


def test_every_strategy_is_listed_with_what_it_sets() -> None:
    told = dict(re.findall(r"\n\| `([a-z]+)` \| [^|]+ \| ([^|]*)\|", CHUNKING))
    for strategy in strategies():
        said = told[strategy.name]
        for inherited in re.findall(r"those of `([a-z]+)`", said):
            said += told[inherited]
        for option, value in strategy.defaults.items():
            assert _assignment(option, value) in said, (strategy.name, option)


def test_every_call_filter_and_error_of_the_index_is_listed() -> None:
    calls = {name for name in vars(Index) if not name.startswith("_")} - {"close"}
    errors = {error.__name__ for error in StoreError.__subclasses__()}
    for name in calls | set(Filters.__struct_fields__) | errors | {"StoreError"}:
        assert re.search(rf"`{name}[`(]", INDEX), name


def _assignment(option: str, value: object) -> str:
    if value is True:
        return f"`{option}`"
    return f'`{option}="{value}"`' if isinstance(value, str) else f"`{option}={value}`".replace(".0`", "`")


def test_every_call_of_the_builder_and_every_field_of_a_kind_is_explained() -> None:
    calls = {name for name, member in vars(Builder).items() if not name.startswith("_") and callable(member)}
    calls -= {"finish", "text", "text_parts"}
    assert {name for name in calls if f"`{name}(" in LOADERS} == calls
    assert {name for name in Kind.__struct_fields__ if f"`{name}`" in LOADERS} == set(Kind.__struct_fields__)


def test_the_loader_that_is_shown_conforms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it stands on the page."""
    shown = re.findall(r"```python\n(# tidelog/\S+): .*\n((?:.*\n)*?)```", LOADERS)
    (tmp_path / "shown").mkdir()
    for name, code in shown:
        (tmp_path / "shown" / name.rpartition("/")[2]).write_text(code.replace('"tidelog.', '"shown.'))
    monkeypatch.syspath_prepend(str(tmp_path))
    check_loader(importlib.import_module("shown").KIND, count=4, most_bytes=16 * 1024)

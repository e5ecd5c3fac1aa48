"""Every module has a test file of its own, at the same place under `tests/`."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"

# Modules without a test file, each with where it is tested instead. May only shrink.
EXCEPTIONS = {
    "src/fumehood/__main__.py": "cli/ starts through it",
    "src/fumehood/cli/exits.py": "constants; cli/test_read.py",
    "src/fumehood/chunking/abbreviations.py": "constants; chunking/test_segmentation.py",
    "src/fumehood/testing/samples.py": "constants; testing/test_strategies.py",
    **dict.fromkeys(
        (
            "src/fumehood/chunking/boundaries.py",
            "src/fumehood/chunking/cuts.py",
            "src/fumehood/chunking/dress.py",
            "src/fumehood/chunking/fences.py",
            "src/fumehood/chunking/units.py",
        ),
        "chunking/test_pack.py, chunking/test_split.py and chunking/test_properties.py",
    ),
    "src/fumehood/chunking/errors.py": "chunking/test_pack.py, chunking/test_split.py and chunking/test_bound.py",
    "src/fumehood/chunking/semantic.py": "chunking/test_registry.py",
    **dict.fromkeys(
        (
            "src/fumehood/testing/breach.py",
            "src/fumehood/testing/budgets.py",
            "src/fumehood/testing/endings.py",
            "src/fumehood/testing/growth.py",
            "src/fumehood/testing/inputs.py",
            "src/fumehood/testing/outcomes.py",
            "src/fumehood/testing/watched.py",
        ),
        "testing/test_loaders.py",
    ),
    "src/fumehood/index/errors.py": "index/test_connection.py",
    **dict.fromkeys(
        (
            "src/fumehood/index/model.py",
            "src/fumehood/index/protocol.py",
            "src/fumehood/index/reading.py",
            "src/fumehood/index/schema.py",
            "src/fumehood/index/writing.py",
        ),
        "index/test_store.py and index/test_stateful.py",
    ),
    "src/fumehood/cli/signals.py": "cli/test_read.py and cli/test_ingest.py",
    "src/fumehood/cli/values.py": "cli/test_arguments.py",
    "src/fumehood/markdown_grammar.py": "test_markdown.py, against the examples and another parser",
    "src/fumehood/vocabulary.py": "constants; test_errors.py",
    "src/fumehood/specimens.py": "constants; sandbox/test_loading.py reads each",
    "limits/zip_records.py": "limits/test_zip.py",
    "loaders/shared/escaping.py": "loaders/test_builder.py and loaders/test_builder_roundtrip.py",
    **dict.fromkeys(
        (
            "loaders/shared/docx_graphics.py",
            "loaders/shared/docx_inline.py",
            "loaders/shared/docx_looks.py",
            "loaders/shared/story_items.py",
            "loaders/shared/docx_notes.py",
            "loaders/shared/docx_properties.py",
            "loaders/shared/docx_story.py",
            "loaders/shared/story_writer.py",
            "loaders/shared/grid.py",
            "loaders/shared/lines.py",
            "loaders/shared/ooxml_branches.py",
            "loaders/shared/ooxml_properties.py",
            "loaders/shared/ooxml_text.py",
            "loaders/shared/tally.py",
        ),
        "loaders/test_docx.py",
    ),
    **dict.fromkeys(
        (
            "loaders/shared/pptx_comments.py",
            "loaders/shared/pptx_frame.py",
            "loaders/shared/pptx_layouts.py",
            "loaders/shared/pptx_shapes.py",
            "loaders/shared/pptx_slides.py",
            "loaders/shared/pptx_text.py",
            "loaders/shared/pptx_writer.py",
        ),
        "loaders/test_pptx.py",
    ),
    **dict.fromkeys(
        (
            "loaders/shared/alphabets.py",
            "loaders/shared/binary.py",
        ),
        "loaders/test_encoding.py and loaders/test_guessing.py",
    ),
    **dict.fromkeys(
        (
            "loaders/shared/html_context.py",
            "loaders/shared/html_document.py",
            "loaders/shared/html_emit.py",
            "loaders/shared/html_inline.py",
            "loaders/shared/html_lists.py",
            "loaders/shared/html_names.py",
            "loaders/shared/html_nodes.py",
            "loaders/shared/html_table.py",
            "loaders/shared/html_walk.py",
        ),
        "loaders/test_html.py",
    ),
    **dict.fromkeys(
        (
            "loaders/shared/epub_package.py",
            "loaders/shared/epub_toc.py",
        ),
        "loaders/test_epub.py",
    ),
    **dict.fromkeys(
        (
            "loaders/shared/compound.py",
            "loaders/shared/magic.py",
            "loaders/shared/markers.py",
        ),
        "loaders/test_sniff.py",
    ),
    **dict.fromkeys(
        (
            "loaders/shared/pdf_attachments.py",
            "loaders/shared/pdf_destinations.py",
            "loaders/shared/pdf_fields.py",
            "loaders/shared/pdf_labels.py",
            "loaders/shared/pdf_outline.py",
            "loaders/shared/pdf_structure.py",
            "loaders/shared/pdf_trees.py",
            "loaders/shared/pdf_unplaced.py",
            "loaders/shared/pdf_xml.py",
            "loaders/shared/pdf_xmp.py",
        ),
        "loaders/test_pdf_beside.py",
    ),
    **dict.fromkeys(
        (
            "loaders/shared/pdfium_forms.py",
            "loaders/shared/pdfium_glyphs.py",
            "loaders/shared/pdfium_library.py",
            "loaders/shared/pdfium_objects.py",
            "loaders/shared/pdfium_pages.py",
            "loaders/shared/pdfium_text.py",
            "loaders/shared/pdfium_typefaces.py",
            "loaders/shared/pdfium_words.py",
        ),
        "loaders/test_pdfium.py and test_pdf_spacing.py",
    ),
    **dict.fromkeys(
        (
            "loaders/shared/pdf_aligned.py",
            "loaders/shared/pdf_boxes.py",
            "loaders/shared/pdf_columns.py",
            "loaders/shared/pdf_edges.py",
            "loaders/shared/pdf_furniture.py",
            "loaders/shared/pdf_joining.py",
            "loaders/shared/pdf_lines.py",
            "loaders/shared/pdf_notes.py",
            "loaders/shared/pdf_output.py",
            "loaders/shared/pdf_paragraphs.py",
            "loaders/shared/pdf_turning.py",
        ),
        "loaders/test_pdf_reading_order.py sets pages for each",
    ),
    **dict.fromkeys(
        (
            "loaders/shared/pdf_colours.py",
            "loaders/shared/pdf_geometry.py",
            "loaders/shared/pdf_glyphs.py",
            "loaders/shared/pdf_layers.py",
            "loaders/shared/pdf_paths.py",
            "loaders/shared/pdf_state.py",
            "loaders/shared/pdf_writing.py",
        ),
        "loaders/test_pdf_not_seen.py",
    ),
    **dict.fromkeys(
        (
            "loaders/shared/pdf_annotations.py",
            "loaders/shared/pdf_cmaps.py",
            "loaders/shared/pdf_content.py",
            "loaders/shared/pdf_graphics.py",
            "loaders/shared/pdf_interpreter.py",
            "loaders/shared/pdf_crypt.py",
            "loaders/shared/pdf_fonts.py",
            "loaders/shared/pdf_metadata.py",
            "loaders/shared/pdf_pages.py",
            "loaders/shared/pdf_session.py",
            "loaders/shared/pdf_strings.py",
            "loaders/shared/pdfminer_patches.py",
        ),
        "loaders/test_pdf.py",
    ),
    **dict.fromkeys(
        ("loaders/shared/pdf_file.py",),
        "loaders/test_pdf_damage.py",
    ),
    "loaders/shared/pdf_cells.py": "loaders/test_pdf_tables.py",
    **dict.fromkeys(
        (
            "loaders/shared/rtf_characters.py",
            "loaders/shared/rtf_colors.py",
            "loaders/shared/rtf_destinations.py",
            "loaders/shared/rtf_document.py",
            "loaders/shared/rtf_fields.py",
            "loaders/shared/rtf_info.py",
            "loaders/shared/rtf_machine.py",
            "loaders/shared/rtf_sections.py",
            "loaders/shared/rtf_state.py",
            "loaders/shared/rtf_story.py",
            "loaders/shared/rtf_styles.py",
        ),
        "loaders/test_rtf.py",
    ),
    **dict.fromkeys(
        (
            "loaders/shared/mail_body.py",
            "loaders/shared/mail_head.py",
            "loaders/shared/mail_message.py",
        ),
        "loaders/test_eml.py",
    ),
    "loaders/shared/mime_headers.py": "loaders/test_mime_parts.py",
    **dict.fromkeys(
        ("src/fumehood/ingest/flow.py", "src/fumehood/ingest/pruning.py", "src/fumehood/ingest/steps.py"),
        "ingest/test_pipeline.py",
    ),
    "loaders/shared/delimited.py": "loaders/test_csv.py and loaders/test_tsv.py",
    "loaders/shared/element_text.py": "loaders/test_xml.py",
    "loaders/shared/flat.py": "loaders/test_jsonl.py",
    "loaders/shared/json_text.py": "loaders/test_json.py and loaders/test_jsonl.py",
    "loaders/shared/markdown_blocks.py": "loaders/test_markdown.py and loaders/test_ipynb.py",
    "loaders/shared/notebook.py": "loaders/test_ipynb.py",
    "loaders/shared/word_styles.py": "constants; loaders/test_docx.py and loaders/test_rtf.py",
    "loaders/shared/yaml_events.py": "loaders/test_yaml.py",
    **dict.fromkeys(
        (
            "loaders/shared/odf_asides.py",
            "loaders/shared/odf_content.py",
            "loaders/shared/odf_document.py",
            "loaders/shared/odf_drawing.py",
            "loaders/shared/odf_line.py",
            "loaders/shared/odf_looks.py",
            "loaders/shared/odf_math.py",
            "loaders/shared/odf_meta.py",
            "loaders/shared/odf_pages.py",
            "loaders/shared/odf_story.py",
            "loaders/shared/odf_styles.py",
        ),
        "loaders/test_odt.py",
    ),
    **dict.fromkeys(
        (
            "loaders/shared/odf_data_styles.py",
            "loaders/shared/odf_sheets.py",
            "loaders/shared/odf_tables.py",
        ),
        "loaders/test_ods.py",
    ),
    "loaders/shared/text_look.py": "loaders/test_docx.py, loaders/test_odt.py and loaders/test_rtf.py",
    "loaders/shared/sheet_rows.py": "loaders/test_sheet_regions.py",
    "loaders/shared/odf_names.py": "loaders/test_odf_lists.py and loaders/test_odf_xml.py",
    "loaders/shared/odf_slides.py": "loaders/test_odp.py",
    **dict.fromkeys(
        (
            "loaders/shared/date_names.py",
            "loaders/shared/format_dates.py",
            "loaders/shared/format_numbers.py",
            "loaders/shared/format_sections.py",
        ),
        "loaders/test_number_format.py",
    ),
    **dict.fromkeys(
        (
            "loaders/shared/xlsx_comments.py",
            "loaders/shared/xlsx_drawing.py",
            "loaders/shared/xlsx_looks.py",
            "loaders/shared/xlsx_page_text.py",
            "loaders/shared/sheet_writer.py",
            "loaders/shared/xlsx_sheet.py",
            "loaders/shared/xlsx_strings.py",
            "loaders/shared/xlsx_values.py",
        ),
        "loaders/test_xlsx.py",
    ),
    "loaders/shared/plain.py": "loaders/test_text.py and loaders/test_markdown.py",
    "loaders/shared/tree.py": "loaders/test_json.py",
    **dict.fromkeys(
        (
            "sandbox/bpf.py",
            "sandbox/examine.py",
            "sandbox/frames.py",
            "sandbox/root.py",
            "sandbox/system.py",
            "sandbox/witness.py",
            "sandbox/worker.py",
            "sandbox/zygote.py",
        ),
        "test_reader.py, sandbox/test_host.py, sandbox/test_weaker_machines.py and attacks/",
    ),
}


def _modules() -> list[str]:
    found = [
        path
        for folder in ("src/fumehood", "sandbox", "loaders", "limits")
        for path in (ROOT / folder).rglob("*.py")
        if path.name != "__init__.py" and not any(parent.is_symlink() for parent in path.parents)
    ]
    return sorted(str(path.relative_to(ROOT)) for path in found)


def _test_file(module: str) -> Path:
    """What stands in `shared/` is tested beside the loaders that use it."""
    path = Path(module.removeprefix("src/fumehood/").replace("/shared/", "/"))
    return TESTS / path.parent / f"test_{path.name}"


@pytest.mark.parametrize("module", _modules())
def test_a_module_has_its_test_file(module: str) -> None:
    if module in EXCEPTIONS:
        assert not _test_file(module).exists(), f"{module} has a test file now: take it off the list of exceptions"
    else:
        assert _test_file(module).exists(), f"write {_test_file(module).relative_to(ROOT)}"


def test_exceptions_name_modules_that_exist() -> None:
    assert set(EXCEPTIONS) <= set(_modules())

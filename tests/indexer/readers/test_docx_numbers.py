"""Automatic numbers: what Word shows before a paragraph and keeps outside its text."""

from __future__ import annotations

from pathlib import Path

import pytest
from docx_samples import blocks_of, level, numbering, paragraph, styles

from indexer.readers.docx.numerals import numeral

LEGAL = level(0, "%1.") + level(1, "%1.%2") + level(2, "(%3)", "lowerLetter")
NUM = '<w:num w:numId="{}"><w:abstractNumId w:val="0"/>{}</w:num>'


def labels(folder: Path, levels: list[int], definition: str = LEGAL, **parts: str) -> list[str]:
    """Return the numbers of paragraphs at these levels of one list."""
    body = "".join(paragraph("Text.", number=(1, index)) for index in levels)
    return [
        block.label for block in blocks_of(folder, body, numbering=numbering(definition), **parts)
    ]


def test_levels_count_and_begin_anew_below_a_higher_one(tmp_path):
    found = labels(tmp_path, [0, 1, 2, 2, 1, 2, 0, 1])
    assert found == ["1.", "1.1", "(a)", "(b)", "1.2", "(a)", "2.", "2.1"]


@pytest.mark.parametrize(
    ("number_format", "value", "written"),
    [
        ("decimal", 12, "12"), ("decimalZero", 7, "07"), ("lowerLetter", 26, "z"),
        ("lowerLetter", 27, "aa"), ("lowerLetter", 28, "bb"), ("upperLetter", 3, "C"),
        ("lowerRoman", 14, "xiv"), ("upperRoman", 49, "XLIX"), ("ordinal", 22, "22nd"),
        ("ordinal", 12, "12th"), ("cardinalText", 21, "Twenty-one"), ("ordinalText", 3, "Third"),
        ("ordinalText", 120, "One hundred twentieth"), ("none", 4, ""), ("chicago", 5, "5"),
        ("lowerRoman", 0, "0"), ("upperLetter", 100_000, "100000"),
    ],
)  # fmt: skip
def test_number_formats(number_format, value, written):
    assert numeral(value, number_format) == written


def test_a_level_may_go_on_below_a_new_chapter(tmp_path):
    running = level(0, "Part %1") + level(1, "%2.", more='<w:lvlRestart w:val="0"/>')
    assert labels(tmp_path, [0, 1, 1, 0, 1], running) == ["Part 1", "1.", "2.", "Part 2", "3."]


def test_a_level_may_begin_anew_only_below_a_certain_one(tmp_path):
    after_parts = (
        level(0, "Part %1") + level(1, "Chapter %2")
        + level(2, "%3.", more='<w:lvlRestart w:val="1"/>')
    )  # fmt: skip
    found = labels(tmp_path, [0, 1, 2, 1, 2, 0, 1, 2], after_parts)
    assert found == [
        "Part 1", "Chapter 1", "1.", "Chapter 2", "2.", "Part 2", "Chapter 1", "1.",
    ]  # fmt: skip


def test_legal_levels_write_all_numbers_as_decimals(tmp_path):
    legal = level(0, "%1", "upperRoman") + level(1, "%1.%2", more="<w:isLgl/>")
    assert labels(tmp_path, [0, 1, 0, 1], legal) == ["I", "1.1", "II", "2.1"]


def test_a_legal_level_keeps_the_zero_before_its_decimals(tmp_path):
    legal = level(0, "ARTICLE %1", "upperRoman")
    legal += level(1, "Section %1.%2", "decimalZero", more="<w:isLgl/>")
    assert labels(tmp_path, [0, 1], legal) == ["ARTICLE I", "Section 1.01"]


def test_a_skipped_level_shows_its_first_number_and_counts_as_begun(tmp_path):
    from_three = level(0, "%1", more='<w:start w:val="3"/>') + level(1, "%1.%2")
    assert labels(tmp_path, [1, 1, 0, 1], from_three) == ["3.1", "3.2", "4", "4.1"]


def test_a_list_with_a_start_of_its_own_begins_anew_once(tmp_path):
    restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'
    lists = numbering(LEGAL, NUM.format(1, "") + NUM.format(2, restart))
    body = "".join(paragraph("Text.", number=(one, 0)) for one in (1, 1, 2, 2, 1))
    found = [block.label for block in blocks_of(tmp_path, body, numbering=lists)]
    assert found == ["1.", "2.", "5.", "6.", "7."]


def test_an_override_may_change_how_a_level_looks(tmp_path):
    own = f'<w:lvlOverride w:ilvl="0">{level(0, "Rule %1")}</w:lvlOverride>'
    lists = numbering(LEGAL, NUM.format(1, own))
    (block,) = blocks_of(tmp_path, paragraph("Text.", number=(1, 0)), numbering=lists)
    assert block.label == "Rule 1"


def test_styles_number_paragraphs_and_those_based_on_them(tmp_path):
    named = numbering(
        level(0, "%1.", more='<w:pStyle w:val="Chapter"/>')
        + level(1, "%1.%2", more='<w:pStyle w:val="Section"/>')
    )
    definitions = styles(
        '<w:style w:type="paragraph" w:styleId="Chapter"><w:name w:val="Chapter"/>'
        '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="Section"><w:basedOn w:val="Chapter"/>'
        '<w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="Note"><w:basedOn w:val="Section"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="Plain"><w:basedOn w:val="Section"/>'
        '<w:pPr><w:numPr><w:numId w:val="0"/></w:numPr></w:pPr></w:style>'
    )
    body = "".join(
        paragraph("Text.", style=style) for style in ("Chapter", "Section", "Note", "Plain")
    )
    found = blocks_of(tmp_path, body, numbering=named, styles=definitions)
    assert [block.label for block in found] == ["1.", "1.1", "1.2", ""]


def test_a_style_without_a_level_stands_for_the_level_that_names_it(tmp_path):
    named = numbering(level(0, "%1.") + level(1, "%1.%2", more='<w:pStyle w:val="Section"/>'))
    definitions = styles(
        '<w:style w:type="paragraph" w:styleId="Section"><w:pPr><w:numPr><w:numId w:val="1"/>'
        "</w:numPr></w:pPr></w:style>"
    )
    body = paragraph("A", number=(1, 0)) + paragraph("B", style="Section")
    found = blocks_of(tmp_path, body, numbering=named, styles=definitions)
    assert [block.label for block in found] == ["1.", "1.1"]


def test_a_paragraph_may_turn_the_number_of_its_style_off(tmp_path):
    definitions = styles(
        '<w:style w:type="paragraph" w:styleId="Rule"><w:pPr><w:numPr><w:ilvl w:val="0"/>'
        '<w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    )
    body = paragraph("A", style="Rule") + paragraph("B", style="Rule", number=(0, 0))
    found = blocks_of(tmp_path, body, numbering=numbering(LEGAL), styles=definitions)
    assert [block.label for block in found] == ["1.", ""]


def test_a_list_may_borrow_the_levels_of_a_list_style(tmp_path):
    lists = numbering(
        LEGAL,
        '<w:abstractNum w:abstractNumId="1"><w:numStyleLink w:val="Legal"/></w:abstractNum>'
        + NUM.format(1, "")
        + '<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>',
    )
    definitions = styles(
        '<w:style w:type="numbering" w:styleId="Legal"><w:pPr><w:numPr><w:numId w:val="1"/>'
        "</w:numPr></w:pPr></w:style>"
    )
    body = paragraph("A", number=(1, 0)) + paragraph("B", number=(2, 0))
    found = blocks_of(tmp_path, body, numbering=lists, styles=definitions)
    assert [block.label for block in found] == ["1.", "2."]


def test_bullets_and_signs_of_symbol_fonts_are_bullets(tmp_path):
    bullets = level(0, "\uf0b7", "bullet") + level(1, "–", "bullet")
    assert labels(tmp_path, [0, 1], bullets) == ["•", "–"]


def test_empty_paragraphs_count_but_section_breaks_do_not(tmp_path):
    lists = numbering(LEGAL)
    body = (
        paragraph("", number=(1, 0), properties="<w:sectPr/>")
        + paragraph("", number=(1, 0))
        + paragraph("Text.", number=(1, 0))
    )
    assert [block.label for block in blocks_of(tmp_path, body, numbering=lists)][-1] == "2."


def test_list_number_fields_are_computed_in_their_list(tmp_path):
    field = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        '<w:r><w:instrText> LISTNUM "Legal" \\l 3 </w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:tab/><w:t>First.</w:t></w:r>'
    )
    lists = numbering(f'<w:name w:val="Legal"/>{LEGAL}')
    body = paragraph(number=(1, 1), runs=field) + paragraph("Second.", number=(1, 2))
    first, second = blocks_of(tmp_path, body, numbering=lists)
    assert (first.label, first.text, second.label) == ("1.1", "(a)\tFirst.", "(b)")


@pytest.mark.parametrize("number", [(9, 0), (1, 8), (1, -1)])
def test_numbers_of_lists_that_do_not_exist_are_none(tmp_path, number):
    (block,) = blocks_of(tmp_path, paragraph("Text.", number=number), numbering=numbering(LEGAL))
    assert block.label == ""


def test_styles_and_lists_that_lead_in_circles_end(tmp_path):
    definitions = styles(
        '<w:style w:type="paragraph" w:styleId="A"><w:basedOn w:val="B"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="B"><w:basedOn w:val="A"/></w:style>'
        '<w:style w:type="numbering" w:styleId="L"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr>'
        "</w:pPr></w:style>"
    )
    lists = numbering('<w:numStyleLink w:val="L"/>')
    (block,) = blocks_of(
        tmp_path, paragraph("Text.", style="A", number=(1, 0)), numbering=lists, styles=definitions
    )
    assert (block.label, block.text) == ("", "Text.")

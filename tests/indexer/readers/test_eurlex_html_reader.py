"""EUR-Lex pages: consolidated texts, and the Official Journal with new and older classes."""

import pytest
from act_samples import (
    CONSOLIDATED_HTML,
    FORMEX,
    JOURNAL_HTML,
    act_of,
    numbers,
    read_text,
    texts,
)

from indexer.readers.formex import FormexReader
from indexer.readers.html.reader import HtmlReader
from indexer.structuring.acts.granularity import GRANULARITIES


@pytest.mark.parametrize("granularity", GRANULARITIES)
def test_a_page_and_the_formex_of_an_act_read_alike(tmp_path, granularity):
    page = read_text(HtmlReader(granularity), tmp_path, "act.html", CONSOLIDATED_HTML)
    formex = read_text(FormexReader(granularity), tmp_path, "act.xml", FORMEX)
    assert [(p.passage_id, p.text, p.kind) for p in page] == [
        (p.passage_id, p.text, p.kind) for p in formex
    ]
    assert page[0].document_id == formex[0].document_id
    assert page[0].metadata == formex[0].metadata


def test_marks_of_amendments_are_left_out_and_told(tmp_path):
    passages = read_text(HtmlReader("point"), tmp_path, "act.html", CONSOLIDATED_HTML)
    assert texts(passages)["Article 2a(1)(ca)"] == "pay EUR 35 000 a year."
    assert not any(mark in passage.text for mark in "▼►◄" for passage in passages)
    left = act_of(HtmlReader(), tmp_path / "act.html").left_out
    marks = [piece.text for piece in left if piece.reason == "a mark of an amendment"]
    assert {"►M2", "◄", "▼M1 —————"} <= set(marks)


def test_the_head_of_a_page_is_left_out_and_told(tmp_path):
    (tmp_path / "act.html").write_text(CONSOLIDATED_HTML, encoding="utf-8")
    left = act_of(HtmlReader(), tmp_path / "act.html").left_out
    assert ("This text has no legal effect.", "data about the file") in {
        (piece.text, piece.reason) for piece in left
    }


@pytest.mark.parametrize("page", [JOURNAL_HTML, JOURNAL_HTML.replace("oj-", "")])
def test_the_official_journal_is_read_with_new_and_older_classes(tmp_path, page):
    passages = read_text(HtmlReader("point"), tmp_path, "act.html", page)
    assert numbers(passages) == [
        "Preamble", "Recital 1", "Title I", "Article 2a", "Article 2a(1)", "Article 2a(1)(a)",
        "Footnote 1", "Article 2a(1)(a)(i)", "Article 2a(1)(b)", "Article 2a(2)",
        "Concluding formulas", "Annex", "Annex.Lamps", "Annex.1",
    ]  # fmt: skip
    found = texts(passages)
    assert found["Preamble"] == "THE EUROPEAN COMMISSION,\nHAS ADOPTED THIS REGULATION:"
    assert found["Article 2a(1)(a)"] == "light the lamp; and"
    assert found["Footnote 1"] == "See the Lamp Act."
    assert passages[0].document_id == "32019R0777"


def test_points_without_markup_of_their_own_are_nested_by_their_labels(tmp_path):
    gap = "\u00a0\u00a0"
    lines = ["(a)|first:", "(i)|one;", "(ii)|two;", "(b)|second."]
    items = "".join(f"<p class='normal'>{line.replace('|', gap)}</p>" for line in lines)
    page = f"<html><body><p class='ti-art'>Article 1</p><p>They are:</p>{items}</body></html>"
    assert numbers(read_text(HtmlReader("point"), tmp_path, "act.html", page)) == [
        "Article 1", "Article 1(a)", "Article 1(a)(i)", "Article 1(a)(ii)", "Article 1(b)",
    ]  # fmt: skip


def test_a_footnote_that_nothing_links_to_is_kept(tmp_path):
    page = JOURNAL_HTML.replace('href="#ntr1"', "")
    assert texts(read_text(HtmlReader(), tmp_path, "act.html", page))["Footnote 1"] == (
        "See the Lamp Act."
    )


def test_the_second_line_of_an_annex_title_is_its_heading(tmp_path):
    page = JOURNAL_HTML.replace(
        '<p class="oj-doc-ti">ANNEX</p>',
        '<p class="oj-doc-ti">ANNEX II</p><p class="oj-doc-ti">Of lamps</p>',
    )
    found = texts(read_text(HtmlReader(), tmp_path, "act.html", page))
    assert found["Annex II"] == "Of lamps"
    assert found["Annex II.1"] == "Red lamps."


def test_text_right_after_the_number_of_a_paragraph_is_kept(tmp_path):
    page = CONSOLIDATED_HTML.replace('<span class="no-parag">1a.  </span>', (
        '<span class="no-parag">1a.  </span>Note well. '
    ))  # fmt: skip
    found = texts(read_text(HtmlReader(), tmp_path, "act.html", page))
    assert found["Article 2a(1a)"] == "Note well.\nThe light has 10^6 candela."

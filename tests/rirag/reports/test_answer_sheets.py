"""Sheets of answers: everything a reader needs to check one, in three forms."""

from __future__ import annotations

from pathlib import Path

import pytest

from generation import (
    Answer,
    AnswerWarning,
    Citation,
    answer,
    filter_hits,
)
from generation.verify import verify
from rirag.reports.sheets.files import to_html, to_markdown, write_sheet
from rirag.reports.sheets.sheet import Sheet, sheet_of
from rirag.reports.sheets.sources import place_of, sources_of
from search.errors import InputError
from search.json_form import to_json
from search.records import Hit, Passage, RetrieverScore, Scores

RULE = (
    "A firm must report a loss to the Regulator within 14 days. A firm must keep a record of each "
    "loss for six years. The auditor must sign the report <b>by hand</b>."
)


def made(text: str = RULE, question: str = "What must a firm do about a loss?") -> Sheet:
    passage = Passage(
        "a", "A", "3.5", text, "Conduct", breadcrumb=("3 Losses",), source="rules.pdf:7"
    )
    found = answer(question, [Hit(1, 0.9, Scores(RetrieverScore(0.9, 0.9, 1)), passage)])
    return sheet_of(
        found.to_json(), {"a": to_json(passage)}, "rules-index, generation 4", "2026-05-04"
    )


def test_a_sheet_has_the_question_the_state_of_the_index_and_each_source_in_full() -> None:
    text = to_markdown(made())
    assert text.startswith("# What must a firm do about a loss?")
    assert "- Date: 2026-05-04" in text
    assert "- Index: rules-index, generation 4" in text
    assert "- State: Answered" in text
    assert "### \\[1\\] Conduct 3.5\n\n3 Losses · rules.pdf, page 7" in text
    assert "| a firm | must | report a loss" in text.replace("A firm", "a firm")


def test_a_page_shows_hostile_text_without_force() -> None:
    page = to_html(made(question="What must a firm do about a <script>loss?"))
    assert "<b>by hand" not in page and "<script" not in page
    assert "&lt;b&gt;by hand" in page
    assert '<h3 id="source-1">' in page


def test_nothing_is_marked_of_a_passage_that_is_not_quoted() -> None:
    cited = {"marker": "[1]", "id": "a", "document_id": "A", "passage_id": "3.5",
             "document_title": "Conduct", "breadcrumb": (), "quote": RULE}  # fmt: skip
    body = {"mode": "rag", "Answer": "Report it within a fortnight [1].", "citations": [cited]}
    (source,) = sources_of(body, {"a": {"passage": RULE}})
    assert (source.quotes, source.marks, source.unfound) == ([], [], 0)
    (source,) = sources_of(body | {"Answer": f"It says: “{RULE}” [1]."}, {"a": {"passage": RULE}})
    assert source.marks == [(0, len(RULE))]


def test_a_page_marks_the_words_that_are_quoted() -> None:
    assert "<mark>A firm must report a loss to the Regulator within 14 days." in to_html(made())


def test_a_table_of_duties_needs_three() -> None:
    assert len(made().duties) == 3
    assert made("A firm must pay.").duties == ()


def test_a_word_file_can_be_read_back(tmp_path: Path) -> None:
    docx = pytest.importorskip("docx")
    path = tmp_path / "answer.docx"
    write_sheet(made("A firm must pay \x07within 3 days."), path)
    text = "\n".join(one.text for one in docx.Document(str(path)).paragraphs)
    assert "A firm must pay within 3 days." in text
    assert "rules.pdf, page 7" in text


@pytest.mark.parametrize("name", ["answer.txt", "answer"])
def test_other_forms_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError) as caught:
        write_sheet(made(), tmp_path / name)
    assert caught.value.code == "output.format"


def test_a_file_that_exists_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "answer.md"
    path.write_text("mine")
    with pytest.raises(InputError) as caught:
        write_sheet(made(), path)
    assert caught.value.code == "output.exists"
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    ("source", "place"),
    [("a.pdf:3", "a.pdf, page 3"), ("a.md:30", "a.md"), ("a.html", "a.html"), ("", "")],
)
def test_a_source_is_named_by_file_and_page(source: str, place: str) -> None:
    assert place_of(source) == place


def test_every_form_says_what_is_known_against_the_answer(tmp_path: Path) -> None:
    docx = pytest.importorskip("docx")
    passage = Passage("a", "A", "3.5", RULE, "Conduct")
    given = Answer(
        "How soon?", "A firm must report a loss within 30 days [1].", "rag", filter_hits([]),
        citations=(Citation(1, passage),),
        warnings=(AnswerWarning("cut", "The answer is incomplete."),),
        verification=verify("A firm must report a loss within 30 days [1].", {1: passage}),
    )  # fmt: skip
    body = {**given.to_json(), "notes": ["one file lost its order"]}
    sheet = sheet_of(body, {"a": to_json(passage)}, "i", "2026-05-04")
    path = tmp_path / "answer.docx"
    write_sheet(sheet, path)
    word = "\n".join(one.text for one in docx.Document(str(path)).paragraphs)
    for text in (to_markdown(sheet), to_html(sheet), word):
        above = text.partition("Sources")[0]
        for known in ("unsupported: “A firm", "The answer is incomplete.", "lost its order"):
            assert known in above

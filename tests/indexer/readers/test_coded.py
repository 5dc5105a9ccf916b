"""Numbers behind the code of their book: `SYSC 4.1.1 R`, `CRE20.4`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from docx_samples import paragraph, write_docx

import indexer
import search
from indexer.hierarchy.kinds import lettered_guidance
from indexer.structuring.labels.book_codes import CODE, without_codes
from search.provisions.numbering import segments
from search.records import Passage

BOOK = """\
SYSC 4 General organisational requirements

SYSC 4.1 General requirements

SYSC 4.1.1 R
(1) A firm must have robust governance arrangements.
(2) A BIPRU firm must comply with SYSC 4.1.2 R.

SYSC 4.1.2 R
For a common platform firm, the arrangements must be comprehensive.

SYSC 4.1.2A G
Other firms should take account of the comprehensiveness rule.
"""
NUMBERS = ["4", "4.1", "4.1.1R", "4.1.1R.(1)", "4.1.1R.(2)", "4.1.2R", "4.1.2AG"]


def as_text(folder: Path) -> Path:
    path = folder / "book.txt"
    path.write_text(BOOK)
    return path


def as_word(folder: Path) -> Path:
    lines = ["Handbook", *(line for line in BOOK.splitlines() if line)]
    body = "".join(paragraph(line, bold=line.endswith("requirements")) for line in lines)
    return write_docx(folder / "book.docx", body)


def as_page(folder: Path) -> Path:
    path = folder / "book.html"
    lines = [line for line in BOOK.splitlines() if line]
    marked = (f"<h2>{one}</h2>" if one.endswith("ments") else f"<p>{one}</p>" for one in lines)
    path.write_text(f"<html><body>{''.join(marked)}</body></html>")
    return path


@pytest.fixture(params=[as_text, as_word, as_page])
def book(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    write: Callable[[Path], Path] = request.param
    return write(tmp_path)


def passages(book: Path) -> list[Passage]:
    return list(indexer.read(book))


def test_the_numbers_are_those_behind_the_code(book: Path) -> None:
    read = passages(book)
    assert [passage.passage_id for passage in read] == NUMBERS
    assert read[5].text == "For a common platform firm, the arrangements must be comprehensive."
    assert read[4].text == "A BIPRU firm must comply with SYSC 4.1.2 R."
    assert read[0].document_title in ("SYSC", "Handbook (SYSC)")


def test_what_is_guidance_says_its_letter(book: Path) -> None:
    kinds = {passage.passage_id: passage.kind for passage in passages(book)}
    assert kinds["4.1.2R"] == kinds["4.1.1R.(2)"] == "rule"
    assert kinds["4.1.2AG"] == "guidance"


def test_every_code_is_told_as_left_out(book: Path) -> None:
    told = indexer.structure(book).left_out
    assert [(note.pieces, note.words) for note in told if note.reason == CODE] == [(5, 5)]


@pytest.mark.parametrize(
    "question", ["SYSC 4.1.2R", "What does SYSC 4.1.2 R require?", "SYSC 4.1.2"]
)
def test_questions_name_the_rule_as_everybody_cites_it(
    book: Path, tmp_path: Path, question: str
) -> None:
    folder = str(tmp_path / "index")
    indexer.ingest([book], folder)
    with search.open(folder, reranker=None) as index:
        assert index.search(question).hits[0].passage_id == "4.1.2R"


@pytest.mark.parametrize(
    ("line", "bare"),
    [
        ("CRE20.4 Banks may", "20.4 Banks may"),
        ("CRE 20.4 Banks may", "20.4 Banks may"),
        ("CRE-20.4 Banks may", "20.4 Banks may"),
        ("**CRE20.4** Banks may", "**20.4** Banks may"),
        ("CRE 20.4.1 E Banks may", "20.4.1E Banks may"),
        ("CRE 20 Exposures", "20 Exposures"),
        ("MAR 20.4 applies", "MAR 20.4 applies"),
        ("Under CRE 20.4 banks may", "Under CRE 20.4 banks may"),
    ],
)
def test_what_is_a_code_before_a_number(line: str, bare: str) -> None:
    texts = without_codes(["CRE20.1 A", "CRE20.2 B", "CRE20.3 C", line]).texts
    assert texts[-1] == bare


@pytest.mark.parametrize(
    "lines",
    [
        ["PART 1.1 A", "PART 1.2 B"],
        ["TABLE 1.1 A", "TABLE 1.2 B"],
        ["CRE20.4 applies to banks."],
        ["1.1 Under", "CRE20.4 banks may, and under", "CRE20.5 they must.", "1.2 A", "1.3 B"],
        ["ISO 9001 A", "ISO 9002 B"],
        [],
    ],
)
def test_what_is_none(lines: list[str]) -> None:
    assert without_codes(lines) == (lines, "", frozenset())


def test_letters_of_inserted_rules_are_no_guidance() -> None:
    inserted = [segments(number) for number in ("1.1.1", "1.1.2", "1.1.2F", "1.1.2G")]
    told = [segments(number) for number in ("1.1", "1.1.1R", "1.1.2G", "1.1.2G.(1)", "1.1.2AEU")]
    assert lettered_guidance(inserted) == frozenset()
    assert lettered_guidance(told) == {2, 3}

"""Texts whose numbers begin at 1 again in each part, behind each letter, or behind a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.review.structure import DocumentStructure, structure

TEXT = """\
Court Rules (CRT)
PART 1 CLAIMS
1. A party must file a claim.
2. A party must pay.
PART 2 APPEALS
1. An appellant must give notice.
2. The court must hear.
"""
ANEW = ["PART 1", "PART 1.1.", "PART 1.2.", "PART 2", "PART 2.1.", "PART 2.2."]


@pytest.fixture
def read(tmp_path: Path):
    def run(text: str, name: str = "rules.txt") -> DocumentStructure:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        (document,) = structure(path).documents
        return document

    return run


def numbers(document: DocumentStructure) -> list[str]:
    return [passage.passage_id for passage in document.passages]


def told(document: DocumentStructure) -> list[str]:
    return [warning.message for warning in document.warnings]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (TEXT, "rules.txt"),
        (TEXT.replace("1 C", "1\tC").replace("2 A", "2\tA").replace(". ", ".\t"), "rules.txt"),
        (TEXT.replace("\n", "\n\n"), "rules.txt"),
        (TEXT.replace("1 C", "1\nC").replace("2 A", "2\nA"), "rules.txt"),
    ],
)
def test_numbers_that_begin_anew_in_each_part_are_those_of_the_part(read, text, name):
    document = read(text, name)
    assert numbers(document) == ANEW
    assert document.passages[4].breadcrumb == ("PART 2 APPEALS",)
    assert told(document) == []


def test_headings_of_markdown_are_parts_whose_numbers_begin_anew(read):
    document = read(TEXT.replace("Court", "# Court").replace("PART", "## PART"), "rules.md")
    parts = ["Part 1", "Part 1.1", "Part 1.2", "Part 2", "Part 2.1", "Part 2.2"]
    assert numbers(document) == parts
    assert document.passages[4].breadcrumb == ("Part 2 APPEALS",)
    assert told(document) == []


def test_rules_behind_a_word_begin_anew_as_well(read):
    text = (
        "Court Rules\nChapter 1 Claims\nRule 1 A party must file.\nRule 2 A party must pay.\n"
        "Chapter 2 Appeals\nRule 1 An appellant must give notice.\nRule 2 The court must hear.\n"
    )
    assert numbers(read(text)) == [
        "Chapter 1", "Chapter 1.Rule 1", "Chapter 1.Rule 2",
        "Chapter 2", "Chapter 2.Rule 1", "Chapter 2.Rule 2",
    ]  # fmt: skip


def test_numbers_that_run_on_through_chapters_begin_anew_in_parts(read):
    text = (
        "Court Rules\nPART 1\nChapter 1\n1. A party files.\nChapter 2\n2. A party pays.\n"
        "PART 2\nChapter 1\n1. A party appeals.\nSchedule 1\n1. A fee is due.\n"
    )
    assert numbers(read(text)) == [
        "PART 1", "PART 1.Chapter 1", "PART 1.Chapter 1.1.", "PART 1.Chapter 2",
        "PART 1.Chapter 2.2.", "PART 2", "PART 2.Chapter 1", "PART 2.Chapter 1.1.",
        "Schedule 1", "Schedule 1.1.",
    ]  # fmt: skip


def test_a_title_that_ends_with_rules_cites_nothing(read):
    text = "Conduct Rules\n1 Scope\n1.1 All.\nSchedule 1 Transitional rules\n1. A fee is due.\n"
    assert numbers(read(text)) == ["1", "1.1", "Schedule 1", "Schedule 1.1."]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A1\tScope\nA1.1\tAll pay.\nB1\tExits\nB1.1\tAll go.\n", ["A1", "A1.1", "B1", "B1.1"]),
        ("A.1 Scope\nA.1.1 All pay.\nB.1 Exits\nB.1.1 All.\n", ["A.1", "A.1.1", "B.1", "B.1.1"]),
    ],
)
def test_letters_that_count_from_a_on_begin_numbers(read, text, found):
    assert numbers(read(f"Fire Order (FSO)\n{text}")) == [*found]


@pytest.mark.parametrize(
    ("labels", "articles"),
    [
        (["Art. 1 Zweck", "Art. 2 Umfang", "Art. 2a Ende"], ["1", "2", "2a"]),
        (["Art. 1\tZweck", "Art. 2\tUmfang", "Art. 3"], ["1", "2", "3"]),
        (["Art. premier", "Art. 2", "Art. 2bis"], ["premier", "2", "2bis"]),
        (["Article premier", "Article 2"], ["premier", "2"]),
        (["Art. 1er. La loi est ici.", "Art. 2. Elle vaut."], ["1er", "2"]),
    ],
)
def test_articles_may_be_abbreviated_and_french(read, labels, articles):
    document = read("Loi\nTitle I\n" + "".join(f"{label}\n1 Dies gilt.\n" for label in labels))
    found = [f"Article {number}{part}" for number in articles for part in ("", "(1)")]
    assert numbers(document) == ["Title I", *found]
    assert {passage.breadcrumb[0] for passage in document.passages[1:]} == {"Title I"}
    assert told(document) == []


def test_paragraphs_below_an_abbreviated_article_are_its_items(read):
    document = read("Gesetz\nArt. 1 Zweck\n(1) Es gilt.\n(2) Es regelt.\nArt. 2 Ende\n(1) Nie.\n")
    assert numbers(document) == [
        "Article 1", "Article 1(1)", "Article 1(2)", "Article 2", "Article 2(1)",
    ]  # fmt: skip


@pytest.mark.parametrize("line", ["Art. 5 Abs. 2 gilt.", "Art. 1 gilt hier.", "Art. 7 Es gilt."])
def test_an_article_that_a_line_cites_opens_nothing(read, line):
    assert numbers(read(f"Gesetz\nArt. 1 Zweck\nEs gilt.\n{line}\nArt. 2 Ende\nNie.\n")) == [
        "Article 1", "Article 2",
    ]  # fmt: skip

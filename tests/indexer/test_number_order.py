"""Gaps and jumps in the numbers of a document."""

from __future__ import annotations

import pytest

from indexer.structuring.labels.number_order import order_faults
from search.provisions.numbering import segments


def faults(*names: str) -> list[tuple[str, str]]:
    found = order_faults(names, [segments(name) for name in names])
    return [(fault.kind, fault.message) for fault in found]


@pytest.mark.parametrize(
    "names",
    [
        ("1", "1.1", "1.2", "2", "2.1", "2.2"),
        ("1", "1.(a)", "1.(b)", "1.(c)"),
        ("1", *(f"1.({letter})" for letter in "abcdefghij")),
        ("1", "1.(i)", "1.(ii)", "1.(iii)", "1.(iv)", "1.(v)"),
        ("1", *(f"1.({letter})" for letter in "abcdefghijklmnopqrstuvwxyz"), "1.(aa)", "1.(bb)"),
        ("1", "2", "2A", "2B", "3"),
        ("Article 1", "Article 1(1)", "Article 1(1)(a)", "Article 1a", "Article 2"),
        tuple(f"Article 1{letter}" for letter in ["", *"abcdefghijklmnopqrstuvwxyz", "aa", "ab"]),
        ("Annex I", "Annex II", "Annex III", "Annex IV"),
        ("Part One", "Part Two", "Part Three"),
        ("1.1.Guidance.1", "1.1.Guidance.2", "1.2"),
        ("Interpretation", "Preamble"),
    ],
)
def test_numbers_in_order_are_no_fault(names: tuple[str, ...]) -> None:
    assert faults(*names) == []


@pytest.mark.parametrize(
    ("names", "kind", "message"),
    [
        (("1", "2", "5"), "gap", "5 follows 2: 2 numbers between are missing"),
        (("1", "1.(a)", "1.(c)"), "gap", "1.(c) follows 1.(a): 1 number between is missing"),
        (("1", "1.(i)", "1.(iv)"), "gap", "1.(iv) follows 1.(i): 2 numbers between are missing"),
        (("Article 1", "Article 3"), "gap",
         "Article 3 follows Article 1: 1 number between is missing"),
        (("1", "1.2", "1.3"), "gap", "numbers begin at 1.2"),
        (("1", "1.1", "1.3", "1.2"), "jump", "1.2 comes after 1.3"),
        (("Annex I", "Annex III", "Annex II"), "jump", "Annex II comes after Annex III"),
    ],
)  # fmt: skip
def test_a_fault_names_both_numbers(names: tuple[str, ...], kind: str, message: str) -> None:
    assert faults(*names) == [(kind, message)]


def test_section_numbers_may_run_on_through_parts_and_chapters() -> None:
    parts = ("Part 1", "Part 1.1", "Part 1.2", "Part 2", "Part 2.3", "Part 2.Chapter 1")
    assert faults(*parts, "Part 2.Chapter 1.4") == []
    assert faults(*parts, "Part 2.Chapter 1.6") == [
        ("gap", "Part 2.Chapter 1.6 follows Part 2.3: 2 numbers between are missing")
    ]


def test_section_numbers_may_begin_anew_in_each_part() -> None:
    assert faults("Part 1", "Part 1.1", "Part 1.2", "Part 2", "Part 2.1", "Part 2.2") == []


def test_paragraphs_may_run_on_into_appendices() -> None:
    assert faults("1)", "2)", "Appendix A", "Appendix A.3)", "Appendix B", "Appendix B.4)") == []


def test_an_excerpt_need_not_begin_with_the_first_number() -> None:
    assert faults("4.2", "4.3") == []
    assert faults("1", "1.2", "1.3") == [("gap", "numbers begin at 1.2")]


def test_titles_and_parts_of_a_code_are_counted_over_many_documents() -> None:
    part = ("Title 17", "Title 17.PART 240", "Title 17.PART 240.§ 240.10b-5")
    assert faults(*part, "Title 17.PART 241", "Title 17.PART 241.§ 241.1") == []
    assert faults(*part, "Title 17.PART 243") == [
        ("gap", "Title 17.PART 243 follows Title 17.PART 240: 2 numbers between are missing")
    ]
    assert faults("Part 3", "Part 3.§ 1", "Part 4") == [("gap", "numbers begin at Part 3")]


def test_the_only_chapter_of_a_file_is_one_of_a_book() -> None:
    assert faults("Chapter 3", "3.1", "3.2") == []

"""What a person should look at before a document is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from indexer.load.splitting import LONG_WORDS
from indexer.load.warnings import StructureWarning, structure_warnings
from indexer.review.structure import structure
from search.records import Passage


def warnings(*passages: str | tuple[str, str]) -> list[StructureWarning]:
    """Return the warnings about passages with these numbers (and texts)."""
    pairs = [one if isinstance(one, tuple) else (one, "Text.") for one in passages]
    return structure_warnings(
        [
            Passage(str(line), "D", number, text, source=f"d.txt:{line}")
            for line, (number, text) in enumerate(pairs, start=1)
        ]
    )


def told(*passages: str | tuple[str, str]) -> list[tuple[str, str]]:
    return [(warning.kind, warning.message) for warning in warnings(*passages)]


def test_a_warning_names_its_passage_and_place() -> None:
    (warning,) = warnings("1", "1.1", "1.4")
    assert (warning.id, warning.document_id, warning.passage_id) == ("3", "D", "1.4")
    assert (warning.kind, warning.source) == ("gap", "d.txt:3")


def test_a_number_that_several_passages_have_is_told_once() -> None:
    assert told("1", "1.1", "1.1.", "1.1") == [
        ("duplicate", "1.1. occurs 3 times, first at d.txt:2")
    ]


def test_a_section_with_a_dot_is_not_the_paragraph_of_another_one() -> None:
    assert told("5", "5(1)", "5(1)(a)", "5(1)(a.1)", "5.1", "5.1(1)", "5(1.1)") == []
    assert told("10", "10(1)", "10.(1)") == [("duplicate", "10.(1) occurs twice, first at d.txt:2")]


def test_the_item_of_a_list_is_not_the_next_paragraph() -> None:
    assert told("§ 1", "§ 1(1)", ("§ 1(2)", "Firms that\n2. hold shares,\n3. sell.")) == []
    assert told(("3.", "A firm reports.\n4. A firm pays.")) == [
        ("inside", "a line inside 3. begins with 4.")
    ]


def test_a_repeated_list_is_no_jump_as_well() -> None:
    assert told("1", "1.(a)", "1.(b)", "1.(a)", "1.(b)") == [
        ("duplicate", "1.(a) occurs twice, first at d.txt:2"),
        ("duplicate", "1.(b) occurs twice, first at d.txt:3"),
    ]


def test_a_missing_number_above_is_told_once_with_how_many_stand_below_it() -> None:
    assert told("1", "1.1", "2.1", "2.2", "2.3") == [
        ("orphan", "2.1 has no parent passage and 2 more")
    ]


def test_a_level_that_the_document_has_nowhere_is_not_missed() -> None:
    assert told("1.1", "1.2", "2.1") == []


def test_guidance_and_appendices_need_no_passage_of_their_own() -> None:
    assert told("1", "1.1", "1.1.Guidance.1", "APP1", "APP1.A1.1", "APP1.A1.1.1") == []


def test_the_part_in_the_number_of_a_section_needs_no_passage() -> None:
    assert "orphan" not in {kind for kind, _ in told("Part 240", "§ 240.1", "§ 240.2")}
    assert "orphan" not in {kind for kind, _ in told("Part 240", "240.1", "240.2")}
    assert "orphan" in {kind for kind, _ in told("Part 239", "240.1", "240.2")}
    numbers = ("PART 1", "PART 1.§ 1.1", "PART 1.Subpart A", "PART 1.Subpart A.§ 1.2")
    assert told(*numbers) == []


def test_terms_below_the_heading_of_a_glossary_are_no_orphans() -> None:
    assert told("1", "1.1", "2", "2.Glossary.Fund", "2.Glossary.Bank") == []
    assert "orphan" in {kind for kind, _ in told("1", "1.1", "2", "2.Risks.Fund")}


def test_a_number_that_says_the_one_above_again_is_no_orphan() -> None:
    assert told("Annex I", "Annex I.1", "Annex I.1.1.1", "Annex I.1.1.2") == []


@pytest.mark.parametrize(
    ("number", "line", "following"),
    [
        ("2.2", "2.3 A fee is due.", "2.4"), ("2.", "3. Fees are due.", "4."),
        ("2", "2.1\tFees are due.", "3"), ("2.4", "3. Fees", "4"),
        ("Part 1.2.", "3. Fees are due.", "Part 1.4."),
    ],
)  # fmt: skip
def test_a_line_that_begins_with_the_number_to_come_is_told(number, line, following) -> None:
    found = told((number, f"Text.\n{line}"), following)
    assert ("inside", f"a line inside {number} begins with {line.split()[0]}") in found


@pytest.mark.parametrize(
    "text",
    ["3. First.", "Text:\n1. One;\n2. Two;\n3. Three.", "Text.\n7. Seven.", "See\n3 of them.",
     "See section\n3. It says so.", "Text.\n\\Table Start\n3.\tBanks\n\\Table End"],
)  # fmt: skip
def test_lists_and_tables_inside_a_passage_are_not_told(text) -> None:
    following = "3." if "Three" in text else "4."
    assert "inside" not in {kind for kind, _ in told(("2.", text), following)}


def test_very_long_passages_are_told_with_their_words() -> None:
    assert told(("1", "word " * LONG_WORDS)) == []
    assert told(("1", "word " * (LONG_WORDS + 1))) == [("long", "1 has 1,001 words")]


def test_warnings_stand_in_the_order_of_the_document() -> None:
    found = warnings("1", "1.3", ("2", "word " * 2_000), "2.1", "2.1", "2.4")
    assert [warning.passage_id for warning in found] == ["1.3", "2", "2.1", "2.4"]


def test_the_sample_rulebook_gives_no_warning() -> None:
    rulebook = Path(__file__).resolve().parents[2] / "examples" / "rulebook"
    assert [one.warnings for one in structure(rulebook).documents] == [(), (), (), ()]


def test_a_line_of_prose_that_names_what_stands_before_the_first_number_is_no_orphan() -> None:
    assert told("Constitution of the Society (v1.9)", "1", "1.1") == []

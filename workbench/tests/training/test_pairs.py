"""Pair files, and the pairs that a rulebook holds by itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rirag.inputs.questions import GoldReference, Question
from rirag_workbench.training.data.examples import read_examples
from rirag_workbench.training.data.pair_sources import (
    definition_pairs,
    heading_pairs,
    keyword_pairs,
    parent_pairs,
)
from rirag_workbench.training.data.pairs import (
    Pair,
    PassageReference,
    read_pairs,
    write_pairs,
)
from search.errors import InputError
from search.records import Passage

PAIRS = (
    Pair("Who must report?", (PassageReference("p1"),), (PassageReference(text="Fees."),), "q1"),
    Pair("Was heißt „Fonds“?", (PassageReference("p2", "A fund."),), source="headings"),
)


def written(folder: Path, *lines: str) -> Path:
    path = folder / "pairs.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    assert write_pairs(PAIRS, path) == 2
    assert read_pairs(path) == PAIRS


def test_the_question_that_keywords_were_made_from_is_read_again(tmp_path: Path) -> None:
    made = Pair("report", (PassageReference("p1"),), made_from="Who must report?")
    write_pairs([*PAIRS, made], tmp_path / "pairs.jsonl")
    assert read_pairs(tmp_path / "pairs.jsonl")[-1] == made
    assert [one.made_from for one in read_pairs(tmp_path / "pairs.jsonl")[:2]] == ["", ""]


def test_a_passage_is_an_id_a_text_or_both(tmp_path: Path) -> None:
    line = {"question": "Who?", "positives": ["p1", {"text": "a"}, {"id": "p2", "text": "b"}]}
    (pair,) = read_pairs(written(tmp_path, json.dumps(line)))
    assert pair.positives == (
        PassageReference("p1"), PassageReference(text="a"), PassageReference("p2", "b"),
    )  # fmt: skip


def test_a_passage_named_twice_counts_once(tmp_path: Path) -> None:
    line = '{"question": "Who?", "positives": ["p1", "p1"]}'
    assert read_pairs(written(tmp_path, line))[0].positives == (PassageReference("p1"),)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "this is not valid JSON"),
        ("[" * 100_000, "this JSON cannot be read"),
        (f'{{"question": {"9" * 5000}}}', "this JSON cannot be read"),
        ("[]", "a pair must be a JSON object"),
        ('{"positives": ["p1"]}', "field 'question' must be a"),
        ('{"question": " ", "positives": ["p1"]}', "field 'question' must be a"),
        ('{"question": "Who?"}', "field 'positives' must name at least one passage"),
        ('{"question": "Who?", "positives": "p1"}', "field 'positives' must be a list"),
        ('{"question": "Who?", "positives": [7]}', "each of 'positives' must be the ID"),
        ('{"question": "Who?", "positives": [{"text": ""}]}', "each of 'positives' must be the ID"),
        ('{"question": "Who?", "positives": ["p1"], "negatives": [""]}', "each of 'negatives'"),
        (
            '{"question": "\\ud800?", "positives": ["p1"]}',
            "'question' contains half a character",
        ),
        (
            '{"question": "Who?", "positives": [{"text": "\\ud800"}]}',
            "'positives' contains half",
        ),
        ('{"question": "Who?", "positives": ["p1"], "neg": []}', "unknown field 'neg'"),
        ('{"question": "Who?", "positives": ["p1"], "source": 3}', "field 'source' must be a text"),
        (
            '{"question": "Who?", "positives": ["p1"], "made_from": 3}',
            "field 'made_from' must be a",
        ),
    ],
)
def test_a_bad_line_is_refused_with_file_and_line(tmp_path: Path, line: str, problem: str) -> None:
    path = written(tmp_path, '{"question": "Who?", "positives": ["p1"]}', "", line)
    with pytest.raises(InputError, match=problem) as refusal:
        read_pairs(path)
    assert str(refusal.value).startswith(f"{path}:3: ")


def test_all_bad_lines_are_named_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"jsonl:1: .*\n.*jsonl:2: "):
        read_pairs(written(tmp_path, "{", "7"))


@pytest.mark.parametrize("bad", ["{", '{"question": "Who?"}', '{"quest'])
@pytest.mark.parametrize(
    "good",
    ['{"question": "Who?", "positives": ["p1"]}',
     '{"question_id": "1", "question": "Who?", "relevant": ["p1"]}'],
    ids=["pairs", "questions"],
)  # fmt: skip
def test_a_bad_first_line_does_not_make_a_file_one_of_the_other_kind(
    tmp_path: Path, bad: str, good: str
) -> None:
    with pytest.raises(InputError, match=r"pairs\.jsonl:1: ") as refusal:
        read_examples(written(tmp_path, bad, good), lambda gold: gold.id)
    assert "\n" not in str(refusal.value), "only the bad line is told"


RULE = "An Authorised Person must keep records of every complaint for six years."
HEADINGS = ("7. CONDUCT OF BUSINESS", "7.2 Complaints")


def passage(number: str, text: str = RULE, **fields: object) -> Passage:
    return Passage(f"id-{number}", "d", number, text, **fields)  # type: ignore[arg-type]


def test_a_heading_asks_for_the_passages_below_it() -> None:
    found = [
        passage("7.2", "Complaints", kind="heading", breadcrumb=HEADINGS[:1]),
        passage("7.2.1", breadcrumb=HEADINGS),
        passage("7.2.2", f"{RULE} Also others.", breadcrumb=HEADINGS),
        passage("7.2.3", "[Deleted]", breadcrumb=HEADINGS),
    ]
    (pair,) = heading_pairs(found)
    assert pair.question == "CONDUCT OF BUSINESS Complaints"
    assert [one.id for one in pair.positives] == ["id-7.2.1", "id-7.2.2"]


def test_a_heading_of_several_words_needs_none_above_it() -> None:
    below = passage("1.1", breadcrumb=("Part 1 GENERAL", "Chapter 2 Handling of complaints"))
    assert [pair.question for pair in heading_pairs([below])] == ["Handling of complaints"]


def test_a_parent_asks_for_its_children() -> None:
    found = [
        passage("1", RULE),
        passage("1.a", "the date on which the complaint was received by the firm;", parent="id-1"),
        passage("1.b", "too short", parent="id-1"),
    ]
    (pair,) = parent_pairs(found)
    assert (pair.question, [one.id for one in pair.positives]) == (RULE, ["id-1.a"])


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("Client Money means money held by a firm on behalf of its Clients.", "Client Money"),
        ("(20) ‘conformity assessment’ means the process of demonstrating requirements;",
         "conformity assessment"),
        ("A firm must know what a Client means when it gives an instruction by voice.", None),
        ("means nothing at all to anybody who reads this short sentence here.", None),
    ],
)  # fmt: skip
def test_a_defined_term_asks_for_its_definition(text: str, term: str | None) -> None:
    pairs = list(definition_pairs([passage("1", text)]))
    assert [pair.question for pair in pairs] == ([] if term is None else [f"definition of {term}"])


def test_keyword_versions_keep_the_id_of_their_question() -> None:
    """By it the guard knows them when the question is held out."""
    text = "What records must an Authorised Person keep about complaints from Retail Clients?"
    pairs = list(
        keyword_pairs([Question("q1", text, (GoldReference("p1"),))], lambda gold: gold.id)
    )
    assert len(pairs) > 3
    assert {pair.question_id for pair in pairs} == {"q1"}
    assert {pair.positives for pair in pairs} == {(PassageReference("p1"),)}
    assert all(2 <= len(pair.question.split()) <= 9 for pair in pairs)

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rirag_workbench.training.data.examples import read_examples
from rirag_workbench.training.data.pairs import Pair, PassageReference, read_pairs, write_pairs
from search.errors import InputError

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

"""The command that fits the sentence selector, on three small acts."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from extras import require
from sample import record, write_lines

import indexer
import search
from benchmarks.sentence_selector import Units, folds_of, keyed_questions, shares
from generation.extract.score import MEANING, WORDS, Scorer, features_of
from generation.extract.units import units_in
from search.errors import InputError
from search.text.analyzer import tokens

ROOT = Path(__file__).resolve().parent.parent.parent
SUBJECTS = ("audit", "complaint", "outage", "merger", "licence", "loan")
ACTS = ("Harbour Act", "Garden Act", "Bridge Act")


def text_of(act: str, subject: str) -> str:
    return (
        f"Nothing in this Part limits what the board of the {act} may delegate. "
        f"The operator must report each {subject} to the inspector in writing. "
        "Guidance on forms is published by the office from time to time."
    )


@pytest.fixture(scope="module")
def acts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("acts")
    indexer.ingest([write_lines(folder / "acts.jsonl", *(
        record(f"{place}", text_of(act, subject), id=f"{act[0]}{place}",
               DocumentID=act[0], DocumentTitle=act)
        for act in ACTS for place, subject in enumerate(SUBJECTS, start=1)
    ))], str(folder / "index"))  # fmt: skip
    return folder


@pytest.fixture
def questions(acts: Path) -> Path:
    return write_lines(acts / "questions.jsonl", *(
        {"question_id": f"{act[0]}{place}", "relevant": [f"{act[0]}{place}"],
         "question": f"Who is told of a {subject} under the {act}, and by whom?",
         "key": f"report each {subject} to the inspector"}
        for act in ACTS for place, subject in enumerate(SUBJECTS, start=1)
    ), {"question_id": "without", "question": "audit", "relevant": ["H1"]})  # fmt: skip


@pytest.mark.torch
def test_what_is_written_is_read_by_the_selector_and_prefers_the_sentence_that_answers(
    acts: Path, questions: Path, figures_of: Callable[..., dict[str, Any]]
) -> None:
    require("sklearn")
    written = acts / "selector.json"
    found = figures_of("sentence_selector", acts / "index", questions, "--output", written)
    value = found["value"]
    assert (value["questions with a key"], value["documents"], value["folds"]) == (18, 3, 3)
    for kind in ("share of words", "words alone", "with meaning"):
        assert value[f"{kind}: top 1"] <= value[f"{kind}: top 3"] <= value[f"{kind}: top 6"] <= 100
    assert value["words alone: top 1"] >= value["share of words: top 1"]

    record_of_fit = json.loads(written.read_text(encoding="utf-8"))["fitted"]
    assert record_of_fit["questions with a key"] == 18
    assert len(record_of_fit["sha256"]["questions.jsonl"]) == 64
    question = "Who is told of a strike?"
    with search.open(str(acts / "index")) as index:
        (hit,) = index.search("operator of the Harbour Act, outage", 1).hits
    found = units_in([hit])
    features = features_of(question, found, [hit], dict.fromkeys(tokens(question), 1.0))
    weights = json.loads(written.read_text(encoding="utf-8"))
    odds = Scorer.of(weights, WORDS).log_odds(features)
    assert "must report" in found[int(odds.argmax())].unit.text
    assert Scorer.of(weights, MEANING).weights[-1] < 0


def test_questions_without_key_or_known_passage_are_left_out(acts: Path, questions: Path) -> None:
    with search.open(str(acts / "index")) as index:
        passages = {one.id: one for one in index.passages() if one.document_id != "B"}
    found = keyed_questions(questions, passages)
    assert len(found) == 12
    assert {one.document for one in found} == {"H", "G"}
    assert found[0].key == "report each audit to the inspector"


def test_folds_part_documents_and_need_two() -> None:
    folds = folds_of([*"aaabbc", *"defg"])
    assert len(folds) == 5
    assert sorted(one for fold in folds for one in fold) == list("abcdefg")
    with pytest.raises(InputError) as refused:
        folds_of(["a", "a"])
    assert refused.value.code == "evaluation.invalid"


def test_shares_count_questions_whose_answer_is_among_the_first() -> None:
    units = Units("a", np.zeros((4, 1)), np.array([False, True, False, False]))
    judged = [(np.array([1.0, 2.0, 0.0, 0.0]), units), (np.array([3.0, 0.0, 2.0, 1.0]), units)]
    assert [one.value for one in shares("x", judged)] == [50, 50, 100]


def test_without_scikit_learn_it_says_how_to_install_it(acts: Path, questions: Path) -> None:
    code = (
        "import sys; sys.modules['sklearn.linear_model'] = None\n"
        "from benchmarks.command import start\n"
        "from benchmarks.sentence_selector import main\n"
        "start(main)"
    )
    arguments = [acts / "index", questions, "--output", acts / "none.json"]
    done = subprocess.run([sys.executable, "-c", code, *map(str, arguments)], cwd=ROOT,
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 7
    assert done.stderr.count("\n") == 1
    assert "[train]'" in done.stderr
    assert not (acts / "none.json").exists()


def test_an_output_that_would_replace_the_questions_is_refused(
    acts: Path, questions: Path, benchmark: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    done = benchmark("sentence_selector", acts / "index", questions, "--output", questions)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1

"""`rirag ask --mode multi-step`, against a scripted server that speaks HTTP."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from cli_support import Run
from scripted_llm import says, serve

import indexer
from search.articles.features import NAMES
from search.articles.known import Known
from search.articles.ranker import ArticleRanker
from search.ranking.learned.decision_trees import DecisionTrees

ACT = {
    "schema": "lex-articles/1", "lex_id": "eu-eurlex:32020r0012:2023-01-01", "language": "en",
    "title": "LR — Regulation (EU) No 12/2020",
    "provisions": [
        {"anchor": f"art_{n}", "type": "article", "num": f"Article {n}", "heading": heading,
         "path": [], "text_md": text}
        for n, heading, text in (
            ("1", "Definitions", "‘Loan’ means any amount of money that a bank lends."),
            ("2", "Capital", "A bank shall hold capital of at least 8 % of its loans."),
            ("2a", "Fees", "A bank shall pay a fee of EUR 500 each year."),
        )
    ],
}  # fmt: skip
REFERENCES = says('{"references": [{"act": "12/2020", "articles": ["1"]}]}')
ANSWER = says("A bank shall hold capital of at least 8 % of its loans [1].")
EXAMPLE = {"question": "Is a loan to a director a loan?", "answer": "It is.", "topic": "Credit"}


@pytest.fixture(scope="module")
def lending(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the act."""
    folder = tmp_path_factory.mktemp("lending")
    (folder / "act.json").write_text(json.dumps(ACT), encoding="utf-8")
    indexer.ingest([folder / "act.json"], str(folder / "index"))
    return folder / "index"


def test_background_topic_article_and_examples_reach_the_model(
    rirag: Run, lending: Path, tmp_path: Path
) -> None:
    (tmp_path / "background.txt").write_text("We lend to directors.", encoding="utf-8")
    (tmp_path / "examples.jsonl").write_text(json.dumps(EXAMPLE) + "\n", encoding="utf-8")
    with serve(REFERENCES, ANSWER) as script:
        answer = rirag(
            "ask", "What must we hold under Article 2?", "--mode", "multi-step", "--index", lending,
            "--llm-url", script.url, "--llm-model", "m", "--background",
            f"@{tmp_path / 'background.txt'}", "--article", "2a", "--topic", "credit",
            "--examples", tmp_path / "examples.jsonl", "--json",
        ).json  # fmt: skip
    assert [one["passage_id"] for one in answer["citations"]] == ["Article 2a"]
    decided = {one["name"]: one["value"] for one in answer["decisions"]}
    assert decided["explicit references"] == "Article 2a of 12/2020, Article 2 of 12/2020"
    assert decided["implicit references"] == "Article 1 of 12/2020"
    told = script.asked[1]["messages"][1]["content"]
    assert "We lend to directors." in told
    assert "Is a loan to a director a loan?" in told


def test_each_question_of_a_file_brings_its_own_background(
    rirag: Run, lending: Path, tmp_path: Path
) -> None:
    asked = [
        {"qa_id": "1", "question": "Is it?", "background": "We lend to staff.", "article": "2a"},
        {"qa_id": "2", "question": "Is it so?", "background": None, "article": ""},
    ]
    (tmp_path / "asked.jsonl").write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")
    with serve(REFERENCES, ANSWER, REFERENCES, ANSWER) as script:
        run = rirag(
            "ask", "--questions", tmp_path / "asked.jsonl", "--mode", "multi-step", "--index",
            lending, "--llm-url", script.url, "--llm-model", "m", "--background", "We are a bank.",
        )  # fmt: skip
    first, second = map(json.loads, run.out.splitlines())
    assert [first["QuestionID"], second["QuestionID"]] == ["1", "2"]
    explicit = [{one["name"]: one["value"] for one in a["decisions"]} for a in (first, second)]
    assert explicit[0]["explicit references"] == "Article 2a of 12/2020"
    assert "Article 2a" not in explicit[1]["explicit references"]
    told = [script.asked[call]["messages"][1]["content"] for call in (1, 3)]
    assert "We lend to staff." in told[0] and "We are a bank." not in told[0]
    assert "We are a bank." in told[1]


def test_index_without_an_act_is_refused(rirag: Run, rulebook: Path) -> None:
    with serve(REFERENCES, ANSWER) as script:
        told = rirag(
            "ask", "Who pays?", "--mode", "multi-step", "--index", rulebook,
            "--llm-url", script.url, "--llm-model", "m",
        ).refused(2)  # fmt: skip
    assert "the index has none" in told


def test_background_of_a_missing_file_is_refused(rirag: Run, rulebook: Path) -> None:
    given = ("--mode", "multi-step", "--background", "@none.txt", "--index", rulebook)
    told = rirag("ask", "Who pays?", *given).refused(2)
    assert told.startswith("none.txt: the file cannot be read")


def test_ranker_of_the_users_own_orders_the_articles(
    rirag: Run, lending: Path, tmp_path: Path
) -> None:
    column = NAMES.index("about before")
    trees = DecisionTrees(np.array([[column]]), np.array([[0.0]]), np.array([[0.0, -1.0, 1.0]]))
    for name, act in (("own", "12/2020"), ("other", "99/2021")):
        ArticleRanker(act, (), trees, 0.0, Known()).save(tmp_path / f"{name}.json")
    decided = {}
    for name in ("own", "other"):
        with serve(REFERENCES, ANSWER) as script:
            answer = rirag(
                "ask", "What must we hold?", "--mode", "multi-step", "--index", lending,
                "--llm-url", script.url, "--llm-model", "m",
                "--ranker", tmp_path / f"{name}.json", "--json",
            ).json  # fmt: skip
        reasons = {one["name"]: one["reason"] for one in answer["decisions"]}
        decided[name] = reasons["ranked articles"]
    assert decided["own"] == "the trained ranker of this act, and the best passages found"
    assert decided["other"].startswith("the best passages found, references and BM25; the ranker ")
    assert decided["other"].endswith("other.json is for another act")


def test_broken_ranker_is_refused(rirag: Run, lending: Path, tmp_path: Path) -> None:
    (tmp_path / "own.json").write_text("{}")
    with serve(REFERENCES, ANSWER) as script:
        told = rirag(
            "ask", "What must we hold?", "--mode", "multi-step", "--index", lending,
            "--llm-url", script.url, "--llm-model", "m", "--ranker", tmp_path / "own.json",
        )  # fmt: skip
    assert told.code != 0
    assert "own.json" in told.err
    assert "Traceback" not in told.err

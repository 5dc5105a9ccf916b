"""`rirag evaluate articles` and `rirag train ranker`: steps, run, ranker, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_support import ROOT, Run

from rirag_workbench.evaluation.articles import judged, read_article_questions, recall_at
from search.articles.act import act_of
from search.errors import InputError

ARTICLES = (
    ("92", "Own funds requirements", "Institutions shall satisfy a Common Equity Tier 1 ratio."),
    ("99", "Reporting", "Reporting shall be carried out."),
    ("129b", "Covered bonds", "Covered bonds shall be collateralised by mortgages."),
    ("415", "Liquidity", "Institutions shall report liquidity in a single currency."),
)


def act_file(folder: Path, title: str = "CRR — Regulation (EU) No 575/2013") -> Path:
    provisions = [
        {"anchor": f"art_{n}", "type": "article", "num": f"Article {n}", "heading": heading,
         "path": ["PART ONE — ALL"], "text_md": text}
        for n, heading, text in ARTICLES
    ]  # fmt: skip
    record = {
        "schema": "lex-articles/1", "lex_id": "eu-eurlex:32013r0575:2023-06-28", "language": "en",
        "title": title, "valid_from": "2023-06-28", "provisions": provisions,
    }  # fmt: skip
    path = folder / "act.json"
    path.write_text(json.dumps(record, ensure_ascii=False), encoding="utf-8")
    return path


def qa_file(folder: Path, *records: Any) -> Path:
    path = folder / "qa.jsonl"
    lines = [one if isinstance(one, str) else json.dumps(one) for one in records]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def qa(qa_id: str, article: str | None, question: str, **more: Any) -> dict[str, Any]:
    return {"qa_id": qa_id, "article": article, "question": question, **more}


QUESTIONS = (
    qa("2013_1", "Article 92", "What does Article 92 CRR ask for?"),
    qa("2013_2", "129b (4-6)", "May mortgages collateralise bonds?", background=None),
    qa("2013_3", "99, 415", "What is due under Article 99?", background="On liquidity."),
    qa("2013_4", "99", "What is due under Article 99?"),
    qa("2013_5", "92, 575", "Which ratio?"),
    qa("2013_6", None, "Which ratio?"),
)


def test_steps_are_measured_and_the_run_names_articles_as_the_field_does(
    rirag: Run, tmp_path: Path
) -> None:
    path, act = qa_file(tmp_path, *QUESTIONS), act_file(tmp_path)
    run = tmp_path / "run.txt"
    found = rirag("evaluate", "articles", path, "--act", act, "--json", "--run", run).json
    assert (found["questions"], found["version"]) == (4, "2023-06-28")
    steps = {one["name"]: one["recall"] for one in found["steps"]}
    assert steps["explicit"]["5"] == 0.25
    assert steps["explicit + BM25"]["5"] == 1
    assert "explicit + BM25 + ranker" in steps
    lines = [line.split() for line in run.read_text().splitlines()]
    assert {line[0] for line in lines} == {"2013_1", "2013_2", "2013_3", "2013_5"}
    assert {line[2] for line in lines} == {"92", "129b", "415"}
    assert found["notes"] == [
        f"{path}:5: CRR (Regulation (EU) No 575/2013) has no Article 575, which 2013_5 names; "
        "it is not counted."
    ]


def test_table_tells_act_version_and_recall(rirag: Run, tmp_path: Path) -> None:
    path, act = qa_file(tmp_path, *QUESTIONS[:2]), act_file(tmp_path)
    first, _, head, *rows = rirag("evaluate", "articles", path, "--act", act).out.splitlines()
    assert first == "2 questions, CRR (Regulation (EU) No 575/2013), version of 2023-06-28"
    assert head.split() == ["step", "R@5", "R@10", "R@20", "R@30"]
    assert rows[0].split() == ["explicit", *["0.5000"] * 4]


@pytest.mark.parametrize("field", ["qa_id", "question", "article", "background", "topic"])
def test_half_a_character_is_refused_with_its_line(rirag: Run, tmp_path: Path, field: str) -> None:
    broken = {**QUESTIONS[1], field: "92\ud800"}
    path, act = qa_file(tmp_path, QUESTIONS[0], broken), act_file(tmp_path)
    told = rirag("evaluate", "articles", path, "--act", act, "--run", "x.run").refused(2)
    assert told.startswith(f"{path}:2: {field!r} of a Q&A contains half a character")


def test_ranker_of_another_act_stands_aside(rirag: Run, tmp_path: Path) -> None:
    path, act = (
        qa_file(tmp_path, *QUESTIONS[:2]),
        act_file(tmp_path, "LCR — Regulation (EU) 2015/61"),
    )
    told = rirag("evaluate", "articles", path, "--act", act).out
    assert "the ranker was fitted to another act than LCR" in told
    assert "+ ranker" not in told


@pytest.mark.torch
def test_ranker_of_ones_own_is_fitted_and_used(rirag: Run, tmp_path: Path) -> None:
    many = [
        qa(f"q{n}", number, f"What of {heading} in case {n}?")
        for n in range(40)
        for number, heading, _ in [ARTICLES[n % 4]]
        if number != "99"
    ]
    path, act, own = qa_file(tmp_path, *many), act_file(tmp_path), tmp_path / "own.json"
    fitted = rirag("train", "ranker", path, "--act", act, "-o", own, "--json")
    assert fitted.json["questions"] == 30
    assert "recall on folds" in fitted.err
    found = rirag("evaluate", "articles", path, "--act", act, "--ranker", own, "--json").json
    assert found["steps"][-1]["recall"]["5"] == 1


@pytest.mark.parametrize(
    "command", [("evaluate", "articles"), ("train", "ranker", "-o", "own.json")]
)
def test_escapes_in_act_and_questions_never_reach_the_terminal(
    rirag: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    many = [
        qa(f"\x1b[31m{n}", f"{number}, 999", f"What of {heading} in case {n}?")
        for n in range(10)
        for number, heading, _ in [ARTICLES[n % 4]]
    ]
    act = act_file(tmp_path, "CRR\x1b]0;owned\x07 — Regulation (EU) No 575/2013")
    told = rirag(*command, qa_file(tmp_path, *many), "--act", act)
    assert "has no Article 999, which [31m1 names" in told.out + told.err
    assert not {"\x1b", "\x07"} & set(told.out + told.err)


def test_cross_encoder_needs_a_base(rirag: Run, tmp_path: Path) -> None:
    path, act = qa_file(tmp_path, *QUESTIONS), act_file(tmp_path)
    told = rirag("train", "ranker", path, "--act", act, "-o", tmp_path / "x", "--cross-encoder")
    assert "--cross-encoder and --base go together" in told.refused(2)
    command = ("train", "ranker", path, "--act", act, "-o", tmp_path / "x")
    for without_use in (("--encoder", "x"), ("--threads", 1)):
        assert "need --cross-encoder" in rirag(*command, *without_use).refused(2)


def test_share_of_the_articles_that_are_found() -> None:
    assert recall_at(["1", "2", "3"], ["3", "9"], 3) == 0.5
    assert recall_at(["1", "2", "3"], ["3", "9"], 2) == 0


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ("{", "this is not valid JSON"),
        ("[]", "a Q&A must be a JSON object"),
        ({"qa_id": "1"}, "needs 'question', a non-empty text"),
        (qa("1", "92", " "), "needs 'question', a non-empty text"),
        (qa("1 2", "92", "Who?"), "contains white space"),
        (qa("2013_1", "92", "Who?"), "the qa_id '2013_1' is already used on line 1"),
        (qa("1", "92", "Who?", background=["x"]), "'background' of a Q&A must be a text"),
        ({**qa("1", "92", "Who?"), "article": 92}, "'article' of a Q&A must be a text"),
    ],
)
def test_broken_line_is_named_with_file_and_line(record: Any, problem: str, tmp_path: Path) -> None:
    path = qa_file(tmp_path, QUESTIONS[0], record)
    with pytest.raises(InputError) as refused:
        read_article_questions(path)
    assert str(refused.value).startswith(f"{path}:2: ")
    assert problem in str(refused.value)


def test_missing_act_and_file_without_articles_are_refused(rirag: Run, tmp_path: Path) -> None:
    path, rules = qa_file(tmp_path, QUESTIONS[0]), ROOT / "examples" / "rulebook" / "conduct.txt"
    missing = rirag("evaluate", "articles", path, "--act", tmp_path / "none.json").refused(2)
    assert (
        missing == f"{tmp_path / 'none.json'}: the file does not exist; give the file of one act."
    )
    other = rirag("evaluate", "articles", path, "--act", rules).refused(2)
    assert "the file holds no article" in other


def test_run_into_a_missing_folder_is_refused_before_anything_is_read(
    rirag: Run, tmp_path: Path
) -> None:
    none = tmp_path / "none"
    told = rirag("evaluate", "articles", none, "--act", none, "--run", none / "run").refused(5)
    assert "does not exist" in told


def test_questions_about_no_article_of_the_act_are_refused(tmp_path: Path) -> None:
    path = qa_file(tmp_path, qa("1", "999", "Who?"))
    with pytest.raises(InputError, match="no Q&A is about an article"):
        judged(read_article_questions(path), act_of([]), path)

"""A whole fit, with everything that can be fitted, on the sample rulebook."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from sample import QUESTIONS, ingest_rulebook, write_lines

import search
from rirag.inputs.gold import resolve_gold, resolver
from rirag.inputs.questions import read_questions
from rirag_workbench.evaluation.retrieval.run import evaluate_retrieval
from rirag_workbench.training.profile.run import ProfileRequest, run_profile_fit
from search.errors import InputError
from search.ranking.profile_file import load_profile


class OfWords:
    """A reranker that counts the question's words in a passage."""

    name = "of words"

    def score(self, question: str, passages: Sequence[str]) -> list[float]:
        words = set(question.lower().split())
        return [float(len(words & set(text.lower().split()))) for text in passages]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index, and 46 questions: the rulebook's, each under two IDs."""
    folder = tmp_path_factory.mktemp("run")
    ingest_rulebook(folder / "index")
    asked = json.loads(QUESTIONS.read_text(encoding="utf-8"))
    again = [{**one, "QuestionID": f"again-{one['QuestionID']}"} for one in asked]
    (folder / "asked.json").write_text(json.dumps([*asked, *again]), encoding="utf-8")
    return folder


def test_a_reranker_gets_count_and_weight_from_so_many_questions(folder: Path) -> None:
    stages: dict[str, int] = {}

    def stage(name: str, total: int):
        stages[name] = total
        return lambda: None

    request = ProfileRequest([folder / "asked.json"], "mine", load_profile("even"), 30)
    with search.open(str(folder / "index"), reranker=OfWords()) as index:
        report = run_profile_fit(index, request, stage)
    assert stages["reranking"] == 30
    assert stages["searching"] > 46
    rerank = report.fitted.rerank
    assert rerank is not None
    assert rerank.reranker == "of words"
    assert (report.profile.rerank_count, report.profile.rerank_weight) == (
        rerank.count, rerank.weight
    )  # fmt: skip
    assert "by of words, weight" in report.to_table()
    assert json.dumps(report.to_json())


def test_figures_of_questions_as_asked_are_those_of_evaluate(folder: Path, tmp_path: Path) -> None:
    even = load_profile("even")
    asked = json.loads((folder / "asked.json").read_text(encoding="utf-8"))
    path = tmp_path / "plain.json"
    with search.open(str(folder / "index"), reranker=None) as index:
        # Rules that are named, and meanings that are asked for, are found whatever the weights.
        found = [index.search(one["Question"], 1).trace for one in asked]
        plain = [
            one
            for one, trace in zip(asked, found, strict=True)
            if not (trace.numbers or trace.term)
        ]
        path.write_text(json.dumps(plain), encoding="utf-8")
        request = ProfileRequest([path], "mine", even)
        report = run_profile_fit(index, request, lambda _name, _total: lambda: None)
        judged = resolve_gold(read_questions(path), resolver(index.passages()))
        measured = evaluate_retrieval(
            judged,
            lambda text: [(hit.id, hit.score) for hit in index.search(text, profile=even).hits],
            ["R@10", "AP@10"],
        )
    part = report.fitted.parts["question"]
    assert part.questions == len(plain) < 46
    assert part.before.recall == pytest.approx(measured.means["R@10"])
    assert part.before.average_precision == pytest.approx(measured.means["AP@10"])


def test_a_file_for_the_last_step_that_cannot_be_used_is_refused_before_the_first(
    folder: Path, tmp_path: Path
) -> None:
    begun: list[str] = []

    def stage(name: str, _total: int):
        begun.append(name)
        return lambda: None

    request = ProfileRequest(
        [folder / "asked.json"], "mine", load_profile("even"), learned=True,
        unanswerable=[tmp_path / "none.jsonl"],
    )  # fmt: skip
    with (
        search.open(str(folder / "index"), reranker=None) as index,
        pytest.raises(InputError, match=r"none\.jsonl: the file cannot be read"),
    ):
        run_profile_fit(index, request, stage)
    assert begun == []


@pytest.mark.parametrize(
    ("unanswerable", "held_out", "message"),
    [
        (
            "asked.json",
            (),
            r"is given both as questions that the index answers and as --unanswerable;",
        ),
        ("many.jsonl", ("many.jsonl",), "as --unanswerable and as --unanswerable-held-out;"),
        ("few.jsonl", (), "needs 30 questions that the index does not answer, but there are 1 "),
    ],
)
def test_files_of_unanswerable_questions_that_cannot_serve_are_refused_before_the_fit(
    folder: Path, unanswerable: str, held_out: tuple[str, ...], message: str
) -> None:
    write_lines(folder / "few.jsonl", {"question_id": "1", "question": "Who?"})
    asked = [{"question_id": str(n), "question": f"Who is {n}?"} for n in range(30)]
    write_lines(folder / "many.jsonl", *asked)
    request = ProfileRequest(
        [folder / "asked.json"], "mine", load_profile("even"), learned=True,
        unanswerable=[folder / unanswerable],
        unanswerable_held_out=[folder / one for one in held_out],
    )  # fmt: skip

    def stage(name: str, _total: int):
        raise AssertionError(f"{name} was begun")

    with (
        search.open(str(folder / "index"), reranker=None) as index,
        pytest.raises(InputError, match=message),
    ):
        run_profile_fit(index, request, stage)


def test_another_question_of_a_known_id_is_refused(folder: Path, tmp_path: Path) -> None:
    first = json.loads((folder / "asked.json").read_text(encoding="utf-8"))[0]
    others = tmp_path / "others.json"
    others.write_text(json.dumps([{**first, "Question": "Who pays?"}]), encoding="utf-8")
    request = ProfileRequest([folder / "asked.json", others], "mine", load_profile("even"))
    with (
        search.open(str(folder / "index"), reranker=None) as index,
        pytest.raises(
            InputError, match=r"others\.json: question '.*' has another text in an earlier file"
        ),
    ):
        run_profile_fit(index, request, lambda _name, _total: lambda: None)


def test_questions_of_several_files_are_taken_once(folder: Path, tmp_path: Path) -> None:
    with search.open(str(folder / "index"), reranker=None) as index:
        passage = index.passages()[5].id
        more = write_lines(
            tmp_path / "more.jsonl",
            {"question_id": "new", "question": "Who pays?", "relevant": [passage]},
            {"question_id": "gone", "question": "Who left?", "relevant": ["gone"]},
        )
        files = [folder / "asked.json", more, folder / "asked.json"]
        request = ProfileRequest(files, "mine", load_profile("even"))
        report = run_profile_fit(index, request, lambda _name, _total: lambda: None)
    assert [(one.questions, one.used) for one in report.data] == [(46, 46), (2, 1), (46, 0)]

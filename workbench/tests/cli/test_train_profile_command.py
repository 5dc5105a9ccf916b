"""`rirag train profile`: fitted to the questions of the sample rulebook, and used by a search."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest
from cli_support import Run
from sample import RULEBOOK, ingest_rulebook, write_lines

import indexer
from rirag_workbench.training.data.held_out import is_validation
from search.models.encoders import MODELS_FOLDER, load_encoder

UNTRAINED = "all-minilm-l6-v2-int8"


@pytest.fixture(scope="session")
def rulebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the rulebook with an encoder that was trained on none of its like."""
    folder = tmp_path_factory.mktemp("untrained") / "rulebook"
    indexer.ingest([RULEBOOK], str(folder), encoder=load_encoder(UNTRAINED))
    return folder


@pytest.fixture(autouse=True)
def no_cross_encoder(clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fitting its weight takes most of the time, and is tested in `test_rerank_fit`."""
    monkeypatch.setenv("RIRAG_RERANK", "false")


@pytest.fixture(scope="module")
def asked(judged: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rulebook's questions, each under two IDs, so that there are enough to fit."""
    lines = [json.loads(line) for line in judged[1].read_text(encoding="utf-8").splitlines()]
    again = [{**one, "question_id": f"again-{one['question_id']}"} for one in lines]
    return write_lines(tmp_path_factory.mktemp("asked") / "asked.jsonl", *lines, *again)


def test_a_profile_is_fitted_written_and_taken_by_a_search(
    rirag: Run, rulebook: Path, asked: Path, tmp_path: Path
) -> None:
    shown = rirag("train", "profile", asked, "--index", rulebook, "-o", "mine.toml")
    assert shown.code == 0, shown
    assert f"{asked.name}: 46 of 46 questions used" in shown.out
    assert "use it with --profile mine.toml" in shown.out
    plan = rirag(
        "search", "annual fee", "--index", rulebook, "--profile", "mine.toml", "--json"
    ).json["plan"]  # fmt: skip
    digest = hashlib.sha256(asked.read_bytes()).hexdigest()[:16]
    assert plan["profile"] == "mine"
    assert plan["profile_encoder"] == plan["encoder"] == UNTRAINED
    assert f"asked.jsonl (46 questions, SHA-256 {digest})" in plan["profile_source"]
    assert plan["notes"] == []


def test_the_report_says_before_and_after_and_what_was_tried(
    rirag: Run, rulebook: Path, asked: Path
) -> None:
    command = ("train", "profile", asked, "--index", rulebook, "-o", "mine.toml", "--json")
    report = rirag(*command, "--name", "ours", "--profile", "dense").json
    assert (report["profile"]["name"], report["before"]) == ("ours", "dense")
    assert report["data"][0]["used"] == 46
    parts = report["parts"]
    assert {"question", "keywords", "all, weighted"} <= set(parts)
    overall = parts["all, weighted"]
    assert overall["after"]["recall"] > overall["before"]["recall"], "BM25 helps short questions"
    assert set(report["compared"]) == {"default", "bdd-finlegal", "even", "lexical"}
    assert report["rerank"] is None
    assert report["votes_weight"] is None


def test_what_the_encoder_was_trained_on_is_left_out(
    rirag: Run, asked: Path, tmp_path: Path
) -> None:
    encoder = tmp_path / "encoder"
    shutil.copytree(MODELS_FOLDER / UNTRAINED, encoder)
    digest = hashlib.sha256(asked.read_bytes()).hexdigest()
    files = [{"file": asked.name, "sha256": digest}]
    record = {"data": files, "auxiliary": [{}], "validation": files}
    (encoder / "training.json").write_text(json.dumps(record), encoding="utf-8")
    index = tmp_path / "index"
    assert rirag("ingest", RULEBOOK, "--index", index, "--encoder", encoder).code == 0
    report = rirag("train", "profile", asked, "--index", index, "-o", "mine.toml", "--json").json
    lines = [json.loads(line) for line in asked.read_text(encoding="utf-8").splitlines()]
    held_out = sum(is_validation(one["question_id"]) for one in lines)
    assert 0 < report["data"][0]["used"] == held_out < 46
    assert set(report["parts"]) >= {"question", "keywords"}


def test_questions_of_a_training_file_are_left_out_and_counted(
    rirag: Run, rulebook: Path, asked: Path, tmp_path: Path
) -> None:
    lines = [json.loads(line) for line in asked.read_text(encoding="utf-8").splitlines()]
    pairs = [{"question": one["question"], "positives": one["relevant"]} for one in lines[:3]]
    trained = write_lines(tmp_path / "trained.jsonl", *pairs)
    command = ("train", "profile", asked, "--index", rulebook, "-o", "mine.toml")
    shown = rirag(*command, "--training", trained)
    assert shown.code == 0, shown
    assert f"{asked.name}: 40 of 46 questions used; the encoder was trained on 6" in shown.out
    everything = [{"question": one["question"], "positives": one["relevant"]} for one in lines]
    trained = write_lines(tmp_path / "trained.jsonl", *everything)
    assert rirag(*command, "--training", trained).refused(2).startswith(
        f"{asked}: the encoder was trained on all of these questions"
    )  # fmt: skip


def test_answered_questions_get_a_weight(rirag: Run, asked: Path, tmp_path: Path) -> None:
    index = ingest_rulebook(tmp_path / "index")
    assert rirag("questions", "add", asked, "--index", index).code == 0
    command = ("train", "profile", asked, "--index", index, "-o", "mine.toml", "--json")
    assert rirag(*command).json["votes_weight"] is not None


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ["-o", "mine.json"],
            2,
            "--output mine.json: the name of a profile file must end in .toml",
        ),
        (["-o", "no/mine.toml"], 5, "no/mine.toml: the profile cannot be written"),
        (["-o", "mine.toml", "--profile", "nope"], 2, "unknown profile 'nope'; choose one of"),
        (["-o", "mine.toml", "--profile", "bad.toml"], 2, "bad.toml:2: profile 'a': the field"),
    ],
)
def test_what_cannot_be_used_is_refused(
    rirag: Run, rulebook: Path, asked: Path, tmp_path: Path, arguments: list[str], code: int,
    message: str,
) -> None:  # fmt: skip
    (tmp_path / "bad.toml").write_text("\n[a]\ndepth = 3\n", encoding="utf-8")
    shown = rirag("train", "profile", asked, "--index", rulebook, *arguments)
    assert shown.refused(code).startswith(message)
    assert not (tmp_path / "mine.toml").exists()


def test_bad_and_few_questions_are_refused(rirag: Run, rulebook: Path, tmp_path: Path) -> None:
    options = ("--index", rulebook, "-o", "mine.toml")
    write_lines(tmp_path / "bad.jsonl", "{", {"question_id": "1", "question": "?"})
    message = rirag("train", "profile", "bad.jsonl", *options)
    assert message.code == 2
    assert "bad.jsonl:1: this is not valid JSON" in message.err
    assert "bad.jsonl:2: " in message.err
    write_lines(
        tmp_path / "other.jsonl", {"question_id": "1", "question": "Who?", "relevant": ["x"]}
    )
    assert rirag("train", "profile", "other.jsonl", *options).refused(2).startswith(
        "other.jsonl: the index has none of the 1 relevant passages"
    )  # fmt: skip
    assert rirag("train", "profile", "none.jsonl", *options).refused(2).startswith(
        "none.jsonl: the file cannot be read"
    )  # fmt: skip


def test_a_learned_last_step_is_kept_beside_the_profile(
    rirag: Run, rulebook: Path, asked: Path, tmp_path: Path
) -> None:
    pytest.importorskip("sklearn")
    lines = [json.loads(line) for line in asked.read_text(encoding="utf-8").splitlines()]
    again = [{**one, "question_id": f"third-{one['question_id']}"} for one in lines[:23]]
    enough = write_lines(tmp_path / "enough.jsonl", *lines, *again)
    shown = rirag(
        "train", "profile", enough, "--index", rulebook, "-o", "fitted.toml", "--name", "mine",
        "--learned", "--json",
    )  # fmt: skip
    assert shown.json["models"]["learned"][0]["parts"]
    assert (tmp_path / "fitted.learned.json").is_file()
    assert 'learned = "fitted.learned.json"' in (tmp_path / "fitted.toml").read_text("utf-8")
    question = max((one["question"] for one in lines), key=lambda text: len(text.split()))
    search = ("search", question, "--index", rulebook, "--profile", "fitted.toml", "--json")
    plan = rirag(*search).json["plan"]
    assert "trees order the best" in plan["learned"], plan["stood_aside"]


def test_a_place_that_cannot_hold_the_learned_step_is_refused_before_the_fit(
    rirag: Run, rulebook: Path, asked: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine.learned.json").mkdir()
    command = ("train", "profile", asked, "--index", rulebook, "-o", "mine.toml", "--learned")
    assert rirag(*command).refused(5) == (
        "mine.learned.json: what is fitted beside the profile cannot be written: this is a folder; "
        "give a file."
    )


def test_options_that_do_not_go_together_are_refused(
    rirag: Run, rulebook: Path, asked: Path
) -> None:
    command = ("train", "profile", asked, "--index", rulebook, "-o", "mine.toml")
    assert rirag(*command, "--unanswerable", asked).refused(2) == (
        "--unanswerable calibrates what --learned fits; give both"
    )
    assert rirag(*command, "--learned", "--unanswerable-held-out", asked).refused(2) == (
        "--unanswerable-held-out reports on what --unanswerable calibrates; give both"
    )
    assert rirag(*command, "--name", "../mine").refused(2) == (
        "--name '../mine': use letters, digits, '-' and '_'"
    )

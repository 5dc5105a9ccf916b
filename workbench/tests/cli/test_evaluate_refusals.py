"""`rirag evaluate retrieval`: question files, runs and options that cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_support import Run
from sample import write_lines


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b'{"question_id": "1", "question": "a"}', "q.jsonl:1: question '1' names no relevant"),
        (b'{"question_id": "1", "question": "a", "relevant": ["nope"]}',
         "q.jsonl: the index has none of the"),
    ],
)  # fmt: skip
def test_a_bad_question_file_is_refused_with_its_line(
    rirag: Run, rulebook: Path, tmp_path: Path, content: bytes, sentence: str
) -> None:
    """What the reader itself refuses is tested with it."""
    (tmp_path / "q.jsonl").write_bytes(content)
    refused = rirag("evaluate", "retrieval", "q.jsonl", "--index", rulebook).refused(2)
    assert refused.startswith(sentence)


@pytest.mark.parametrize(
    ("options", "code", "sentence"),
    [
        (["--measures", "Nope@10"], 2, "'Nope@10' is not a supported measure; use "),
        (["--measures", " "], 2, "no measure was given; give some, such as R@10"),
        (["--from-run", "nope.run"], 2, "nope.run: the file cannot be read: no such file"),
        (["--from-run", "bad.run"], 2, "bad.run:2: a line of a TREC run has six fields"),
        (
            ["--from-run", "other.run"],
            2,
            "the run has results for none of the questions; check that",
        ),
        (["--from-run", "bad.run", "--run", "new.run"], 2, "--from-run does not search, so --run"),
        (["--per-question"], 2, "--per-question adds to the output of --json; give both."),
        (["--from-run", "bad.run", "--no-rerank"], 2, "--from-run does not search, so --no-"),
        (["--from-run", "bad.run", "--filter", "kind=rule"], 2, "--from-run does not search, so"),
        (
            ["--from-run", "bad.run", "--encoder", "x"],
            2,
            "--from-run does not search, so --en",
        ),
        (
            ["--measures", "R@1001"],
            2,
            "--measures needs 1,001 passages, and a search returns",
        ),
        (["--compare", "bad.run"], 2, "bad.run:2: a line of a TREC run has six fields"),
        (["--run", "nowhere/x.run"], 5, "nowhere/x.run: the run cannot be written: "),
        (["--run", "."], 5, ".: the run cannot be written: this is a folder; give a file."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_options_are_refused_in_a_sentence(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path], tmp_path: Path, options: list[str],
    code: int, sentence: str,
) -> None:  # fmt: skip
    (tmp_path / "bad.run").write_text("1 Q0 a 1 0.5 x\n1 Q0 b 2\n", encoding="utf-8")
    (tmp_path / "other.run").write_text("else Q0 a 1 0.5 x\n", encoding="utf-8")
    refused = rirag("evaluate", "retrieval", judged[1], "--index", rulebook, *options)
    assert refused.refused(code).startswith(sentence)


def test_a_run_that_cannot_be_written_is_told_before_the_questions_are_asked(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("searched")

    monkeypatch.setattr("search.index.Index.search", never)
    options = ("--run", "nowhere/x.run", "--index", rulebook)
    assert rirag("evaluate", "retrieval", judged[1], *options).code == 5


def test_an_id_that_no_run_can_hold_is_told_before_the_questions_are_asked(
    rirag: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("searched")

    rules = [
        {"ID": "p1", "DocumentID": "D", "PassageID": "1", "Passage": "A firm must report."},
        {"ID": "rule 2", "DocumentID": "E", "PassageID": "2", "Passage": "A fund must pay."},
    ]
    asked = {"question_id": "1", "question": "Who reports?", "relevant": ["p1"]}
    index = tmp_path / "index"
    assert rirag("ingest", write_lines(tmp_path / "r.jsonl", *rules), "--index", index).code == 0
    command = ("evaluate", "retrieval", write_lines(tmp_path / "q.jsonl", asked), "--index", index)
    assert rirag(*command, "--run", "new.run", "--filter", "document=D").code == 0
    monkeypatch.setattr("search.index.Index.search", never)
    message = rirag(*command, "--run", "x.run").refused(2)
    assert message == "x.run: a TREC run cannot hold 'rule 2': it contains white space."


def test_a_run_replaces_no_file_that_is_read(rirag: Run, rulebook: Path, judged: tuple[Path, Path]
) -> None:  # fmt: skip
    questions, other = Path("q.jsonl"), Path("other.run")
    questions.write_bytes(judged[1].read_bytes())
    other.write_text("rulebook-01 Q0 a 1 0.5 x\n", encoding="utf-8")
    command = ("evaluate", "retrieval", questions, "--compare", other, "--index", rulebook)
    for named in ("q.jsonl", "./other.run"):
        told = (
            f"{Path(named)}: the run would replace this file, which is an input; choose "
            "another name."
        )
        assert rirag(*command, "--run", named).refused(2) == told
    assert questions.read_bytes() == judged[1].read_bytes()
    assert other.read_text(encoding="utf-8") == "rulebook-01 Q0 a 1 0.5 x\n"

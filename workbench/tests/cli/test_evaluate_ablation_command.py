"""`rirag evaluate ablation` on the sample rulebook: as people, programs and browsers see it."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from cli_support import Run, run_in_terminal
from sample import ingest_rulebook, write_lines

from search.models.defaults import DEFAULT_RERANKER


@pytest.fixture(autouse=True)
def no_cross_encoder(clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What reranking is worth is tested on real questions."""
    monkeypatch.setenv("RIRAG_RERANK", "false")


@pytest.fixture(scope="module")
def with_memory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the rulebook, to be given answered questions."""
    return ingest_rulebook(tmp_path_factory.mktemp("ablation") / "index")


def test_every_way_is_measured_in_every_group(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path], with_memory: Path
) -> None:
    report = rirag(
        "evaluate", "ablation", judged[1], "--index", rulebook,
        "--untrained-index", with_memory, "--json",
    ).json  # fmt: skip
    rows = {row["name"]: row for row in report["rows"]}
    assert list(rows) == [
        "everything", "encoder untrained", "no adaptive α", "no document fusion",
        "no learned fusion", "BM25 only", "dense only", "RRF", "bdd-finlegal",
    ]  # fmt: skip
    full = rows["everything"]["groups"]
    assert full["as asked"]["questions"] == 23
    assert full["1-4 words"]["questions"] > 10
    assert full["5-9 words"]["questions"] > 10
    same = rows["encoder untrained"]["groups"]["as asked"]
    assert same == full["as asked"], "it is the same encoder"
    assert rows["BM25 only"]["groups"]["as asked"]["recall"]["value"] < 1
    (note,) = report["notes"]
    assert note.startswith("Learned ranking was not used in any search: it applies to indexes of")


def test_figures_are_those_of_evaluate_retrieval(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path]
) -> None:
    options = ("--index", rulebook, "--json")
    report = rirag("evaluate", "ablation", judged[1], "--no-keywords", *options).json
    for name, profile in [("everything", "default"), ("RRF", "rrf"), ("BM25 only", "lexical")]:
        row = next(one for one in report["rows"] if one["name"] == name)
        measured = rirag("evaluate", "retrieval", judged[1], "--profile", profile, *options).json
        found = row["groups"]["as asked"]
        assert found["recall"]["value"] == pytest.approx(measured["measures"]["R@10"])
        assert found["average_precision"]["value"] == pytest.approx(measured["measures"]["AP@10"])


def test_votes_of_answered_questions_are_taken_away(
    rirag: Run, judged: tuple[Path, Path], with_memory: Path, tmp_path: Path
) -> None:
    asked = [json.loads(line) for line in judged[1].read_text(encoding="utf-8").splitlines()]
    known = [
        {"question_id": f"k{n}", "question": f"Please say: {one['question']}",
         "relevant": one["relevant"]}
        for n, one in enumerate(asked[:9])
    ]  # fmt: skip
    write_lines(tmp_path / "training.jsonl", *known)
    write_lines(tmp_path / "known.jsonl", *known, asked[-1])
    assert rirag("questions", "add", "known.jsonl", "--index", with_memory).code == 0
    profile = Path("strong.toml")
    profile.write_text(
        '[strong]\nsource = "x"\nfusion = "convex"\nalpha = [{ value = 0.5 }]\n'
        "document_weight = 0.1\nheading_weight = 1\nvotes_weight = 0.5\ndepth = 100\n"
        "rerank_count = 20\nrerank_weight = 0.3\n",
        encoding="utf-8",
    )
    report = rirag(
        "evaluate", "ablation", judged[1], "--index", with_memory, "--profile", profile,
        "--training", "training.jsonl", "--no-keywords", "--json",
    ).json  # fmt: skip
    rows = {row["name"]: row["groups"] for row in report["rows"]}
    asked = rows["no votes"]["as asked"]
    assert asked["average_precision"]["difference"] < 0, "answered questions lifted their passages"
    assert [price["component"] for price in report["prices"]] == ["document fusion", "votes"]
    assert report["facts"]["answered questions"] == "10, without the 1 that are asked"


def test_the_report_is_a_page_with_the_same_numbers(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path], tmp_path: Path
) -> None:
    command = ("evaluate", "ablation", judged[1], "--index", rulebook, "--sample", "6")
    shown = rirag(*command, "--html", "report.html")
    assert (shown.code, shown.err) == (0, "")
    assert "as asked (6)" in shown.out
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    tree = ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>\n"))
    for row in tree.find(".//table[@id='as asked (6)']/tbody"):
        name, recall, *_ = ["".join(cell.itertext()) for cell in row]
        line = next(one for one in shown.out.splitlines() if one.startswith(f"{name} "))
        assert recall in line
    assert "rirag evaluate ablation" in "".join(tree.find(".//pre").itertext())


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["none.jsonl"], 2, "none.jsonl: the file cannot be read: no such file"),
        (["QUESTIONS", "--html", "no/x.html"], 5, "no/x.html: the report cannot be written"),
        (["QUESTIONS", "--html", "QUESTIONS"], 2, "QUESTIONS: the report would replace this file"),
        (["QUESTIONS", "--training", "none.jsonl"], 2, "none.jsonl: the file cannot be read"),
        (["QUESTIONS", "--untrained-index", "no-index"], 3, "the index no-index does not exist"),
        (["QUESTIONS", "--profile", "nope"], 2, "unknown profile 'nope'"),
    ],
)
def test_what_cannot_be_used_is_refused(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path], arguments: list[str], code: int,
    message: str,
) -> None:  # fmt: skip
    words = [str(judged[1]) if word == "QUESTIONS" else word for word in arguments]
    shown = rirag("evaluate", "ablation", *words, "--index", rulebook)
    assert shown.refused(code).startswith(message.replace("QUESTIONS", str(judged[1])))


def test_an_untrained_index_of_other_passages_is_refused(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path], tmp_path: Path
) -> None:
    (tmp_path / "fees.txt").write_text("1\tA firm must pay a fee.\n", encoding="utf-8")
    assert rirag("ingest", "fees.txt", "--index", "other").code == 0
    command = ("evaluate", "ablation", judged[1], "--index", rulebook)
    told = rirag(*command, "--untrained-index", "other").refused(2)
    assert told == (
        "the untrained index other holds other passages: 229 are in only one of the "
        "two indexes; load the same sources into both."
    )


def test_what_happened_in_searches_is_told(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise RuntimeError("out of memory")

    monkeypatch.setenv("RIRAG_RERANK", "true")
    monkeypatch.setenv("RIRAG_RERANKER", DEFAULT_RERANKER)
    monkeypatch.setattr("search.ranking.steps.ordering.rerank.rerank", failing)
    command = ("evaluate", "ablation", judged[1], "--index", rulebook, "--sample", "2")
    notes = rirag(*command, "--no-keywords", "--json").json["notes"]
    told = "searches: reranking failed, so the previous order is kept: out of memory."
    assert notes[-1].endswith(told), notes


def test_relevant_passages_that_the_index_lacks_are_told(
    rirag: Run, rulebook: Path, judged: tuple[Path, Path], tmp_path: Path
) -> None:
    first, *_ = map(json.loads, judged[1].read_text(encoding="utf-8").splitlines())
    path = write_lines(tmp_path / "q.jsonl", {**first, "relevant": [*first["relevant"], "gone"]})
    shown = rirag("evaluate", "ablation", path, "--index", rulebook, "--no-keywords", "--json")
    assert "1 relevant passage is not in the index; it counts as not found." in shown.json["notes"]


def test_escapes_reach_neither_the_terminal_nor_the_page(
    rulebook: Path, judged: tuple[Path, Path], tmp_path: Path
) -> None:
    name = "a\x1b[31m<b>.jsonl"
    (tmp_path / name).write_bytes(judged[1].read_bytes())
    shown = run_in_terminal(
        "evaluate", "ablation", name, "--index", rulebook, "--sample", "1", "--no-keywords",
        "--no-rerank", "--html", "report.html", cwd=tmp_path,
    )  # fmt: skip
    assert "questions: 1 of a[31m<b>.jsonl" in shown.out
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    tree = ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>\n"))
    assert "a[31m<b>.jsonl" in "".join(tree.find(".//pre").itertext())

"""`rirag search`: for people and for programs, with every option, and on hostile questions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from cli_support import Run, run

from search.models.defaults import DEFAULT_RERANKER


def test_hits_are_shown_with_citation_score_breadcrumb_and_text(
    rulebook: Path, tmp_path: Path
) -> None:
    shown = run("search", "COND 6.2.2", "-k", 2, "--index", rulebook, cwd=tmp_path)
    assert (shown.code, shown.err) == (0, "")
    first, second = shown.out.split("\n\n")
    heading, breadcrumb, *text = first.split("\n")
    assert heading == " 1  Conduct Rulebook (COND) 6.2.2  1.000"
    assert breadcrumb.startswith("    6 ")
    assert " › 6.2 " in breadcrumb
    assert all(line.startswith("    ") and len(line) <= 100 for line in text)
    assert second.startswith(" 2  ")


def test_explain_adds_the_plan_and_the_scores_of_each_retriever(rirag: Run, rulebook: Path) -> None:
    shown = rirag(
        "search", "client money", "-k", 1, "--explain", "--index", rulebook,
        "--reranker", DEFAULT_RERANKER,
    ).out  # fmt: skip
    for word in (
        "question ",
        "index ",
        "profile ",
        "retrievers ",
        "fusion ",
        "rerank ",
        "candidates ",
    ):
        assert f"\n{word}" in f"\n{shown}"
    assert re.search(
        r"\n    lexical \d\.\d{3} \(#\d+, .*\)  dense .*  fused \d\.\d{3}  rerank ", shown
    )


def test_explain_tells_the_first_links_of_each_hit(rirag: Run, rulebook: Path) -> None:
    shown = rirag("search", "COND 2.2.2", "-k", 1, "--explain", "--index", rulebook).out
    lines = [line.strip() for line in shown.splitlines()]
    assert "cited by Glossary (GLOS) 2.1.7" in lines
    (cites,) = [line for line in lines if line.startswith("cites ")]
    assert cites.startswith("cites Conduct Rulebook (COND) 2.1.1, Conduct Rulebook (COND) 3.3.1, ")
    (terms,) = [line for line in lines if line.startswith("terms ")]
    assert terms.endswith(" more")
    hit = rirag("search", "COND 2.2.2", "--explain", "--json", "--index", rulebook).json["hits"][0]
    assert [one["target"]["passage_id"] for one in hit["links"]["cites"]][:2] == ["2.1.1", "3.3.1"]


def test_json_is_question_plan_and_hits(rirag: Run, rulebook: Path) -> None:
    shown = rirag("search", "client money", "-k", 3, "--json", "--index", rulebook)
    assert (shown.code, shown.err) == (0, "")
    assert list(shown.json) == ["question", "plan", "total", "hits"]
    assert [hit["rank"] for hit in shown.json["hits"]] == [1, 2, 3]
    assert {
        "rank", "id", "document_id", "passage_id", "document_title", "breadcrumb", "passage",
        "score", "scores",
    } <= shown.json["hits"][0].keys()  # fmt: skip
    assert {"lexical", "dense", "document", "fused", "rerank"} <= (
        shown.json["hits"][0]["scores"].keys()
    )
    assert shown.json["plan"]["profile"] == "regulation-minilm-l6-elsewhere"


def test_ten_hits_unless_told_otherwise(rirag: Run, rulebook: Path) -> None:
    assert len(rirag("search", "client", "--json", "--index", rulebook).json["hits"]) == 10


def test_filters_add_up_and_values_of_one_field_are_alternatives(
    rirag: Run, rulebook: Path
) -> None:
    filters = ("--filter", "document=COND", "--filter", "document=AMLR", "--filter", "kind=heading")
    hits = rirag("search", "client", *filters, "-k", 99, "--json", "--index", rulebook).json["hits"]
    assert {hit["document_id"] for hit in hits} == {"AMLR", "COND"}
    assert {hit["kind"] for hit in hits} == {"heading"}


def test_a_filter_value_may_hold_an_equals_sign_and_nothing_may_match(
    rirag: Run, rulebook: Path
) -> None:
    shown = rirag("search", "client", "--filter", "regime=a=b", "--index", rulebook)
    assert (shown.code, shown.out) == (0, "no hits\n")


def test_neighbours_are_shown_on_request(rirag: Run, rulebook: Path) -> None:
    command = ("search", "COND 6.2.2", "-k", 1, "--index", rulebook)
    assert "neighbours" not in rirag(*command, "--json").json["hits"][0]
    (hit,) = rirag(*command, "--neighbours", 1, "--json").json["hits"]
    assert [one["passage_id"] for one in hit["neighbours"]] == ["6.2.1", "6.2.3"]
    assert "6.2.3  " in rirag(*command, "--neighbours", 1).out


def test_notes_go_to_standard_error(rirag: Run, rulebook: Path) -> None:
    shown = rirag("search", "the of and", "-k", 1, "--index", rulebook)
    assert shown.code == 0
    assert shown.err == (
        "note: the question has only stop words, so the lexical retriever finds nothing\n"
    )


@pytest.mark.parametrize(
    "question",
    [
        "AND OR NOT * ? ~ ( ) [ ] field:fees",
        '"; DROP TABLE passage; -- fees',
        "<img src=x onerror=alert(1)> fees",
        "\x1b[31m fees\x07 \u202e",
        "fee " * 10_000,
    ],
    ids=["syntax", "sql", "html", "controls", "long"],
)
def test_hostile_questions_find_what_their_words_find(
    rirag: Run, rulebook: Path, question: str
) -> None:
    shown = rirag("search", question, "--index", rulebook)
    assert shown.code == 0
    assert "fee" in shown.out.lower()
    assert "\x1b[31" not in shown.out


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_a_question_that_is_not_utf_8_is_no_traceback(
    rulebook: Path, tmp_path: Path, encoding: str
) -> None:
    variables = {"PYTHONIOENCODING": f"{encoding}:strict"}
    question = b"frais f\xe9es".decode("utf-8", "surrogateescape")
    shown = run("search", question, "--json", "--index", rulebook, cwd=tmp_path,
                variables=variables)  # fmt: skip
    assert "Traceback" not in shown.err
    assert shown.code == 0
    assert shown.json["hits"]


def test_what_the_output_cannot_encode_becomes_a_question_mark(
    rulebook: Path, tmp_path: Path
) -> None:
    command = ("search", "COND 6.2.2", "-k", 1, "--index", rulebook)
    shown = run(*command, cwd=tmp_path, variables={"PYTHONIOENCODING": "latin-1"})
    assert (shown.code, shown.err) == (0, "")
    assert " ? 6.2 " in shown.out


class Backwards:
    """A reranker that likes the last passage best."""

    name = "backwards"

    def score(self, question: str, passages: Sequence[str]) -> np.ndarray:
        return np.arange(len(passages), dtype=np.float32)


def test_a_reranker_is_used_unless_told_otherwise(
    rirag: Run, rulebook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("search.models.given.load_reranker", lambda name: Backwards())
    monkeypatch.setenv("RIRAG_RERANKER", "backwards")
    command = ("search", "client money", "--profile", "bdd-finlegal", "--json", "--index", rulebook)
    reranked, plain = rirag(*command).json, rirag(*command, "--no-rerank").json
    assert (reranked["plan"]["reranker"], plain["plan"]["reranker"]) == ("backwards", None)
    assert reranked["hits"][0]["scores"]["fused"]["rank"] == 20
    assert [hit["scores"]["fused"]["rank"] for hit in plain["hits"]] == list(range(1, 11))

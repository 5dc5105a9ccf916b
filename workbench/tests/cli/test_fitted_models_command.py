"""`rirag search` and `rirag ask` with a profile that has fitted models."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from cli_support import Run
from hand_made_models import learned, relevance

import search
from rirag_workbench.training.profile.toml import profile_toml
from search.ranking.profile_file import load_profile

OFF_TOPIC = "why does my sponge cake sink in the oven"


@pytest.fixture(autouse=True)
def no_cross_encoder(clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The models of these tests were made for the retrievers alone."""
    monkeypatch.setenv("RIRAG_RERANK", "false")


@pytest.fixture
def options(rulebook: Path, tmp_path: Path) -> tuple[object, ...]:
    """Options that choose the sample rulebook and a profile with models beside it."""
    with search.open(str(rulebook)) as index:
        revision = index.pipeline.encoder.revision
    learned(revision).save(tmp_path / "mine.learned.json")
    relevance(revision).save(tmp_path / "mine.relevance.json")
    profile = replace(
        load_profile("default"),
        name="mine",
        learned="mine.learned.json",
        relevance="mine.relevance.json",
    )
    (tmp_path / "mine.toml").write_text(profile_toml(profile), encoding="utf-8")
    return ("--profile", "mine.toml", "--index", rulebook)


def test_hits_show_their_relevance(rirag: Run, options: tuple[object, ...]) -> None:
    shown = rirag("search", "client money", "-k", 2, *options)
    assert re.match(r" 1  .* \d\.\d{3}  relevance \d\.\d\d\n", shown.out)


def test_explain_says_what_moved_each_hit(rirag: Run, options: tuple[object, ...]) -> None:
    shown = rirag("search", "client money", "-k", 2, "--explain", *options).out
    assert "\nlearned     2 trees order the best" in shown
    assert re.search(r"\nanswerable  \d\.\d\d\n", shown)
    because = r"\n    learned \d\.\d{3} \(#\d+, -?\d+\.\d\d: from -0\.50, heading \+3\.00, dense"
    assert re.search(because, shown)


def test_a_question_without_an_answer_is_told_so(rirag: Run, options: tuple[object, ...]) -> None:
    shown = rirag("search", OFF_TOPIC, "-k", 1, *options)
    assert shown.code == 0
    assert "note: no passage seems to answer this question (probability 0." in shown.err
    assert "no passage seems" not in rirag("search", "client money", *options).err


def test_ask_declines_it_with_the_reason(rirag: Run, options: tuple[object, ...]) -> None:
    answer = rirag("ask", OFF_TOPIC, "--json", *options).json
    assert answer["insufficient_evidence"] is True
    assert answer["RetrievedIDs"] == []
    assert answer["filter"]["answerable"] < answer["filter"]["min_answerable"] == 0.2
    assert answer["filter"]["reason"].startswith("No passage answers this question:")
    asked = rirag("ask", OFF_TOPIC, "--json", "--filter-answerable", 0, *options).json
    assert not asked["filter"]["reason"].startswith("No passage answers this question:")


def test_ask_can_filter_by_relevance(rirag: Run, options: tuple[object, ...]) -> None:
    by_relevance = ("--filter-score", "relevance", "--filter-floor", 0.99)
    answer = rirag("ask", "how is client money protected", "--json", *by_relevance, *options).json
    assert answer["filter"]["score"] == "relevance"
    assert "its relevance of" in answer["filter"]["reason"]


def test_a_filter_score_that_is_none_is_refused(rirag: Run, rulebook: Path) -> None:
    refused = rirag("ask", "fees", "--filter-score", "luck", "--index", rulebook).refused(2)
    assert refused.startswith("--filter-score luck cannot be used")


def test_an_altered_model_is_refused(
    rirag: Run, options: tuple[object, ...], tmp_path: Path
) -> None:
    path = tmp_path / "mine.learned.json"
    path.write_text(path.read_text().replace("0.5", "0.6"))
    refused = rirag("search", "client money", *options).refused(6)
    assert "mine.learned.json was changed after it was fitted" in refused

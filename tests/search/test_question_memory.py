"""Answered questions at work: what they bring to a search, and what keeps them out."""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hand_made_models import learned
from memory_samples import ids, known, remember
from sample import write_lines

import indexer
import search
from search.answered_questions.questions import NAME
from search.ranking.profile_file import load_profile
from search.ranking.profiles import Profile

ASKED = "How fast do we have to tell the regulator that our computers were broken into?"
SIMILAR = "How fast must the regulator be told that our computers were broken into?"
ANSWER = ("GOVN", "4.2.1")
"""The rule of the sample rulebook on material incidents."""


def passage_id(index: search.Index, document: str, number: str) -> str:
    (found,) = (
        one for one in index.passages({"document_id": document}) if one.passage_id == number
    )
    return found.id


def ranking(result: search.SearchResult) -> list[object]:
    """What decides the order; a relevance also tells that answered questions were asked in vain."""
    return [(hit.id, hit.score, hit.scores) for hit in result.hits]


@pytest.fixture
def folder(rulebook_folder: Path, tmp_path: Path) -> str:
    """The sample rulebook in an index that may be changed."""
    return str(shutil.copytree(rulebook_folder, tmp_path / "index"))


@pytest.fixture
def answer(rulebook: search.Index) -> str:
    """`ID` of the passage that answers."""
    return passage_id(rulebook, *ANSWER)


@pytest.fixture
def taught(folder: str, rulebook: search.Index, answer: str) -> str:
    """The same with two answered questions, one of them like the one asked."""
    fee = passage_id(rulebook, "GOVN", "5.1.1")
    remember(
        folder, known("incident", SIMILAR, answer), known("fee", "Which fee is due each year?", fee)
    )
    return folder


def test_what_answered_a_similar_question_is_ranked_higher(taught: str, answer: str) -> None:
    with search.open(taught, reranker=None) as index:
        with_memory = ids(index.search(ASKED, 1000).hits)
        without = ids(index.search(ASKED, 1000, answered_questions=False).hits)
    assert with_memory.index(answer) < without.index(answer)


def test_what_answered_the_very_question_before_comes_first(
    taught: str, rulebook: search.Index
) -> None:
    fee = passage_id(rulebook, "GOVN", "5.1.1")
    asked = "why does my cake sink in the oven"
    remember(taught, known("cake", asked, fee))
    with search.open(taught) as index:
        again = index.search(f"{asked.capitalize()} ?", 3)
        other = index.search("why does my bread sink in the oven", 3)
        closed = index.search(asked, 3, filters={"document": "COND"})
    assert (again.hits[0].id, again.hits[0].score) == (fee, 1.0)
    assert (again.trace.answerable, again.trace.doubt()) == (None, "")
    assert other.hits[0].score < 1
    assert fee not in [hit.id for hit in closed.hits]


def test_a_passage_that_no_retriever_proposes_is_found_by_its_answered_question(
    folder: str, rulebook: search.Index
) -> None:
    proposed = ids(rulebook.search(ASKED, 1000).hits)
    nowhere = next(one.id for one in rulebook.passages() if one.text and one.id not in proposed)
    remember(folder, known("odd", ASKED, nowhere))
    with search.open(folder, reranker=None) as index:
        hits = index.search(ASKED, 1000).hits
    (found,) = (hit for hit in hits if hit.id == nowhere)
    assert (found.scores.lexical, found.scores.dense) == (None, None)
    assert found.scores.votes is not None
    assert found.scores.votes.raw == pytest.approx(1.0, abs=0.01)


def test_the_plan_names_who_voted_and_hits_show_their_votes(taught: str, answer: str) -> None:
    with search.open(taught, reranker=None) as index:
        result = index.search(ASKED)
    (voter,) = result.trace.similar_questions
    assert (voter.question_id, voter.question, voter.passages) == ("incident", SIMILAR, (answer,))
    assert voter.similarity > 0.5
    assert 0 < result.trace.votes_weight < 0.25
    assert result.trace.candidates["votes"] == 1
    described = result.trace.describe()
    assert (
        f"votes       answered questions vote, weight {result.trace.votes_weight:.2f}" in described
    )
    assert f"similar     {voter.similarity:.2f} {SIMILAR}" in described
    votes = {hit.id: hit.scores.votes for hit in result.hits if hit.scores.votes}
    assert set(votes) == {answer}
    assert votes[answer].normalised == 1.0
    assert result.to_json()["plan"]["similar_questions"][0]["question_id"] == "incident"


def test_the_fused_score_is_made_of_the_scores_that_are_shown(taught: str) -> None:
    with search.open(taught, reranker=None) as index:
        result = index.search(ASKED, 30)
    plan, weight = result.plan, result.trace.votes_weight
    for hit in result.hits:
        retrievers = (hit.scores.lexical, hit.scores.dense, hit.scores.document, hit.scores.votes)
        lexical, dense, document, memory = (
            retriever.normalised if retriever else 0.0 for retriever in retrievers
        )
        passage = plan.alpha * lexical + (1 - plan.alpha) * dense
        passage = (1 - plan.document_weight) * passage + plan.document_weight * document
        passage *= plan.heading_weight if hit.passage.kind == "heading" else 1.0
        wanted = (1 - weight) * passage + weight * memory
        assert hit.score == pytest.approx(wanted)


def test_switched_off_the_memory_changes_nothing(taught: str, rulebook: search.Index) -> None:
    with search.open(taught, reranker=None) as index:
        result = index.search(ASKED, 50, answered_questions=False)
    plain = rulebook.search(ASKED, 50)
    assert result.hits == plain.hits
    assert (result.trace.similar_questions, result.trace.votes_weight) == ((), 0.0)
    assert list(result.trace.candidates) == ["lexical", "dense", "fused"]
    assert result.trace.notes == ()


def test_unlike_questions_change_no_score(taught: str, rulebook: search.Index) -> None:
    question = "tipping off a client about a suspicious activity report"
    with search.open(taught, reranker=None) as index:
        result = index.search(question, 50)
    assert ranking(result) == ranking(rulebook.search(question, 50))
    assert result.trace.similar_questions == ()


@pytest.fixture
def elsewhere(rulebook: search.Index, tmp_path: Path) -> Profile:
    """The profile of the encoder with trees that look at no answered question."""
    revision = rulebook.pipeline.encoder.revision
    learned(revision, depth=200).save(tmp_path / "elsewhere.json")
    shipped = load_profile("default", revision)
    return replace(shipped, learned=str(tmp_path / "elsewhere.json"))


def test_trees_without_votes_leave_the_votes_their_say(
    taught: str, elsewhere: Profile, answer: str
) -> None:
    unlike = "tipping off a client about a suspicious activity report"
    with search.open(taught, reranker=None) as index:
        asked = [
            index.search(unlike, 50, profile=elsewhere, answered_questions=m) for m in (True, False)
        ]
        with_memory = index.search(ASKED, 1000, profile=elsewhere)
        without = index.search(ASKED, 1000, profile=elsewhere, answered_questions=False)
    assert all(result.trace.learned for result in (*asked, with_memory, without))
    assert ranking(asked[0]) == ranking(asked[1])
    assert ids(with_memory.hits).index(answer) < ids(without.hits).index(answer)


@pytest.mark.parametrize("profile", ["bdd-finlegal", "lexical", "dense", "rrf", "even"])
def test_profiles_for_comparison_ask_no_memory(
    taught: str, rulebook: search.Index, profile: str
) -> None:
    with search.open(taught, reranker=None) as index:
        result = index.search(ASKED, 50, profile=profile)
    assert result.hits == rulebook.search(ASKED, 50, profile=profile).hits
    assert "votes" not in result.trace.candidates


def test_votes_obey_filters(taught: str, answer: str) -> None:
    with search.open(taught, reranker=None) as index:
        elsewhere = index.search(ASKED, 100, filters={"document": "COND"})
        rules = index.search(ASKED, 100, filters={"document": "GOVN", "kind": "rule"})
    assert {hit.document_id for hit in elsewhere.hits} == {"COND"}
    assert elsewhere.trace.candidates["votes"] == 0
    assert [one.question_id for one in elsewhere.trace.similar_questions] == ["incident"]
    assert next(hit for hit in rules.hits if hit.id == answer).scores.votes is not None


def test_what_answered_the_nearest_questions_is_known_though_they_do_not_vote(
    taught: str, answer: str
) -> None:
    """Only what meets the filters: nothing else can be a candidate."""
    with search.open(taught) as index:
        other = passage_id(index, "GOVN", "5.1.1")
    remember(taught, known("outsource", "May our firm outsource its computers?", other))
    with search.open(taught, reranker=None) as index:
        assert _answered(index, {}) == {answer, other}
        assert _answered(index, {"document": "COND"}) == set()


def _answered(index: search.Index, filters: dict[str, str]) -> set[str]:
    pipeline = index.pipeline
    prepared = pipeline.prepare(ASKED, load_profile("default"), filters)
    recalled = pipeline.find(prepared).recalled
    assert [one.question.id for one in recalled.neighbours] == ["incident"]
    return {passage.id for passage in pipeline.engine.passages(recalled.answered.keys.tolist())}


def test_votes_for_passages_that_are_gone_are_ignored(taught: str, tmp_path: Path) -> None:
    changed = write_lines(
        tmp_path / "govn.jsonl",
        {"ID": "new", "DocumentID": "GOVN", "PassageID": "1", "Passage": "Nothing on computers."},
    )
    indexer.ingest([changed], taught)
    with search.open(taught, reranker=None) as index:
        result = index.search(ASKED, 20)
        assert result.trace.candidates["votes"] == 0
        assert ranking(result) == ranking(index.search(ASKED, 20, answered_questions=False))
        assert len(index.answered_questions()) == 2, "ingesting leaves the answered questions"


def test_a_left_out_question_does_not_vote(folder: str, rulebook: search.Index) -> None:
    first, second = (passage_id(rulebook, "GOVN", number) for number in ("4.2.1", "5.1.1"))
    remember(folder, known("one", ASKED, second), known("two", SIMILAR, first))
    with search.open(folder, reranker=None) as index:
        both = index.search(ASKED)
        alone = index.search(ASKED, leave_out=["one"])
    assert [one.question_id for one in both.trace.similar_questions] == ["one", "two"]
    assert [one.question_id for one in alone.trace.similar_questions] == ["two"]
    other = Path(folder).parent / "other"
    shutil.copytree(rulebook.url, other)
    remember(str(other), known("two", SIMILAR, first))
    with search.open(str(other), reranker=None) as index:
        assert index.search(ASKED).hits == alone.hits, "as if it had never been known"


def test_asynchronous_search_remembers_the_same(taught: str) -> None:
    with search.open(taught, reranker=None) as index:
        blocking = index.search(ASKED, 20)
        found = asyncio.run(index.search_async(ASKED, 20))
        without = asyncio.run(index.search_async(ASKED, 20, answered_questions=False))
        left_out = asyncio.run(index.search_async(ASKED, 20, leave_out={"incident"}))
    assert found.hits == blocking.hits
    assert found.trace.similar_questions == blocking.trace.similar_questions
    assert ranking(without) == ranking(left_out) != ranking(found)


def test_an_opened_index_sees_new_questions_after_refresh(folder: str, answer: str) -> None:
    with search.open(folder, reranker=None) as index:
        before = index.search(ASKED, 20)
        remember(folder, known("incident", SIMILAR, answer))
        assert index.search(ASKED, 20).hits == before.hits
        assert index.refresh()
        assert [one.question_id for one in index.search(ASKED).trace.similar_questions] == [
            "incident"
        ]
        assert not index.refresh()
        Path(folder, NAME, "CURRENT").write_text("nonsense")
        assert index.refresh()
        assert index.search(ASKED, 20).hits == before.hits


def test_damaged_answered_questions_are_told_and_do_not_count(
    taught: str, rulebook: search.Index
) -> None:
    Path(taught, NAME, "CURRENT").write_text("nonsense")
    with search.open(taught, reranker=None) as index:
        result = index.search(ASKED, 20)
        assert index.answered_questions() == []
        assert index.search(ASKED, answered_questions=False).trace.notes == ()
    assert result.hits == rulebook.search(ASKED, 20).hits
    (note,) = result.trace.notes
    assert note.startswith("answered questions are ignored: ")


def test_an_index_in_the_place_of_the_memory_is_told_and_left_alone(
    folder: str, rulebook: search.Index, tmp_path: Path
) -> None:
    source = write_lines(
        tmp_path / "a.jsonl",
        {"ID": "a", "DocumentID": "A", "PassageID": "1", "Passage": "A rule."},
    )
    indexer.ingest([source], str(Path(folder, NAME)))
    with search.open(folder, reranker=None) as index:
        result = index.search(ASKED, 20)
    assert result.hits == rulebook.search(ASKED, 20).hits
    (note,) = result.trace.notes
    assert "holds an index instead of them" in note
    with pytest.raises(search.InputError, match="is reserved for answered questions"):
        remember(folder, known("q", ASKED, passage_id(rulebook, *ANSWER)))
    with search.open(str(Path(folder, NAME))) as index:
        assert [one.id for one in index.passages()] == ["a"]


def test_passages_are_not_loaded_among_the_answered_questions(taught: str, tmp_path: Path) -> None:
    source = write_lines(
        tmp_path / "a.jsonl",
        {"ID": "a", "DocumentID": "A", "PassageID": "1", "Passage": "A rule."},
    )
    with pytest.raises(search.InputError, match=f"holds the answered questions of {taught};"):
        indexer.ingest([source], str(Path(taught, NAME)))
    with search.open(taught, reranker=None) as index:
        assert index.search(ASKED).trace.similar_questions


def test_the_reranker_reads_what_the_memory_proposes(taught: str, answer: str) -> None:
    class OnlyIncidents:
        name = "only-incidents"

        def score(self, question: str, passages: list[str]) -> list[float]:
            return [float("Material Incident within" in text) for text in passages]

    with search.open(taught, reranker=OnlyIncidents()) as index:
        hit = index.search(ASKED).hits[0]
    assert hit.id == answer
    assert hit.scores.votes is not None


def test_an_open_index_looks_answered_questions_up_once(
    taught: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with search.open(taught, reranker=None) as index:
        assert index.pipeline.answered_questions is not None
        first = ranking(index.search(ASKED))

        def gone(*_: object) -> None:
            raise AssertionError("looked up again")

        for engine in (index.pipeline.answered_questions.engine, index.pipeline.engine):
            monkeypatch.setattr(engine, "find", gone)
        monkeypatch.setattr(index.pipeline.answered_questions.engine, "passages", gone)
        assert ranking(index.search(ASKED)) == first
        with pytest.raises(AssertionError, match="looked up again"):
            index.search(ASKED, filters={"document": "GOVN"})

"""Fitted models in a search: their order, their probabilities, and when they stand aside."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hand_made_models import fitted_for, learned, relevance
from numpy.typing import NDArray

import search
from search.errors import ModelError
from search.index import Index
from search.json_form import to_json
from search.ranking.learned.fitted_for import title_hash
from search.ranking.learned.relevance import Relevance
from search.ranking.profile_file import load_profile
from search.ranking.profiles import Profile
from search.trace import DOUBTFUL

QUESTION = "how must a firm protect the money of its clients"


@pytest.fixture
def profile(rulebook: Index, tmp_path: Path) -> Profile:
    """The default profile with models that hold for the rulebook's encoder."""
    revision = rulebook.pipeline.encoder.revision
    learned(revision).save(tmp_path / "learned.json")
    relevance(revision).save(tmp_path / "relevance.json")
    return replace(
        load_profile("default"),
        learned=str(tmp_path / "learned.json"),
        relevance=str(tmp_path / "relevance.json"),
    )


def test_the_trees_decide_the_order_of_the_best(rulebook: Index, profile: Profile) -> None:
    hits = rulebook.search(QUESTION, 30, profile=profile).hits
    scored = [hit.scores.learned for hit in hits]
    assert all(scored)
    assert [one.score for one in scored if one] == [hit.score for hit in hits]
    raw = [one.raw for one in scored if one]
    assert raw == sorted(raw, reverse=True)
    # The trees of the test push headings below everything, and favour what the dense retriever has.
    kinds = [hit.passage.kind == "heading" for hit in hits]
    assert kinds == sorted(kinds)


def test_results_with_trees_do_not_change_with_k(rulebook: Index, profile: Profile) -> None:
    longest = rulebook.search(QUESTION, 100, profile=profile).hits
    for k in (1, 10, 60):
        assert rulebook.search(QUESTION, k, profile=profile).hits == longest[:k]
    scores = [hit.score for hit in longest]
    assert scores == sorted(scores, reverse=True)


def test_what_the_trees_do_not_look_at_stays_below(
    rulebook: Index, profile: Profile, tmp_path: Path
) -> None:
    learned(rulebook.pipeline.encoder.revision, candidates=5).save(tmp_path / "five.json")
    few = replace(profile, learned=str(tmp_path / "five.json"))
    plain = rulebook.search(QUESTION, 20, profile=replace(profile, learned="")).hits
    hits = rulebook.search(QUESTION, 20, profile=few).hits
    assert {hit.id for hit in hits[:5]} == {hit.id for hit in plain[:5]}
    assert [hit.id for hit in hits[5:]] == [hit.id for hit in plain[5:]]
    assert {hit.scores.learned for hit in hits[5:]} == {None}


def test_what_moved_a_hit_is_told(rulebook: Index, profile: Profile) -> None:
    result = rulebook.search(QUESTION, 5, profile=profile)
    for hit in result.hits:
        score = hit.scores.learned
        assert score is not None
        assert sum(score.because.values()) == pytest.approx(score.raw)
    assert result.trace.learned == "2 trees order the best 50, weight 1.00"
    assert "learned     2 trees" in result.trace.describe()


def test_hits_and_question_have_probabilities(rulebook: Index, profile: Profile) -> None:
    result = rulebook.search(QUESTION, 5, profile=profile)
    assert all(hit.relevance is not None and 0 < hit.relevance < 1 for hit in result.hits)
    assert result.trace.answerable is not None
    assert f"answerable  {result.trace.answerable:.2f}" in result.trace.describe()
    off_topic = rulebook.search("why does my cake sink in the oven", 5, profile=profile)
    assert off_topic.trace.answerable is not None
    assert off_topic.trace.answerable < result.trace.answerable


def test_a_profile_without_models_gives_neither(rulebook: Index) -> None:
    result = rulebook.search(QUESTION, 3, profile="even")
    assert {(hit.relevance, hit.scores.learned) for hit in result.hits} == {(None, None)}
    assert (result.trace.learned, result.trace.answerable) == ("", None)


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"least": 40}, "questions of 40 to 60 words"),
        ({"depth": 20}, "20 candidates per retriever"),
    ],
)
def test_models_stand_aside_where_they_were_not_fitted(
    rulebook: Index, profile: Profile, tmp_path: Path, limits: dict[str, int], said: str
) -> None:
    revision = rulebook.pipeline.encoder.revision
    learned(revision, **limits).save(tmp_path / "learned.json")
    relevance(revision, **limits).save(tmp_path / "relevance.json")
    plain = rulebook.search(QUESTION, 20, profile=replace(profile, learned="", relevance=""))
    result = rulebook.search(QUESTION, 20, profile=profile)
    assert result.hits == plain.hits
    for start in ("learned ranking not applied", "no relevance"):
        assert any(note.startswith(start) and said in note for note in result.trace.stood_aside)


def test_trees_of_large_indexes_stand_aside_in_a_small_one(
    rulebook: Index, profile: Profile, tmp_path: Path
) -> None:
    small = learned(rulebook.pipeline.encoder.revision)
    fitted_for = small.fitted_for.model_copy(update={"least_passages": 1000})
    replace(small, fitted_for=fitted_for).save(tmp_path / "learned.json")
    trace = rulebook.search(QUESTION, 5, profile=profile).trace
    assert trace.learned == ""
    assert sum("learned" in note for note in trace.stood_aside) == 1


def test_models_of_another_encoder_stand_aside(
    rulebook: Index, profile: Profile, tmp_path: Path
) -> None:
    learned("another").save(tmp_path / "learned.json")
    result = rulebook.search(QUESTION, 5, profile=profile)
    assert result.trace.learned == ""
    assert any(
        "was fitted for an encoder (revision another)" in one for one in result.trace.stood_aside
    )


def test_models_fitted_with_answered_questions_stand_aside_without(
    rulebook: Index, profile: Profile, tmp_path: Path
) -> None:
    revision = rulebook.pipeline.encoder.revision
    learned(revision, retrievers=frozenset({"memory"})).save(tmp_path / "learned.json")
    notes = rulebook.search(QUESTION, 5, profile=profile).trace.stood_aside
    assert any("not fitted for the lexical and the dense retriever alone" in note for note in notes)


def test_a_question_that_no_word_finds_is_left_to_the_fixed_weights(
    rulebook: Index, profile: Profile
) -> None:
    notes = rulebook.search("xyzzy plugh", 5, profile=profile).trace.stood_aside
    assert "fitted models not applied: the lexical retriever found nothing" in notes


def test_rules_that_are_named_come_first_and_are_not_judged(
    rulebook: Index, profile: Profile
) -> None:
    result = rulebook.search("What does COND 6.2.3 say?", 5, profile=profile)
    assert result.hits[0].passage_id == "6.2.3"
    assert {hit.relevance for hit in result.hits} == {None}
    assert result.trace.answerable is None


def test_an_altered_model_stops_the_search(rulebook: Index, profile: Profile) -> None:
    path = Path(profile.learned)
    path.write_text(path.read_text().replace("60", "61"))
    with pytest.raises(ModelError, match="was changed after it was fitted"):
        rulebook.search(QUESTION, 5, profile=profile)


CAKE = "why does my cake sink in the oven"


def test_on_other_documents_the_nearest_vector_tells_whether_there_is_an_answer(
    rulebook: Index, profile: Profile, tmp_path: Path
) -> None:
    _fitted_elsewhere(rulebook).save(tmp_path / "relevance.json")
    asked, cake = (rulebook.search(one, 3, profile=profile) for one in (QUESTION, CAKE))
    assert all(hit.relevance is not None for hit in (*asked.hits, *cake.hits))
    assert {asked.trace.answerable_by, cake.trace.answerable_by} == {"nearness"}
    cosines = [_best_cosine(rulebook, one, profile) for one in (QUESTION, CAKE)]
    assert [asked.trace.answerable, cake.trace.answerable] == pytest.approx(
        [1 / (1 + math.exp(16 - 40 * cosine)) for cosine in cosines]
    )
    assert (asked.trace.doubt(), cake.trace.doubt()[:26]) == ("", "no passage seems to answer")
    assert "by the nearest vector alone" in asked.trace.describe()
    assert any("calibrated on other documents" in note for note in asked.trace.stood_aside)


def test_the_nearest_vector_is_known_beside_a_calibration(
    rulebook: Index, profile: Profile, tmp_path: Path
) -> None:
    relevance(rulebook.pipeline.encoder.revision).save(tmp_path / "relevance.json")
    trace = rulebook.search(QUESTION, 3, profile=profile).trace
    cosine = _best_cosine(rulebook, QUESTION, profile)
    assert trace.answerable_by == "calibration"
    assert trace.nearness == pytest.approx(1 / (1 + math.exp(16 - 40 * cosine)))


def test_a_word_that_the_index_has_is_not_doubted(
    rulebook: Index, profile: Profile, tmp_path: Path
) -> None:
    _fitted_elsewhere(rulebook).save(tmp_path / "relevance.json")
    result = rulebook.search("What is complaint?", 3, profile=profile)
    assert "complaint" in result.hits[0].text.lower()
    assert (result.trace.answerable, result.trace.doubt()) == (None, "")


def test_the_nearest_vector_tells_it_too_where_no_calibration_was_fitted_for_the_question(
    rulebook: Index, profile: Profile, tmp_path: Path
) -> None:
    relevance(rulebook.pipeline.encoder.revision, least=40).save(tmp_path / "relevance.json")
    result = rulebook.search(QUESTION, 3, profile=profile)
    assert {hit.relevance for hit in result.hits} == {None}
    assert result.trace.answerable_by == "nearness"
    assert result.trace.doubt() == ""


@pytest.mark.parametrize("why", ["not fitted", "another encoder", "a rule is named"])
def test_where_nothing_is_known_of_the_nearest_vector_nothing_is_declined(
    rulebook: Index, profile: Profile, tmp_path: Path, why: str
) -> None:
    model = _fitted_elsewhere(rulebook)
    if why == "not fitted":
        model = replace(model, nearness=None)
    if why == "another encoder":
        model = replace(model, fitted_for=relevance("another").fitted_for)
    model.save(tmp_path / "relevance.json")
    question = "COND 6.2.3 cake" if why == "a rule is named" else CAKE
    trace = rulebook.search(question, 3, profile=profile).trace
    assert (trace.answerable, trace.answerable_by) == (None, "")


def _fitted_elsewhere(rulebook: Index) -> Relevance:
    model = relevance(rulebook.pipeline.encoder.revision)
    elsewhere = model.fitted_for.model_copy(update={"documents": (title_hash("Another Act"),)})
    return replace(model, fitted_for=elsewhere)


def _best_cosine(rulebook: Index, question: str, profile: Profile) -> float:
    hits = rulebook.search(question, 1000, profile=profile).hits
    return max(hit.scores.dense.raw for hit in hits if hit.scores.dense)


def test_trees_stand_aside_at_lengths_where_they_lost(
    rulebook: Index, profile: Profile, tmp_path: Path
) -> None:
    model = learned(rulebook.pipeline.encoder.revision)
    long = replace(model.variants[0], least_words=10)
    replace(model, variants=(long,)).save(tmp_path / "learned.json")
    notes = rulebook.search("client money", 3, profile=profile).trace.stood_aside
    assert any(
        "it applies to questions of 10 words or more, and this one has 2" in one for one in notes
    )
    assert rulebook.search(QUESTION, 3, profile=profile).trace.learned


def test_trees_fitted_on_other_documents_stand_aside(
    rulebook: Index, profile: Profile, tmp_path: Path
) -> None:
    model = learned(rulebook.pipeline.encoder.revision)
    elsewhere = model.fitted_for.model_copy(update={"documents": (title_hash("Another Act"),)})
    replace(model, fitted_for=elsewhere).save(tmp_path / "learned.json")
    result = rulebook.search(QUESTION, 20, profile=profile)
    assert [hit.id for hit in result.hits] == [
        hit.id for hit in rulebook.search(QUESTION, 20, profile=replace(profile, learned="")).hits
    ]
    note = "learned ranking not applied: it was fitted on other documents"
    assert note in result.trace.stood_aside


def test_a_model_knows_an_index_by_half_of_its_documents() -> None:
    fitted = fitted_for("r").model_copy(update={"documents": ("a", "b", "c")})
    assert fitted.knows({"a", "b", "new"})
    assert fitted.knows({"a", "new"})
    assert not fitted.knows({"a", "new", "newer"})
    assert fitted_for("r").knows({"whatever"}), "a model that does not say was fitted anywhere"


def test_json_has_every_number(rulebook: Index, profile: Profile) -> None:
    data = to_json(rulebook.search(QUESTION, 1, profile=profile))
    hit = data["hits"][0]
    assert set(hit["scores"]["learned"]) == {"raw", "normalised", "rank", "score", "because"}
    assert 0 < hit["relevance"] < 1
    assert 0 < data["plan"]["answerable"] < 1


def test_a_question_that_nothing_answers_is_told_so(rulebook: Index, profile: Profile) -> None:
    trace = rulebook.search(QUESTION, 1, profile=profile).trace
    assert replace(trace, answerable=None).doubt() == ""
    assert replace(trace, answerable=DOUBTFUL).doubt() == ""
    said = replace(trace, answerable=0.04).doubt()
    assert said.startswith("no passage seems to answer this question (probability 0.04);")


class Letters:
    """A reranker that likes long passages, and remembers what it read."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.read: list[str] = []

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        self.read = list(passages)
        return np.array([len(passage) for passage in passages], dtype=np.float32)


def test_a_reranker_reads_what_the_trees_put_first(
    rulebook: Index, rulebook_folder: Path, profile: Profile
) -> None:
    before = rulebook.search(QUESTION, 30, profile=profile).hits
    reranker = Letters("any reranker")
    eight = replace(profile, rerank_count=8, rerank_weight=0.3)
    with search.open(str(rulebook_folder), reranker=reranker) as index:
        result = index.search(QUESTION, 30, profile=eight)
    assert reranker.read == [hit.text for hit in before[:8]]
    assert {hit.id for hit in result.hits[:8]} == {hit.id for hit in before[:8]}
    assert [hit.id for hit in result.hits[8:]] == [hit.id for hit in before[8:]]
    assert result.trace.learned == "2 trees order the best 50, weight 1.00"
    for hit in result.hits[:8]:
        learnt, read = hit.scores.learned, hit.scores.rerank
        assert learnt is not None
        assert read is not None
        assert hit.score == pytest.approx(0.7 * learnt.score + 0.3 * read.normalised)


@pytest.mark.parametrize("name", ["fitted to", "another"])
def test_relevance_stands_aside_for_another_reranker(
    rulebook: Index, rulebook_folder: Path, profile: Profile, name: str
) -> None:
    model = relevance(rulebook.pipeline.encoder.revision, retrievers=frozenset({"rerank"}))
    known = model.fitted_for.model_copy(update={"reranker": "fitted to"})
    replace(model, fitted_for=known).save(Path(profile.relevance))
    with search.open(str(rulebook_folder), reranker=Letters(name)) as index:
        result = index.search(QUESTION, 5, profile=profile)
    fits = name == "fitted to"
    assert all(hit.scores.learned is not None for hit in result.hits)
    assert all((hit.relevance is not None) == fits for hit in result.hits)
    said = "it was fitted to the scores of fitted to, but another is used"
    notes = [note for note in result.trace.stood_aside if note.endswith(said)]
    assert len(notes) == (0 if fits else 1)

"""The way from a question to its hits, over the sample rulebook."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sample import record

import search
from search.errors import InputError
from search.index import Index
from search.pipeline import MAX_K
from search.ranking.profile_file import PROFILES_FILE, read_profiles
from search.records import Hit

QUESTIONS = (
    "tipping off",
    "complaint deadline for retail clients",
    "Which records must be kept, and for how long after the relationship ends?",
    "What does COND 4.1 say?",
)


def ids(hits: tuple[Hit, ...]) -> list[str]:
    return [hit.id for hit in hits]


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("profile", read_profiles(PROFILES_FILE))
def test_results_do_not_change_with_k(rulebook: Index, profile: str, question: str) -> None:
    longest = rulebook.search(question, MAX_K, profile=profile).hits
    for k in (1, 2, 7, 40):
        assert rulebook.search(question, k, profile=profile).hits == longest[:k]


@pytest.mark.parametrize("profile", read_profiles(PROFILES_FILE))
def test_hits_are_ranked_by_the_score_they_show(rulebook: Index, profile: str) -> None:
    hits = rulebook.search("how is client money protected", 50, profile=profile).hits
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert all(0 <= hit.score <= 1 for hit in hits)
    assert len(set(ids(hits))) == len(hits)


@pytest.mark.parametrize("k", [0, -1, MAX_K + 1])
def test_k_out_of_range_is_refused(rulebook: Index, k: int) -> None:
    with pytest.raises(InputError, match=f"k must be between 1 and {MAX_K}, not {k}"):
        rulebook.search("fees", k)


def test_more_hits_than_candidates_gives_all_candidates(rulebook: Index) -> None:
    result = rulebook.search("client money", MAX_K)
    assert len(result.hits) == result.trace.candidates["fused"] < 228


@pytest.mark.parametrize(("profile", "retriever"), [("lexical", "lexical"), ("dense", "dense")])
def test_a_single_retriever_decides_alone(rulebook: Index, profile: str, retriever: str) -> None:
    result = rulebook.search("client money reconciliation", 20, profile=profile)
    other = "dense" if retriever == "lexical" else "lexical"
    assert [getattr(hit.scores, retriever).rank for hit in result.hits] == list(
        range(1, len(result.hits) + 1)
    )
    assert {getattr(hit.scores, other) for hit in result.hits} == {None}
    assert result.trace.candidates[other] == 0


def test_a_retriever_without_weight_proposes_nothing(rulebook: Index) -> None:
    result = rulebook.search("client money reconciliation", MAX_K, profile="rirag-paper")
    assert (result.trace.candidates["lexical"], result.trace.candidates["dense"]) == (0, 100)
    assert {hit.scores.lexical for hit in result.hits} == {None}
    assert any(hit.scores.document for hit in result.hits)


def test_the_fused_score_is_made_of_the_scores_that_are_shown(rulebook: Index) -> None:
    result = rulebook.search("who must be told of a data breach", 30)
    plan = result.plan
    for hit in result.hits:
        retrievers = (hit.scores.lexical, hit.scores.dense, hit.scores.document)
        lexical, dense, document = (
            retriever.normalised if retriever else 0.0 for retriever in retrievers
        )
        passage = plan.alpha * lexical + (1 - plan.alpha) * dense
        weight = plan.document_weight
        factor = plan.heading_weight if hit.passage.kind == "heading" else 1.0
        assert hit.score == pytest.approx(factor * ((1 - weight) * passage + weight * document))
        assert hit.scores.fused.normalised == hit.score
        assert hit.scores.fused.rank == hit.rank


def test_only_stop_words_are_left_to_the_dense_retriever(rulebook: Index) -> None:
    result = rulebook.search("is it the")
    assert len(result.hits) == 10
    assert result.trace.candidates["lexical"] == 0
    assert result.trace.notes == (
        "the question has only stop words, so the lexical retriever finds nothing",
    )


def test_only_stop_words_find_nothing_in_the_lexical_retriever_alone(rulebook: Index) -> None:
    assert rulebook.search("is it the", profile="lexical").hits == ()


@pytest.mark.parametrize(
    "question",
    [
        "AND OR NOT",
        '* ? ~ " ( ) [ ] { } field:fees ^4 \\',
        "fees' OR '1'='1'; DROP TABLE passage; --",
        "<script>alert('fees')</script>",
        "\u202eseef\u202c fees \u200f",
        "fees\x00\x1b[2J",
        "费用 是多少 رسوم сборы",
        "fee " * 10_000,
        "x" * 100_000,
        "🙂 fees \ud83d \udce9",
    ],
    ids=lambda text: repr(text[:20]),
)
def test_hostile_questions_are_only_words(rulebook: Index, question: str) -> None:
    result = rulebook.search(question, 5)
    assert 0 < len(result.hits) <= 5
    assert all(hit.scores.fused for hit in result.hits)


@pytest.mark.parametrize(
    ("filters", "documents"),
    [
        ({"document_id": "AMLR"}, {"AMLR"}),
        ({"document": "AMLR"}, {"AMLR"}),
        ({"document": ["AMLR", "Conduct Rulebook (COND)"]}, {"AMLR", "COND"}),
        ({"version": "1.4"}, {"AMLR"}),
        ({"document": ["AMLR", "COND"], "version": ["1.4", "9"]}, {"AMLR"}),
        ({"document": "COND", "version": "1.4"}, set()),
        ({"version": "9.9"}, set()),
        ({"document": ["COND", "GLOS"], "document_id": "GLOS"}, {"GLOS"}),
        ({"document_id": "GOVN", "document": "COND"}, set()),
    ],
)
def test_every_condition_holds_for_every_hit(
    rulebook: Index, filters: dict[str, str], documents: set[str]
) -> None:
    hits = rulebook.search("what must a firm do for a client", MAX_K, filters=filters).hits
    assert {hit.document_id for hit in hits} == documents
    assert all(hit.scores.document is None or hit.document_id in documents for hit in hits)


def test_the_public_filters_are_taken_as_a_mapping_is(rulebook: Index) -> None:
    fields = {"document": ("GLOS",)}
    found = rulebook.search("client", filters=search.Filters(fields))
    assert found.hits == rulebook.search("client", filters=fields).hits


def test_filters_reach_into_both_retrievers_and_lose_nothing(rulebook: Index) -> None:
    filtered = rulebook.search("client", MAX_K, filters={"document": "GLOS"})
    everything = {one.id for one in rulebook.passages({"document_id": "GLOS"}) if one.text}
    assert set(ids(filtered.hits)) == everything
    assert filtered.trace.candidates["dense"] == min(100, len(everything))


@pytest.mark.parametrize("field", ["colour", "id", "parent", "number"])
def test_an_unknown_filter_field_is_refused_with_the_fields_there_are(
    rulebook: Index, field: str
) -> None:
    with pytest.raises(InputError, match=f"unknown filter field '{field}'; this index has: doc"):
        rulebook.search("fees", filters={field: "red"})


def test_passages_without_text_are_never_proposed(index_of: Callable[..., Index]) -> None:
    index = index_of(record("1", "Widgets"), record("1.1", ""), record("1.2", "Sell no widget."))
    assert [hit.passage_id for hit in index.search("widget", 10).hits] == ["1.2", "1"]


def test_one_passage_alone_scores_one(index_of: Callable[..., Index]) -> None:
    index = index_of(record("1", "A firm must report every broken widget."))
    (hit,) = index.search("broken widget").hits
    assert hit.score == pytest.approx(1.0)
    assert hit.citation() == "Widget Act 1"

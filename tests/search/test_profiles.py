"""Profiles: the paper's table to the word, and numbers that can be used."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from search.errors import InputError
from search.index import Index
from search.ranking.profile_file import DEFAULT_PROFILE, PROFILES_FILE, load_profile, read_profiles
from search.ranking.profiles import AlphaStep, Profile


@pytest.mark.parametrize(
    ("words", "alpha"),
    [(1, 0.7), (4, 0.7), (5, 0.5), (9, 0.5), (10, 0.3), (11, 0.3), (1000, 0.3)],
)
def test_bdd_finlegal_is_the_table_of_the_paper(words: int, alpha: float) -> None:
    assert load_profile("bdd-finlegal").alpha_for(words) == alpha


def test_bdd_finlegal_has_no_document_retriever_and_lets_the_reranker_decide() -> None:
    profile = load_profile("bdd-finlegal")
    assert (profile.document_weight, profile.rerank_weight, profile.fusion) == (0.0, 1.0, "convex")


def test_rirag_paper_fuses_dense_passages_with_whole_documents_at_a_tenth() -> None:
    profile = load_profile("rirag-paper")
    assert {profile.alpha_for(words) for words in (1, 5, 50)} == {0.0}
    assert profile.document_weight == 0.1


@pytest.mark.parametrize(("name", "alpha"), [("lexical", 1.0), ("dense", 0.0), ("even", 0.5)])
def test_profiles_for_comparison_have_one_alpha(name: str, alpha: float) -> None:
    profile = load_profile(name)
    assert {profile.alpha_for(words) for words in (1, 4, 5, 9, 10, 99)} == {alpha}
    assert profile.document_weight == 0.0


def test_rrf_is_a_fusion_of_its_own() -> None:
    assert load_profile("rrf").fusion == "rrf"


def test_the_default_profile_adapts_to_the_length_of_the_question() -> None:
    profile = load_profile(DEFAULT_PROFILE)
    assert profile.alpha_for(2) > profile.alpha_for(9) > profile.alpha_for(30)


@pytest.mark.parametrize("profile", read_profiles(PROFILES_FILE).values(), ids=lambda one: one.name)
def test_every_profile_names_its_source_and_holds_usable_numbers(profile: Profile) -> None:
    assert profile.source.strip()
    assert profile.fusion in {"convex", "rrf"}
    borders = [step.words for step in profile.alpha]
    assert borders[-1] is None, "all longer questions"
    assert borders[:-1] == sorted(set(borders[:-1]))
    weights = [step.value for step in profile.alpha]
    weights += [profile.document_weight, profile.heading_weight, profile.rerank_weight]
    weights.append(profile.votes_weight)
    assert all(0 <= weight <= 1 for weight in weights)
    assert profile.depth >= profile.rerank_count >= 1


def test_an_unknown_profile_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(InputError, match="unknown profile 'nope'; choose one of default, reg"):
        load_profile("nope")


@pytest.mark.parametrize(
    ("question", "alpha"),
    [
        ("fees for a licence", 0.7),
        ("fees for a new licence", 0.5),
        ("which fees are due for a new licence", 0.5),
        ("which fees are due each year for a new licence", 0.3),
    ],
)
def test_a_search_takes_its_alpha_by_the_words_of_the_question(
    rulebook: Index, question: str, alpha: float
) -> None:
    assert rulebook.search(question, profile="bdd-finlegal").plan.alpha == alpha


def test_a_profile_of_ones_own_can_be_given(rulebook: Index) -> None:
    mine = replace(load_profile("even"), name="mine", depth=7)
    result = rulebook.search("client money", profile=mine)
    assert (result.plan.profile, result.plan.depth) == ("mine", 7)
    assert result.trace.candidates["dense"] == 7


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"alpha": ()}, "alpha must have a row"),
        ({"alpha": (AlphaStep(0.5, 4),)}, "the last row of alpha must not have words"),
        ({"alpha": (AlphaStep(0.5, 9), AlphaStep(0.5, 4), AlphaStep(0.3))}, "in ascending order"),
        ({"alpha": (AlphaStep(1.5),)}, "0 to 1, not 1.5"),
        ({"depth": 0}, "depth must be a whole number from 1 to 1000, not 0"),
        ({"document_weight": 2.0}, "document_weight must be a number from 0 to 1, not 2.0"),
        ({"rerank_weight": float("nan")}, "rerank_weight must be a number from 0 to 1, not nan"),
        ({"fusion": "rff"}, "fusion must be convex or rrf, not 'rff'"),
    ],
)
def test_a_profile_made_by_code_is_checked_like_a_file(
    change: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=f"profile 'even': .*{message}"):
        replace(load_profile("even"), **change)

"""Each variant is the pipeline less one component, as options of the real search."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import pytest

from rirag_workbench.ablation.variants import (
    FULL,
    UNTRAINED,
    Components,
    Variant,
    variants,
)
from search.ranking.profile_file import load_profile
from search.ranking.profiles import AlphaStep

PROFILE = replace(
    load_profile("default"),
    name="mine",
    alpha=(AlphaStep(0.8, 4), AlphaStep(0.4)),
    document_weight=0.2,
    votes_weight=0.25,
    rerank_weight=0.5,
    learned="trees.json",
)
UNTRAINED_PROFILE = load_profile("even")
ALL = Components(PROFILE, "onnx:ce", 7, UNTRAINED_PROFILE)
WORDS = [2, 20, 20, 20]


def by_name(have: Components) -> dict[str, Variant]:
    return {one.name: one for one in variants(have, WORDS)}


def differences(one: Variant) -> dict[str, Any]:
    """Fields of the profile that differ from the whole pipeline's."""
    full = asdict(PROFILE)
    return {name: value for name, value in asdict(one.profile).items() if value != full[name]}


def test_the_whole_pipeline_comes_first_and_is_changed_in_nothing() -> None:
    first = variants(ALL, WORDS)[0]
    assert (first.name, first.profile, first.component) == (FULL, PROFILE, "")
    assert (first.rerank, first.answered_questions, first.untrained) == (True, True, False)


@pytest.mark.parametrize(
    ("name", "changed", "rerank", "memory"),
    [
        ("no adaptive α", {"alpha": ({"value": 0.5, "words": None},)}, True, True),
        ("no document fusion", {"document_weight": 0.0}, True, True),
        ("no rerank", {}, False, True),
        ("no learned fusion", {"learned": ""}, True, True),
        ("no votes", {}, True, False),
    ],
)
def test_each_other_lacks_one_component(
    name: str, changed: dict[str, Any], rerank: bool, memory: bool
) -> None:
    one = by_name(ALL)[name]
    assert differences(one) == changed
    assert (one.rerank, one.answered_questions, one.untrained) == (rerank, memory, False)
    assert one.component


def test_a_smooth_alpha_is_fixed_at_its_mean_too() -> None:
    rows = (AlphaStep(0.9, 2), AlphaStep(0.1, 20))
    smooth = replace(ALL, profile=replace(PROFILE, alpha=rows, alpha_shape="smooth"))
    fixed = by_name(smooth)["no adaptive α"].profile
    assert fixed.alpha_for(2) == fixed.alpha_for(50) == pytest.approx(0.3)


def test_the_untrained_encoder_is_searched_with_its_own_profile() -> None:
    one = by_name(ALL)[UNTRAINED]
    assert one.untrained
    assert one.profile == UNTRAINED_PROFILE


def test_other_systems_are_no_components() -> None:
    found = by_name(ALL)
    names = {"BM25 only": "lexical", "dense only": "dense", "RRF": "rrf"}
    for name, profile in names.items():
        assert found[name].profile == load_profile(profile)
        assert (found[name].rerank, found[name].answered_questions, found[name].component) == (
            False, False, ""
        )  # fmt: skip
    assert found["bdd-finlegal"].profile == load_profile("bdd-finlegal")
    assert found["bdd-finlegal"].rerank, "the paper lets the reranker decide"
    assert not found["bdd-finlegal fused"].rerank


def test_what_is_not_there_is_not_taken_away() -> None:
    bare = replace(PROFILE, alpha=(AlphaStep(0.5),), document_weight=0.0, learned="")
    nothing = Components(bare, None, 0)
    assert list(by_name(nothing)) == [FULL, "BM25 only", "dense only", "RRF", "bdd-finlegal"]

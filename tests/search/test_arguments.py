"""What callers of an opened index mistake is an `InputError` that says what would do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import search
from search.errors import InputError
from search.index import Index

PROFILE = """
[mine]
source = "made up"
fusion = "convex"
alpha = [{ value = 0.5 }]
document_weight = 0.1
heading_weight = 0.7
votes_weight = 0.0
depth = 100
rerank_count = 20
rerank_weight = 0.3
"""


def refused(told: str, work: Callable[[], object]) -> None:
    with pytest.raises(InputError, match=told):
        work()


@pytest.mark.parametrize("k", [10.0, "3", None])
async def test_a_number_of_hits_is_a_whole_number(rulebook: Index, k: Any) -> None:
    told = rf"^k must be a whole number, between 1 and 1000, not {k!r}$"
    refused(told, lambda: rulebook.search("fees", k))
    with pytest.raises(InputError, match=told):
        await rulebook.search_async("fees", k)


def test_a_number_of_hits_has_its_range(rulebook: Index) -> None:
    for k in (0, -1, 1001):
        refused(f"^k must be between 1 and 1000, not {k}$", lambda k=k: rulebook.search("fees", k))
    assert len(rulebook.search("fees", np.int64(3)).hits) == 3


@pytest.mark.parametrize("question", [None, 5, b"fees", ["fees"]])
def test_a_question_is_a_text(rulebook: Index, question: Any) -> None:
    refused("^the question must be a text, not ", lambda: rulebook.search(question))


@pytest.mark.parametrize("filters", [[("document", "COND")], "document=COND", 5])
def test_filters_are_a_mapping(rulebook: Index, filters: Any) -> None:
    told = "^filters must be a mapping from field to value, such as .* not "
    refused(told, lambda: rulebook.search("fees", filters=filters))
    refused(told, lambda: rulebook.passages(filters))


def test_passages_refuse_an_unknown_kind_as_a_search_does(rulebook: Index) -> None:
    told = "^unknown kind 'nope'; choose from: rule, "
    refused(told, lambda: rulebook.passages({"kind": "nope"}))
    refused(told, lambda: rulebook.search("fees", filters={"kind": "nope"}))


@pytest.mark.parametrize("profile", [None, 5, ("default",)])
def test_a_profile_is_a_profile_or_names_one(rulebook: Index, profile: Any) -> None:
    told = "^a profile must be a search.Profile, the name of one, or a file, not "
    refused(told, lambda: rulebook.search("fees", profile=profile))


def test_a_question_that_must_not_vote_may_be_named_alone(rulebook: Index) -> None:
    assert rulebook.search("fees", 1, leave_out="Q12").hits
    refused("^IDs must be a list of texts, not 5$", lambda: rulebook.search("fees", leave_out=5))


@pytest.mark.parametrize("count", [-5, 1.5, "2"])
def test_neighbours_are_a_number_of_passages(rulebook: Index, count: Any) -> None:
    passage = rulebook.passages()[5]
    assert rulebook.neighbours(passage, 0) == []
    refused("^count must be .*0 or more, not ", lambda: rulebook.neighbours(passage, count))


def test_where_a_passage_is_meant_a_hit_will_do(rulebook: Index) -> None:
    hit = rulebook.search("COND 4.1", 1).hits[0]
    for work in (rulebook.neighbours, rulebook.ancestors, rulebook.children, rulebook.siblings):
        assert work(hit) == work(hit.passage)
        refused("^expected a passage or a hit, not 'COND 4.1'", lambda w=work: w("COND 4.1"))
    assert rulebook.links([hit]) == rulebook.links([hit.passage])
    refused("^expected a list of passages or hits", lambda: rulebook.links(hit))
    refused("^expected a passage or a hit, not 'x'", lambda: rulebook.links("x"))


def test_an_index_and_a_profile_may_be_paths(rulebook_folder: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(PROFILE, encoding="utf-8")
    with search.open(rulebook_folder, reranker=None) as index:
        assert index.url == str(rulebook_folder)
        assert index.search("fees", profile=mine).plan.profile == "mine"


@pytest.mark.parametrize("name", ["\0", "a\0b", None, 5, b"rirag-index"], ids=repr)
def test_what_names_no_index_is_refused(name: Any) -> None:
    refused("^an index is a folder or a URL, such as ", lambda: search.open(name))


def test_a_passage_and_a_document_are_named_by_texts(rulebook: Index) -> None:
    passage: Any = rulebook.passages()[5]
    refused("^the ID of a passage must be a text, not Passage", lambda: rulebook.passage(passage))
    refused(
        "^the name of a document must be a text, not None$", lambda: rulebook.document_ids(None)
    )


@pytest.mark.parametrize(
    "values",
    [["rule"], {"rule"}, np.array(["rule"]), iter(["rule"]), {"rule": 1}.keys()],
)
def test_a_filter_takes_values_of_any_collection(rulebook: Index, values: Any) -> None:
    kinds = {one.kind for one in rulebook.passages({"kind": values})}
    assert kinds == {"rule"}


def test_a_filter_takes_numbers_of_numpy(rulebook: Index) -> None:
    assert rulebook.passages({"version": np.float64(2.1)}) == rulebook.passages({"version": 2.1})
    odd: Any = {"version": {"a": 1}}
    refused("neither a text nor a number", lambda: rulebook.passages(odd))


@pytest.mark.parametrize("load", [search.load_profile, search.load_encoder, search.load_reranker])
@pytest.mark.parametrize("name", [None, 5, b"x"], ids=repr)
def test_models_and_profiles_are_named_by_texts(load: Callable[[Any], object], name: Any) -> None:
    refused("must be a text or a path, not ", lambda: load(name))


@pytest.mark.parametrize("alpha", [(0.5,), [(4, 0.5)], 0.5], ids=repr)
def test_the_weights_of_a_profile_are_steps(alpha: Any) -> None:
    profile = search.load_profile("even")
    refused(
        "alpha must be a tuple of search.AlphaStep, not ", lambda: replace(profile, alpha=alpha)
    )

"""Plan and trace: what a search will do and what it did, to read and to store."""

from __future__ import annotations

import json

import pytest

from search import SearchResult
from search.index import Index
from search.models.encoders import DEFAULT_ENCODER
from search.plan import Plan
from search.ranking.profile_file import load_profile
from search.trace import NamedRule, SearchTrace


def lines(plan: Plan | SearchTrace) -> dict[str, str]:
    """What is described: first word of each line → the rest."""
    return {line.split(maxsplit=1)[0]: line[12:] for line in plan.describe().split("\n")}


def test_the_plan_says_how_the_question_was_read_and_weighed(rulebook: Index) -> None:
    plan = rulebook.search("What must the annual report contain?", profile="bdd-finlegal").plan
    described = lines(plan)
    assert described["question"] == "6 words, terms: what must annual report contain"
    assert described["index"] == f"{rulebook.url}, generation 000001"
    assert described["profile"] == "bdd-finlegal"
    assert plan.profile_source == load_profile("bdd-finlegal").source
    assert described["retrievers"] == (
        f"lexical 0.50, dense 0.50 ({DEFAULT_ENCODER}), 100 candidates each"
    )
    assert described["fusion"] == (
        "weighted sum of per-query min-max scores, document weight 0.00, heading weight 1.00"
    )
    assert described["rerank"] == "none"


def test_the_plan_counts_candidates_and_times_every_stage(rulebook: Index) -> None:
    trace = rulebook.search("client money", filters={"document": "COND"}).trace
    assert trace.candidates["fused"] >= max(trace.candidates["lexical"], trace.candidates["dense"])
    stages = ["analyse", "encode", "abbreviations", "retrieve", "fuse", "order", "judge", "fetch"]
    assert list(trace.milliseconds) == stages
    assert all(value >= 0 for value in trace.milliseconds.values())
    assert lines(trace)["candidates"].startswith(f"lexical {trace.candidates['lexical']}, dense ")
    assert " ms, retrieve " in lines(trace)["time"]


def test_filters_named_rules_and_notes_have_lines(rulebook: Index) -> None:
    filters = {"document": ["COND", "AMLR"], "kind": "rule"}
    result = rulebook.search("the Rule 3.2.1 and 99.9.9", filters=filters)
    described = result.trace.describe()
    assert result.plan.describe().endswith(
        "filter      document_id = COND or AMLR\nfilter      kind = rule"
    )
    assert "named       Rule 3.2.1 → Anti-Money Laundering Rulebook (AMLR) 3.2.1" in described
    assert "named       99.9.9 → no passage has this number" in described
    unknown = rulebook.search("Article 92 of the CRR").trace
    assert lines(unknown)["note"] == "Article 92: no document of the index is named CRR"


def test_a_question_of_stop_words_has_no_terms(rulebook: Index) -> None:
    assert lines(rulebook.search("is it the").plan)["question"] == "3 words, terms: (none)"


def test_the_json_form_is_plain_data_with_every_decision(rulebook: Index) -> None:
    result = rulebook.search("Rule 3.2.1 of COND", filters={"kind": "heading"})
    plan, trace = result.plan, result.trace
    data = SearchResult(plan, trace, ()).to_json()["plan"]
    assert json.loads(json.dumps(data)) == data
    assert list(data) == [*Plan.__dataclass_fields__, *SearchTrace.__dataclass_fields__]
    assert data["filters"] == {"kind": ["heading"]}
    assert data["numbers"] == [
        {
            "text": "Rule 3.2.1",
            "found": ["Conduct Rulebook (COND) 3.2.1"],
            "ids": list(trace.numbers[0].ids),
            "finding": "found",
            "document": "",
            "around": [],
        },
    ]
    assert trace.numbers == (
        NamedRule("Rule 3.2.1", ("Conduct Rulebook (COND) 3.2.1",), trace.numbers[0].ids),
    )


def test_a_plan_is_made_before_the_engine_is_asked(rulebook: Index) -> None:
    pipeline, profile = rulebook.pipeline, load_profile("bdd-finlegal")
    planned = pipeline.prepare("Rule 3.2.1 of COND", profile, {"kind": "heading"}).plan
    assert (planned.alpha, planned.filters.fields) == (0.7, {"kind": ("heading",)})
    done = rulebook.search("Rule 3.2.1 of COND", profile=profile, filters={"kind": "heading"})
    assert done.plan == planned


def test_a_plan_cannot_be_changed(rulebook: Index) -> None:
    plan = rulebook.search("fees").plan
    with pytest.raises(AttributeError):
        plan.alpha = 0.1  # type: ignore[misc]

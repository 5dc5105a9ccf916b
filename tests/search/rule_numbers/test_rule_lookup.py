"""Questions that name a rule by its number, over the sample rulebook."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from sample import record

import indexer
import search
from search.engines.embedded import EmbeddedEngine
from search.engines.protocol import Engine
from search.index import Index
from search.lookup.below import BELOW_NAMED, MAX_DESCENDANTS, OFF_TOPIC, Found
from search.lookup.pins import BESIDE_NAMED
from search.pipeline import IN_PASSING
from search.ranking.profile_file import load_profile
from search.records import Filters

QUESTIONS = Path(__file__).resolve().parents[3] / "benchmarks/questions/rule_numbers.jsonl"

Make = Callable[..., Index]


def cited(index: Index, question: str, k: int = 1, **filters: str) -> list[str]:
    """The first hits as `DOCUMENT number`."""
    hits = index.search(question, k, filters=filters).hits
    return [f"{hit.document_id} {hit.passage_id}" for hit in hits]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("COND 6.2.2", "COND 6.2.2"),
        ("What does COND 6.2.2 say?", "COND 6.2.2"),
        ("Rule 3.2.4 of GOVN", "GOVN 3.2.4"),
        ("rule 3.2.1(2) COND", "COND 3.2.1.(2)"),
        ("COND 3.2.1(2)(a)(i)", "COND 3.2.1.(2)"),
        ("AMLR 3.2.2 Guidance 1", "AMLR 3.2.2.Guidance.1"),
        ("GOVN APP1.A1.2", "GOVN APP1.A1.2"),
        ("GLOS 2.2.1", "GLOS 2.2.1"),
        ("Rule 4.2.3 of the Anti-Money Laundering Rulebook", "AMLR 4.2.3"),
    ],
)
def test_the_named_rule_comes_first(rulebook: Index, question: str, first: str) -> None:
    (hit,) = rulebook.search(question, 1).hits
    assert f"{hit.document_id} {hit.passage_id}" == first
    assert (hit.score, hit.scores.number) == (1.0, 1.0)


@pytest.mark.parametrize("number", ["10.1", "10(1)"])
def test_a_section_between_two_others_is_not_a_subsection(index_of: Make, number: str) -> None:
    numbers = ["10", "10(1)", "10(2)", "10.1", "10.1(1)", "11"]
    index = index_of(*(record(one, f"Rule {i}.") for i, one in enumerate(numbers)))
    assert index.search(f"section {number}", 1).hits[0].passage_id == number


class EarlierKeys:
    """An index whose passages were stored under keys that their numbers no longer have."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def find(self, *arguments: Any, **more: Any) -> list[Any]:
        found = self._engine.find(*arguments, **more)
        return [(at, replace(passage, passage_id=f"X{passage.order}")) for at, passage in found]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


def test_passages_under_keys_of_an_earlier_version_are_found(rulebook: Index) -> None:
    engine = cast(Engine, EarlierKeys(rulebook.pipeline.engine))
    pipeline, profile = replace(rulebook.pipeline, engine=engine), load_profile("lexical")
    found = pipeline.find(pipeline.prepare("COND 6.2.2", profile, None))
    assert pipeline.finish(found, 3).hits[0].document_id == "COND"


def test_all_others_come_after_it_with_half_their_fused_score(rulebook: Index) -> None:
    named, *others = rulebook.search("COND 6.2.2", 40).hits
    assert named.scores.number == 1.0
    assert len(others) > 10
    for hit in others:
        assert hit.scores.number is None
        assert hit.score == pytest.approx(BESIDE_NAMED * hit.scores.fused.normalised)


def test_a_named_rule_that_no_retriever_proposes_has_no_fused_score(index_of: Make) -> None:
    texts = [record(f"{i}.1", f"Report widget {i} to the widget office.") for i in range(1, 150)]
    index = index_of(*texts, record("200.1", "Zebras."))
    (hit,) = index.search("widget Rule 200.1", 1, profile="lexical").hits
    assert hit.passage_id == "200.1"
    assert (hit.score, hit.scores.fused.normalised, hit.scores.fused.rank) == (1.0, 0.0, 0)


def test_several_rules_come_in_the_order_of_the_question(rulebook: Index) -> None:
    assert cited(rulebook, "COND 6.2.2 and GOVN 3.2.4", 2) == ["COND 6.2.2", "GOVN 3.2.4"]
    assert cited(rulebook, "GOVN 3.2.4 and COND 6.2.2", 2) == ["GOVN 3.2.4", "COND 6.2.2"]


def test_what_stands_below_a_named_heading_follows_it_in_order(rulebook: Index) -> None:
    hits = rulebook.search("COND 4.1", 5).hits
    assert [hit.passage_id for hit in hits] == ["4.1", "4.1.1", "4.1.2", "4.1.3", "4.1.4"]
    assert hits[0].passage.kind == "heading"
    assert [hit.scores.number for hit in hits] == [1.0] + [BELOW_NAMED] * 4


def test_all_that_is_named_comes_before_what_stands_below(rulebook: Index) -> None:
    hits = rulebook.search("COND 4.1 and GOVN 3.2.4", 6).hits
    assert [hit.passage_id for hit in hits] == ["4.1", "3.2.4", "4.1.1", "4.1.2", "4.1.3", "4.1.4"]


@pytest.mark.parametrize(("filters", "step"), [({}, 1), ({"topic": "odd"}, 2)])
def test_a_long_chapter_is_looked_up_level_by_level(
    index_of: Make, monkeypatch: pytest.MonkeyPatch, filters: dict[str, str], step: int
) -> None:
    topics = ("even", "odd")
    rules = [record(f"1.{i}", f"Mend widget {i}.", topic=topics[i % 2]) for i in range(1, 200)]
    index = index_of(record("1", "", kind="heading", topic="odd"), *rules)
    asked: list[Filters] = []
    find = EmbeddedEngine.find

    def counted(engine: EmbeddedEngine, wanted: Filters, limit: int | None = None) -> list[Found]:
        asked.append(wanted)
        return find(engine, wanted, limit)

    monkeypatch.setattr(EmbeddedEngine, "find", counted)
    hits = index.search("chapter 1 of ACT", 40, filters=filters).hits
    below = [hit.passage_id for hit in hits if hit.scores.number == BELOW_NAMED]
    assert below == [f"1.{i}" for i in range(1, step * MAX_DESCENDANTS + 1, step)]
    assert len(asked) < 10


def test_what_stands_below_a_named_rule_is_not_pinned(rulebook: Index) -> None:
    hits = rulebook.search("AMLR 3.2.2", 10).hits
    assert [hit.scores.number for hit in hits] == [1.0] + [None] * 9


ANNEX = (
    record("3", "The following systems are of high risk:"),
    record("3.1", "Biometrics, where the law permits it."),
    record("3.2", "Employment:"),
    record("3.2.1", "systems that choose applicants;"),
    record("3.2.2", "systems that choose who is promoted."),
    record("3.3", "Education, and systems that choose pupils."),
    record("3.4", "Nothing here stands in the way of employment law."),
)


@pytest.mark.parametrize(
    ("question", "shown", "off_topic"),
    [
        ("ACT 3", ["3.1", "3.2", "3.2.1", "3.2.2", "3.3", "3.4"], []),
        ("What does ACT 3 require?", ["3.1", "3.2", "3.2.1", "3.2.2", "3.3", "3.4"], []),
        ("What does ACT 3 say about employment?", ["3.2", "3.2.1", "3.2.2", "3.4"], ["3.1", "3.3"]),
        ("pupils in ACT 3", ["3.3"], ["3.1", "3.2", "3.2.1", "3.2.2", "3.4"]),
        ("systems of high risk in ACT 3", ["3.1", "3.2", "3.2.1", "3.2.2", "3.3", "3.4"], []),
        ("bananas in ACT 3", ["3.1", "3.2", "3.2.1", "3.2.2", "3.3", "3.4"], []),
    ],
)
def test_what_an_announcing_rule_announces_follows_it_the_topic_of_the_question_first(
    index_of: Make, question: str, shown: list[str], off_topic: list[str]
) -> None:
    hits = index_of(*ANNEX).search(question, 20).hits
    assert hits[0].passage_id == "3"
    assert [hit.passage_id for hit in hits if hit.scores.number == BELOW_NAMED] == shown
    assert [hit.passage_id for hit in hits if hit.scores.number == OFF_TOPIC] == off_topic
    assert [hit.passage_id for hit in hits] == ["3", *shown, *off_topic]


@pytest.mark.parametrize(
    "question",
    ["section 3 of the claims policy", "What does section 3 of mcp say?", "MCP section 3"],
)
def test_the_name_of_a_document_is_no_topic_however_it_is_named(
    index_of: Make, question: str
) -> None:
    texts = ("The handler must:", "read all claims under this policy;", "know the MCP;", "pay.")
    numbers = ("3", "3.1", "3.2", "3.3")
    title = {"DocumentID": "MCP", "DocumentTitle": "MOTOR CLAIMS POLICY"}
    index = index_of(*(record(*one, **title) for one in zip(numbers, texts, strict=True)))
    hits = index.search(question, 10).hits
    assert [hit.scores.number for hit in hits] == [1.0] + [BELOW_NAMED] * 3


def test_a_topic_is_looked_for_in_the_whole_of_a_long_chapter(index_of: Make) -> None:
    rules = [record(f"1.{i}", f"Report widget {i}.") for i in range(1, 60)]
    index = index_of(record("1", "Reports"), *rules, record("1.60", "Report every gadget."))
    hits = index.search("ACT 1 on gadgets", 3).hits
    assert [hit.passage_id for hit in hits] == ["1", "1.60", "1.1"]


def test_a_named_passage_without_text_is_followed_by_its_children(index_of: Make) -> None:
    index = index_of(
        record("1", "Selling"),
        record("1.1", ""),
        record("1.1.1", "Sell no broken widget."),
        record("1.1.1.1", "A cracked widget is broken."),
        record("1.2", "Report every sale."),
    )
    hits = index.search("ACT 1.1", 10).hits
    assert [hit.passage_id for hit in hits[:3]] == ["1.1", "1.1.1", "1.1.1.1"]


def test_a_long_chapter_shows_only_its_beginning(index_of: Make) -> None:
    rules = [record(f"1.{i}", f"Report widget {i}.") for i in range(1, 40)]
    index = index_of(record("1", "Reports"), *rules)
    hits = index.search("ACT 1", 60).hits
    below = [hit.passage_id for hit in hits if hit.scores.number == BELOW_NAMED]
    assert below == [f"1.{i}" for i in range(1, MAX_DESCENDANTS + 1)]


def test_a_rule_beside_a_question_comes_first_and_the_rest_keeps_its_scores(
    rulebook: Index,
) -> None:
    question = "May a bank ignore late written complaints from retail clients under COND 6.2.2?"
    first, *rest = rulebook.search(question, 40).hits
    assert (first.passage_id, first.score) == ("6.2.2", 1.0)
    assert {hit.scores.number for hit in rest} == {None}
    assert all(hit.score == hit.scores.fused.normalised for hit in rest)


@pytest.mark.parametrize(("k", "told"), [(1, (IN_PASSING,)), (40, ())])
def test_a_rule_named_in_passing_does_not_change_the_ranking(
    rulebook: Index, k: int, told: tuple[str, ...]
) -> None:
    question = (
        "Before we outsource client record keeping to a cloud provider, which notifications does "
        "the firm owe the Commission, considering COND 6.2.2 on complaints?"
    )
    result = rulebook.search(question, k)
    assert {hit.scores.number for hit in result.hits} == {None}
    assert result.trace.notes == told
    assert [rule.found for rule in result.trace.numbers] == [("Conduct Rulebook (COND) 6.2.2",)]
    assert result.trace.numbers[0].ids


def test_the_titles_of_documents_are_not_counted_as_other_words(rulebook: Index) -> None:
    question = "Anti-Money Laundering Rulebook and Governance and Prudential Rulebook, Rule 3.2.1"
    assert rulebook.search(question, 1).hits[0].scores.number == 1.0


def test_a_number_that_several_documents_have_offers_them_all(rulebook: Index) -> None:
    named = [hit for hit in rulebook.search("Rule 3.2.1", 20).hits if hit.scores.number == 1.0]
    assert [f"{hit.document_id} {hit.passage_id}" for hit in named] == [
        "AMLR 3.2.1", "COND 3.2.1", "GOVN 3.2.1",
    ]  # fmt: skip


def test_a_document_named_elsewhere_in_the_question_is_preferred(rulebook: Index) -> None:
    assert cited(rulebook, "As GOVN asks, what is Rule 3.2.1?") == ["GOVN 3.2.1"]


def test_a_document_beside_the_number_is_not_given_up_for_another(rulebook: Index) -> None:
    result = rulebook.search("GLOS 6.2.2")
    assert {hit.scores.number for hit in result.hits} == {None}
    assert result.trace.numbers[0].found == ()


def test_an_unknown_document_is_noted_and_nothing_is_pinned(rulebook: Index) -> None:
    result = rulebook.search("Rule 3.2.1 of the CRR")
    assert {hit.scores.number for hit in result.hits} == {None}
    assert result.trace.notes == ("Rule 3.2.1: no document of the index is named CRR",)


def test_filters_hold_for_named_rules(rulebook: Index) -> None:
    assert cited(rulebook, "Rule 3.2.1", document="COND") == ["COND 3.2.1"]
    result = rulebook.search("COND 3.2.1", filters={"document": "GOVN"})
    assert {hit.document_id for hit in result.hits} == {"GOVN"}
    assert {hit.scores.number for hit in result.hits} == {None}


def test_filters_hold_below_a_named_heading(rulebook: Index) -> None:
    hits = rulebook.search("COND 4.1", 40, filters={"kind": "heading"}).hits
    assert hits[0].passage_id == "4.1"
    assert {hit.passage.kind for hit in hits} == {"heading"}


@pytest.mark.corpus
def test_rules_of_real_documents_come_first(data_folder: Path, tmp_path: Path) -> None:
    for name in ("15", "16", "23"):  # three of the smaller ones: CRS, FATCA and CONF
        shutil.copy(data_folder / "obliqa" / "documents" / f"{name}.json", tmp_path)
    shutil.copy(data_folder / "obliqa" / "titles.json", tmp_path)
    indexer.ingest([tmp_path], str(tmp_path / "index"))
    records = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    with search.open(str(tmp_path / "index")) as index:
        held = {passage.id for passage in index.passages()}
        asked = [one for one in records if held.issuperset(one["relevant"])]
        wrong = [
            one["question"]
            for one in asked
            if index.search(one["question"], 1).hits[0].id != one["relevant"][0]
        ]
    assert len(asked) >= 5
    assert wrong == []


@pytest.mark.parametrize("question", ["What does COND 6.2.99 say?", "COND 9.9.9", "Rule 9.9.9"])
def test_a_rule_that_does_not_exist_is_told_and_no_other_takes_its_place(
    rulebook: Index, question: str
) -> None:
    result = rulebook.search(question)
    (note,) = (note for note in result.trace.notes if "no passage of" in note)
    where = "Conduct Rulebook (COND)" if "COND" in question else "the index"
    assert note.endswith(f": no passage of {where} has this number")
    assert all(hit.score <= BESIDE_NAMED for hit in result.hits)


def test_where_titles_repeat_the_note_tells_which_document_lacks_the_number(
    index_of: Make,
) -> None:
    title = {"DocumentTitle": "Fee Rules"}
    index = index_of(
        record("1.1", "Pay.", id="a", DocumentID="fee-2022", **title),
        record("1.1A", "Pay more.", id="b", DocumentID="fee-2025", **title),
    )
    note = "1.1A: no passage of Fee Rules (fee-2022) has this number"
    assert index.search("fee-2022 1.1A").trace.notes == (note,)


def test_a_recital_is_not_the_rule_of_its_number(index_of: Make) -> None:
    index = index_of(
        record("Article 12", "Keep logs."),
        record("Schedule 1.12", "Pay."),
        record("Recital 5", "Logs help."),
    )
    assert index.search("recital 5 of ACT").trace.numbers[0].found == ("Widget Act Recital 5",)
    result = index.search("recital 12 of ACT")
    assert result.trace.numbers[0].found == ()
    assert result.trace.notes == ("recital 12: no passage of Widget Act has this number",)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What does Rule 10b-5 prohibit?", "PART 240.§ 240.10b-5"),
        ("17 CFR 240.10b5-1(a)", "PART 240.§ 240.10b5-1.(a)"),
        ("§ 225.2(b)(1)", "PART 225.Subpart A.§ 225.2"),
        ("subpart A of part 225", "PART 225.Subpart A"),
    ],
)
def test_sections_of_a_code_are_found_by_any_way_to_name_them(
    index_of: Make, question: str, first: str
) -> None:
    index = index_of(
        record("PART 225.Subpart A", "General provisions"),
        record("PART 225.Subpart A.§ 225.2", "A bank is a bank, and Rule 10b-5 no bank."),
        record("PART 240.§ 240.10b-5", "Nobody deceives."),
        record("PART 240.§ 240.10b5-1.(a)", "Rule 10b-5 prohibits trading on secrets."),
    )
    assert index.search(question).hits[0].passage_id == first


def test_a_rule_that_is_divided_is_shown_by_its_first_part(index_of: Make) -> None:
    index = index_of(record("3.3.3.(1)", "Sell widgets."), record("3.3.3.(2)", "Sell more."))
    result = index.search("ACT 3.3.3")
    assert result.hits[0].passage_id == "3.3.3.(1)"
    assert result.trace.numbers[0].finding == "found"


def test_the_plan_says_that_a_passage_is_only_around_the_rule(rulebook: Index) -> None:
    result = rulebook.search("COND 6.2.4(b)")
    assert result.hits[0].passage_id == "6.2.4"
    assert result.trace.numbers[0].finding == "inside"
    assert "it has no passage of its own" in result.trace.describe()
    assert rulebook.search("COND 6.2.4").trace.numbers[0].finding == "found"


def test_a_bare_chapter_number_is_the_heading_before_a_stray_item(index_of: Make) -> None:
    index = index_of(
        record("4", "the fourth item of a list;", id="item"),
        record("4", "Reports", id="heading", kind="heading"),
    )
    assert index.search("chapter 4 of ACT").hits[0].id == "heading"


def test_a_number_that_a_document_has_twice_is_shown_twice(index_of: Make) -> None:
    index = index_of(
        record("1.1", "Pay 100 widgets by March.", id="first"),
        record("1.2", "Send the form."),
        record("1.1", "Pay 250 widgets by June.", id="second"),
    )
    result = index.search("ACT 1.1")
    assert [hit.id for hit in result.hits if hit.score == 1.0] == ["first", "second"]
    assert result.trace.numbers[0].found == ("Widget Act 1.1",)


ACT_IN_PARTS = """Run Act (RUN)
PART 1 Firms
1. A firm must file a claim.
2. A firm must pay.
PART 2 Banks
3. A bank must report.
4. A bank must lend.
"""


@pytest.fixture(scope="module")
def in_parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("parts")
    (folder / "run.txt").write_text(ACT_IN_PARTS, encoding="utf-8")
    indexer.ingest([folder / "run.txt"], str(folder / "index"))
    with search.open(str(folder / "index"), reranker=None) as index:
        yield index


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("section 3 of Part 2 of RUN", ["PART 2.3."]),
        ("section 3 of Part II of RUN", ["PART 2.3."]),  # in another form, which says nothing
        ("section 1 of Part 1 of RUN", ["PART 1.1."]),
        ("section 1 of Part 2 of RUN", []),
        ("section 1 of Chapter 7 of RUN", ["PART 1.1."]),  # the Act has no chapters
    ],
)
def test_a_section_of_another_part_is_not_shown_for_it(
    in_parts: Index, asked: str, found: list[str]
) -> None:
    result = in_parts.search(asked)
    assert [hit.passage_id for hit in result.hits if hit.score == 1.0] == found
    assert bool(result.trace.notes) == (not found)


def test_only_the_end_of_a_range_has_to_exist(index_of: Make) -> None:
    index = index_of(*(record(f"2.{n}", f"Widget {n}.") for n in (1, 2, 4)))
    result = index.search("ACT 2.1 to 2.7")
    assert [hit.passage_id for hit in result.hits if hit.score == 1.0] == ["2.1", "2.2", "2.4"]
    assert result.trace.notes == ("2.7: no passage of Widget Act has this number",)


def test_a_rule_that_the_filters_leave_out_is_not_called_missing(rulebook: Index) -> None:
    result = rulebook.search("COND 3.2.1", filters={"document": "GOVN"})
    assert result.trace.notes == ("3.2.1: no passage that matches the filters has this number",)

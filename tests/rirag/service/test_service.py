"""A service: search, answers and documents of an index, for threads and event loops to share."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from cli_support import environment
from running_tasks import LONGEST_WAIT_S, until_running
from sample import record, write_lines
from scripted_modes import ScriptedLLM

import generation
from generation import AnswerContext
from generation.llm.protocol import LLM
from rirag.inputs.answer_records import AnswerRecord, Cited
from rirag.service import Query, Service
from rirag.service.loading import load
from rirag.service.query import search_to_json
from rirag.settings import Settings
from search.errors import IndexUnavailableError, InputError
from search.json_form import to_json

QUESTION = "Who must report a suspicious transaction?"
MODEL = {"llm_url": "http://localhost:9/v1", "llm_model": "scripted"}


def scripted(llm: ScriptedLLM) -> Callable[[LLM], LLM]:
    """Put a scripted model in the place of the one that the settings name."""
    return lambda _: llm


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait until something holds; what never does is a failure."""
    end = time.monotonic() + LONGEST_WAIT_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def act(folder: Path, *texts: str) -> Path:
    """A source of one document, a rule for each text."""
    rules = [record(str(number), text) for number, text in enumerate(texts, start=1)]
    return write_lines(folder / "act.jsonl", *rules)


def test_it_is_imported_without_the_libraries_of_any_face() -> None:
    ask = (
        "import sys, rirag.service, rirag.service.loading, rirag.service.query\n"
        "print([one for one in ('click', 'tqdm', 'fastapi', 'torch') if one in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", ask], env=environment(), capture_output=True, text=True, check=True
    )
    assert ran.stdout == "[]\n"


def test_a_query_decides_what_it_names_and_the_settings_the_rest(service: Service) -> None:
    assert len(service.search(Query(QUESTION)).hits) == 10
    narrow = Query(QUESTION, k=3, filters={"document": ["AMLR"]}, profile="lexical")
    found = service.search(narrow)
    assert {hit.document_id for hit in found.hits} == {"AMLR"}
    assert (len(found.hits), found.plan.profile) == (3, "lexical")
    with pytest.raises(InputError):
        service.search(Query(QUESTION, filters={"colour": ["red"]}))


def test_a_search_in_an_event_loop_finds_the_same(service: Service) -> None:
    there = asyncio.run(service.search_async(Query(QUESTION)))
    assert [hit.id for hit in there.hits] == [
        hit.id for hit in service.search(Query(QUESTION)).hits
    ]


def test_an_answer_comes_with_its_search_and_both_can_be_heard_before(service: Service) -> None:
    heard: list[object] = []
    answered = service.answer(
        Query(QUESTION), question_id="q1", on_search=heard.append, on_text=heard.append
    )
    assert heard == [answered.search, answered.answer.text]
    assert (answered.answer.mode, answered.answer.question_id) == ("extractive", "q1")
    assert len(answered.search.hits) == 20  # headings among them are passed over
    assert to_json(answered)["notes"] == list(answered.search.trace.notes)


def test_a_mode_is_chosen_for_one_answer(rulebook: Path) -> None:
    llm = ScriptedLLM(lambda _: "Firms must report it [1].")
    settings = Settings(index=str(rulebook), rerank=False, mode="extractive", **MODEL)
    with Service.open(settings, answers=True, bound_llm=scripted(llm)) as service:
        assert service.answer(Query(QUESTION)).answer.mode == "extractive"
        assert not llm.asked
        assert (
            service.answer(Query(QUESTION), mode="rag").answer.text == "Firms must report it [1]."
        )


def test_a_mode_without_its_model_is_refused(service: Service) -> None:
    with pytest.raises(InputError, match="needs a language model"):
        service.answer(Query(QUESTION), mode="rag")


def test_what_comes_with_a_question_goes_before_the_settings(rulebook: Path) -> None:
    llm = ScriptedLLM(lambda _: "Firms must report it [1].")
    settings = Settings(
        index=str(rulebook), rerank=False, mode="advisor", regime="civil law", **MODEL
    )
    with Service.open(settings, bound_llm=scripted(llm)) as service:
        chosen = service.answer(Query(QUESTION)).answer.decisions[0]
        assert chosen.value == "civil law"
        context = AnswerContext(regime="common law")
        chosen = service.answer(Query(QUESTION), context=context).answer.decisions[0]
        assert chosen.value == "common law"


def test_what_only_answers_need_is_refused_before_the_index_is_opened(tmp_path: Path) -> None:
    settings = Settings(index=str(tmp_path / "none"), mode="rag")
    with pytest.raises(InputError, match="--llm-url"):
        Service.open(settings, answers=True)
    with pytest.raises(IndexUnavailableError):
        Service.open(settings)


def test_an_event_loop_runs_on_while_an_answer_is_written(rulebook: Path) -> None:
    llm = ScriptedLLM(lambda _: "Firms must report it [1].", wait_s=0.3)
    settings = Settings(index=str(rulebook), rerank=False, **MODEL)

    async def answer_and_count() -> tuple[str, int]:
        asked = asyncio.create_task(service.answer_async(Query(QUESTION), mode="rag"))
        turns = 0
        while not asked.done():
            await asyncio.sleep(0.01)
            turns += 1
        return (await asked).answer.text, turns

    with Service.open(settings, bound_llm=scripted(llm)) as service:
        text, turns = asyncio.run(answer_and_count())
    assert text == "Firms must report it [1]."
    assert turns >= 10


def test_who_leaves_cancels_the_call_of_the_model(rulebook: Path) -> None:
    llm = ScriptedLLM(lambda _: "never", wait_s=LONGEST_WAIT_S)
    settings = Settings(index=str(rulebook), rerank=False, **MODEL)

    async def leave() -> None:
        asked = asyncio.create_task(service.answer_async(Query(QUESTION), mode="rag"))
        await until_running(llm, 1)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked

    with Service.open(settings, bound_llm=scripted(llm)) as service:
        asyncio.run(leave())
    assert (llm.cancelled, llm.running) == (1, 0)


def test_a_new_state_of_the_index_is_seen_without_opening_it_again(tmp_path: Path) -> None:
    settings = Settings(index=str(tmp_path / "index"), rerank=False)
    load(settings, act(tmp_path, "Widgets are taxed."))
    with Service.open(settings, fresh_every_s=0.02) as service:
        assert service.describe().passages == 1
        load(settings, act(tmp_path, "Widgets are taxed.", "Gadgets are exempt."))
        wait_until(lambda: service.describe().passages == 2)
        assert service.search(Query("gadgets")).hits[0].text == "Gadgets are exempt."
        assert service.problem == ""


def test_a_look_for_a_new_state_that_fails_leaves_the_open_one(tmp_path: Path) -> None:
    settings = Settings(index=str(tmp_path / "index"), rerank=False)
    load(settings, act(tmp_path, "Widgets are taxed."))
    with Service.open(settings, fresh_every_s=0.02) as service:
        (tmp_path / "index" / "CURRENT").rename(tmp_path / "away")
        wait_until(lambda: service.problem != "")
        assert service.search(Query("widgets")).hits[0].text == "Widgets are taxed."
        (tmp_path / "away").rename(tmp_path / "index" / "CURRENT")
        wait_until(lambda: service.problem == "")


def test_threads_search_while_the_index_is_loaded_and_refreshed(tmp_path: Path) -> None:
    settings = Settings(index=str(tmp_path / "index"), rerank=False)
    load(settings, act(tmp_path, "Widgets are taxed."))

    def search_often(_: int) -> set[str]:
        found = set()
        for _ in range(30):
            answered = service.answer(Query("Are widgets taxed?"))
            found.add(answered.search.hits[0].text)
            found.update(one.text for one in service.passages())
        return found

    with (
        Service.open(settings, fresh_every_s=0.01) as service,
        ThreadPoolExecutor(4) as threads,
    ):
        searches = threads.map(search_often, range(4))
        for count in range(1, 4):
            load(settings, act(tmp_path, "Widgets are taxed.", *["Gadgets are exempt."] * count))
        texts = set().union(*searches)
    assert texts == {"Widgets are taxed.", "Gadgets are exempt."}


def test_documents_are_found_by_what_people_call_them(service: Service) -> None:
    assert [one.document_id for one in service.documents()] == ["AMLR", "COND", "GLOS", "GOVN"]
    assert service.document("amlr").document_id == "AMLR"
    with pytest.raises(InputError):
        service.document("nothing like it")


def test_a_number_without_a_passage_has_the_one_around_it(service: Service) -> None:
    own = service.numbered("AMLR", "2.1.1")
    assert [one.passage_id for one in own.passages] == ["2.1.1"]
    assert not own.is_around
    inner = service.numbered("AMLR", "2.1.1(z)")
    assert (inner.passages, inner.is_around) == (own.passages, True)
    assert service.numbered("AMLR", "99.99").passages == ()


def test_an_answer_is_verified_with_its_own_texts_or_those_of_the_index(service: Service) -> None:
    passage = service.numbered("AMLR", "2.1.1").passages[0]
    cited = Cited(1, passage.id, "AMLR", "2.1.1", text="Nothing is required.")
    said = f"{passage.text.split('.')[0]} [1]."
    answer = AnswerRecord(None, QUESTION, said, (cited,), Path("a.json"), 1)
    own = Service(Settings(index=service.settings.index, judge="none"), service.index)
    assert own.verify(answer).doubtful
    assert not own.verify(answer, in_index=True).doubtful
    assert asyncio.run(own.verify_async(answer, in_index=True)) == own.verify(answer, in_index=True)


def test_json_forms_hold_what_was_asked_for_besides(service: Service) -> None:
    found = service.search(Query(QUESTION, k=2))
    assert "neighbours" not in search_to_json(found)["hits"][0]
    around = {hit.id: service.neighbours(hit, 1) for hit in found.hits}
    shown = search_to_json(found, around, service.links(found.hits))["hits"][0]
    assert len(shown["neighbours"]) == 2
    assert "cites" in shown["links"]


@pytest.mark.parametrize("named", ["Rule 3(b)", "Rule 3(z)"])
def test_an_item_named_in_passing_has_its_rule_quoted(tmp_path: Path, named: str) -> None:
    source = act(
        tmp_path,
        "A Fund must tell the Regulator by letter how an auditor checks the value of its land.",
        "An auditor of a Fund must keep a record of each value of land that is checked.",
        "A Fund must hold: (a) land in the country; or (b) gold bars in a vault.",
    )
    settings = Settings(index=str(tmp_path / "idx"))
    load(settings, source)
    question = (
        "For the purposes of {}, by which letter must a Fund tell the Regulator how an auditor "
        "checks the value of its land and keeps a record of each value that is checked?"
    )
    with Service.open(settings) as service:
        answer = service.answer(Query(question.format(named)), mode="extractive").answer
    assert any("gold bars" in citation.quote for citation in answer.citations)


@pytest.mark.parametrize(
    "question",
    [
        "Under Rule 2, by which letter must a Fund tell the Regulator how land is checked by an "
        "auditor in its name?",
        "By which letter does a Fund tell the Regulator how an auditor checks land (Widget Act 2)?",
    ],
    ids=["in passing", "beside a question"],
)
def test_a_named_heading_has_the_rules_below_it_quoted(tmp_path: Path, question: str) -> None:
    source = write_lines(
        tmp_path / "act.jsonl",
        record("1", "A Fund must tell the Regulator by letter how an auditor checks its land."),
        record("2", "Outsourcing"),
        record("2.1", "A Fund that hires a helper remains responsible for what he does."),
    )
    settings = Settings(index=str(tmp_path / "idx"))
    load(settings, source)
    with Service.open(settings) as service:
        answer = service.answer(Query(question), mode="extractive")
    assert any("remains responsible" in one.quote for one in answer.answer.citations)
    assert all(one.quote != "Outsourcing" for one in answer.answer.citations)


@pytest.mark.parametrize(
    ("mode", "nearness", "state"),
    [
        ("extractive", 0.7, "unsure"),
        ("extractive", 0.5, "nothing"),
        ("extractive", None, "nothing"),
        ("rag", 0.5, "answered"),
    ],
)
def test_a_low_probability_alone_refuses_nothing_that_the_nearest_vector_or_a_model_may_answer(
    rulebook: Path, mode: str, nearness: float | None, state: str
) -> None:
    llm = ScriptedLLM(lambda _: "It must notify the Commission [1].")
    settings = Settings(index=str(rulebook), llm_url="http://127.0.0.1:9/v1", llm_model="m")
    with Service.open(settings, bound_llm=scripted(llm)) as service:
        query = Query("Where do clients swim?")
        found = service.search(query)
        trace = replace(
            found.trace, answerable=0.05, answerable_by="calibration", nearness=nearness
        )
        made = generation.answer(
            query.question, found.hits, mode=mode, llm=service.answering.models, answerable=0.05,
            settings=service._limits(mode, query, replace(found, trace=trace)),
        )  # fmt: skip
    assert made.state == state


@pytest.mark.parametrize(
    ("profile", "chosen", "margin"),
    [("default", {}, 5), ("rirag-paper", {}, 0), ("rirag-paper", {"filter_margin": 2}, 2)],
)
def test_the_profile_of_the_paper_reads_what_its_filter_keeps(
    service: Service, profile: str, chosen: dict[str, float], margin: float
) -> None:
    settings = Settings(index=service.settings.index, **chosen)
    made = Service(settings, service.index).answer(Query(QUESTION, profile=profile)).answer
    assert made.filter.settings.margin == margin

"""What callers of `answer` and `verify` mistake, and models of their own that fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hits import make_hit, make_hits
from scripted_modes import ScriptedLLM

from generation import (
    AnswerContext,
    AnswerSettings,
    DelegateSettings,
    FilterSettings,
    LLMSettings,
    answer,
    filter_hits,
)
from generation.llm.protocol import Completion, Limits, OnText, Prompt
from generation.verify import VerifySettings, verify
from search.errors import InputError, LLMError
from search.records import Hit

HITS = make_hits("A firm must pay the fee.", "A firm must keep records.")


class _Odd:
    """What nobody would give."""

    def __repr__(self) -> str:
        return "odd"


ODD: Any = _Odd()


def refused(told: str, work: Callable[[], object]) -> None:
    with pytest.raises(InputError, match=told):
        work()


@pytest.mark.parametrize(
    "hits",
    [HITS[0], [HITS[0].passage], "hits", [{"id": "p1"}], None, [None], ODD],
    ids=repr,
)
def test_hits_are_those_of_a_search(hits: Any) -> None:
    told = r"^expected hits, best first, as in `index\.search\(question\)\.hits`, not "
    refused(told, lambda: answer("Who pays?", hits))
    refused(told, lambda: filter_hits(hits))


def test_hits_may_come_one_by_one() -> None:
    weak = [make_hit("A firm must dive.", score=0.3)]
    for hits in (HITS, weak):
        assert answer("Who pays?", iter(hits)).text == answer("Who pays?", hits).text
    assert answer("Who pays?", iter(weak)).refused_by == "floor"


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"settings": FilterSettings()}, "^The value must be a generation.AnswerSettings, not"),
        (
            {"context": {"regime": "common-law"}},
            "^The value must be a generation.AnswerContext, not",
        ),
        ({"answerable": float("nan")}, "^The probability of an answer must be between 0 and 1"),
        ({"answerable": 5}, "^The probability of an answer must be between 0 and 1, not 5"),
        ({"answerable": "0.5"}, "^The probability of an answer must be a number between 0 and 1"),
        ({"mode": "rag", "llm": LLMSettings(url="http://x", model="m")}, "^a language model must"),
        (
            {"mode": "rag", "llm": "gpt"},
            "^a language model must have the methods of ",
        ),
        ({"mode": "rag", "llm": {None: ScriptedLLM(str)}}, "role of a language model"),
    ],
)
def test_what_an_answer_takes_is_checked(more: dict[str, Any], told: str) -> None:
    refused(told, lambda: answer("Who pays?", HITS, **more))
    refused("^The question must be a text, not 5", lambda: answer(ODD and 5, HITS))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: AnswerSettings(words="60"), "words must be a whole number, 1 or more, not '60'"),
        (lambda: AnswerSettings(calls_at_once=0), "calls_at_once must be 1 or more, not 0"),
        (lambda: AnswerSettings(filter=0.9), "filter must be FilterSettings, not 0.9"),
        (lambda: AnswerSettings(verify={}), "verify must be VerifySettings"),
        (lambda: AnswerSettings(prompts="folder"), "prompts must be Mapping, not 'folder'"),
        (lambda: FilterSettings("x"), "max_passages must be a whole number"),
        (lambda: FilterSettings(max_passages=2.5), "max_passages must be a whole number"),
        (lambda: FilterSettings(min_score="0.9"), "min_score must be a number between 0 and 1"),
        (lambda: FilterSettings(min_score=True), "min_score must be a number between 0 and 1"),
        (lambda: DelegateSettings(max_steps="5"), "max_steps must be a whole number"),
        (lambda: DelegateSettings(max_seconds=0), "max_seconds is 0; it must be above 0"),
        (lambda: DelegateSettings(max_cost=float("inf")), "max_cost must be between 0 and "),
        (
            lambda: AnswerContext(library=ODD),
            "the library must contain documents, as ",
        ),
        (lambda: AnswerContext(examples=[("q", "a")]), "an example must be a generation.Example"),
        (lambda: AnswerContext(documents=5), "IDs must be a list of texts"),
    ],
)
def test_settings_have_their_kinds_and_ranges(make: Callable[[], object], told: str) -> None:
    refused(told, make)


def test_a_single_document_may_be_given_alone_and_numbers_of_numpy_are_numbers() -> None:
    alone: Any = "AMLR"
    assert AnswerContext(documents=alone).documents == ("AMLR",)
    settings = FilterSettings(max_passages=np.int64(3), min_score=np.float32(0.5))
    assert (type(settings.max_passages), type(settings.min_score)) == (int, float)


@pytest.mark.parametrize(
    ("text", "passages", "told"),
    [
        ("Pay [1].", HITS, "^the passages must be a mapping from citation numbers"),
        ("Pay [1].", {"1": HITS[0].passage}, "^the passages must map whole numbers"),
        (
            "Pay [1].",
            {1: HITS[0]},
            "^the passages must map whole numbers to ",
        ),
        (5, {1: HITS[0].passage}, "^the answer must be a text"),
    ],
)
def test_what_is_verified_is_checked(text: Any, passages: Any, told: str) -> None:
    refused(told, lambda: verify(text, passages))


class Own:
    """A model of somebody's own, which does as it is told."""

    def __init__(self, reply: Any = None, limits: Any = Limits(8192, 512)) -> None:  # noqa: B008
        self.reply, self.size = reply, limits

    async def limits_async(self) -> Any:
        return self.size

    async def complete_async(self, prompt: Prompt, on_text: OnText | None = None) -> Any:
        if isinstance(self.reply, Exception):
            raise self.reply
        return self.reply


@pytest.mark.parametrize(
    ("llm", "told"),
    [
        (Own("Pay [1]."), "must reply with a generation.Completion that has a text, not 'Pay"),
        (Own(None), "must reply with a generation.Completion that has a text, not None"),
        (Own(Completion(None, "m")), "must reply with a generation.Completion that has a text"),  # type: ignore[arg-type]
        (Own(ConnectionError("gone")), "class Own failed: ConnectionError: gone"),
        (Own(limits=(4096, 500)), r"the limits of .* must be generation.Limits, not \(4096"),
        (Own(limits=None), "must be generation.Limits, not None"),
    ],
)
def test_a_model_of_ones_own_that_fails_is_named(llm: Any, told: str) -> None:
    with pytest.raises(LLMError, match=told) as raised:
        answer("Who pays?", HITS, mode="rag", llm=llm)
    if llm.size == Limits(8192, 512):
        assert raised.value.trace is not None
        assert len(raised.value.trace.calls) == 1


def test_a_model_that_fails_as_the_judge_leaves_the_answer() -> None:
    replies: list[Any] = [Completion("A firm settles amounts [1].", "m"), ConnectionError("gone")]

    class Failing(Own):
        async def complete_async(self, prompt: Prompt, on_text: OnText | None = None) -> Any:
            self.reply = replies.pop(0)
            return await super().complete_async(prompt, on_text)

    settings = AnswerSettings(verify=VerifySettings(llm_judges=True))
    result = answer("Who pays?", HITS, mode="rag", llm=Failing(), settings=settings)
    assert result.text == "A firm settles amounts [1]."
    assert result.verification is not None
    assert any("gone" in note for note in result.verification.notes)


class Nameless:
    """A judge that lacks what it must tell of itself."""

    def support(self, pairs: list[tuple[str, str]]) -> list[float]:
        return [1.0] * len(pairs)


@pytest.mark.parametrize("judge", [Nameless(), "cross-encoder"])
def test_a_judge_that_is_none_changes_no_verdict_and_is_told(judge: Any) -> None:
    hits: list[Hit] = HITS
    settings = AnswerSettings(verify=VerifySettings(judge=judge))
    result = answer("Who pays?", hits, settings=settings)
    assert result.verification is not None
    assert result.verification.judge == ""
    (note,) = result.verification.notes
    assert "failed, so nothing was judged: AttributeError" in note

"""When the evidence does not do: what decided, and what came nearest."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hits import make_hit, make_hits, with_scores
from scripted_modes import ScriptedLLM

from generation import Answer, AnswerSettings, FilterSettings, answer
from generation.said_nothing import HeldBack, says_nothing
from search.records import Hit

HITS = make_hits("A Person must pay.", "A Person must keep records.")


def ask(hits: list[Hit], answerable: float | None = None, **filter_: object) -> Answer:
    settings = AnswerSettings(filter=FilterSettings(**filter_))
    return answer("Who pays?", hits, settings=settings, answerable=answerable)


def by_model(text: str, heard: list[str] | None = None) -> Answer:
    llm = ScriptedLLM(lambda _: text)
    hear = None if heard is None else heard.append
    return answer("Who pays?", HITS, mode="rag", llm=llm, on_text=hear)


@pytest.mark.parametrize(
    ("result", "refused_by", "sentence", "hints"),
    [
        (ask([]), "no-passages", "no passage was found that bears on this question.", 0),
        (ask(with_scores([0.6, 0.5, 0.4, 0.3])), "floor",
         "(the best one scores 0.60, the floor is 0.70)", 3),
        (ask(HITS, answerable=0.0955), "answerable",
         "(the probability is 0.096, the floor is 0.10)", 2),
        (ask([replace(make_hit("Pay."), relevance=0.2)], score="relevance"), "relevance",
         "(the best one with a probability of 0.20, the floor is 0.70)", 1),
        (ask(HITS, answerable=0.03), "answerable",
         "(the probability is 0.03, the floor is 0.10)", 2),
        (by_model("INSUFFICIENT EVIDENCE."), "model",
         "the language model says that the 2 passages found do not answer this question.", 2),
    ],
    ids=["nothing found", "floor", "nearly", "relevance", "answerable", "model"],
)  # fmt: skip
def test_what_decided_is_told_with_the_nearest_passages(
    result: Answer, refused_by: str, sentence: str, hints: int
) -> None:
    assert result.insufficient_evidence
    assert result.refused_by == result.to_json()["refused_by"] == refused_by
    assert result.text.startswith("Insufficient evidence: ")
    assert sentence in result.text
    assert result.text.count("\n- COBS") == hints
    assert ("not relied on" in result.text) == bool(hints)
    assert result.citations == ()


def test_a_heading_is_not_the_best_passage_for_it_was_not_looked_at() -> None:
    heading = make_hit("Duties to pay", "1", 0.95, kind="heading")
    result = ask([heading, make_hit("A Person must pay.", "1.1", 0.3, 2)])
    assert "(the best one scores 0.30, the floor is 0.70)" in result.text
    assert result.text.count("\n- COBS") == 1
    assert ask([heading]).refused_by == "no-passages"


def test_an_answer_that_is_given_was_refused_by_nothing() -> None:
    result = by_model("A Person must pay [1].")
    assert (result.insufficient_evidence, result.refused_by) == (False, None)
    assert ask(HITS).to_json()["refused_by"] is None


@pytest.mark.parametrize(
    ("text", "nothing"),
    [
        ("INSUFFICIENT EVIDENCE", True),
        ("**Insufficient evidence.** The passages are about fees.", True),
        ("Insufficient evidence on the time limit, but a Person must pay [1].", False),
        ("There is insufficient evidence.", False),
    ],
)
def test_a_model_that_goes_on_to_cite_has_found_something(text: str, nothing: bool) -> None:
    assert says_nothing(text) is nothing
    assert by_model(text).insufficient_evidence is nothing


def test_a_refusal_is_heard_as_it_is_shown_and_not_as_the_model_words_it() -> None:
    heard: list[str] = []
    result = by_model("INSUFFICIENT EVIDENCE: I see no answer.", heard)
    assert "".join(heard) == result.text
    assert "I see no answer" not in result.text


def test_a_stream_is_held_back_no_longer_than_it_may_be_a_refusal() -> None:
    heard: list[str] = []
    stream = HeldBack(heard.append)
    for piece in ("**In", "suff", "icient funds", " must be", " reported."):
        stream(piece)
    assert heard == ["**Insufficient funds", " must be", " reported."]

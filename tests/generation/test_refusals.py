"""When the evidence does not do: what decided, and what came nearest."""

from __future__ import annotations

from dataclasses import replace

import pytest
from effort import no_runaway
from hits import make_hit, make_hits, with_scores
from scripted_modes import ScriptedLLM

from generation import Answer, AnswerSettings, FilterSettings, answer
from generation.replies.stream import Stream
from generation.replies.trailing_refusal import NoAnswerFilter, says_nothing
from search.records import Hit

HITS = make_hits("A Person must pay.", "A Person must keep records.")


def ask(hits: list[Hit], answerable: float | None = None, **filter_: object) -> Answer:
    settings = AnswerSettings(filter=FilterSettings(**filter_))
    return answer("Which divers swim?", hits, settings=settings, answerable=answerable)


def by_model(text: str, heard: list[str] | None = None) -> Answer:
    llm = ScriptedLLM(lambda _: text)
    hear = None if heard is None else heard.append
    return answer("Who pays?", HITS, mode="rag", llm=llm, on_text=hear)


@pytest.mark.parametrize(
    ("result", "refused_by", "sentence", "hints"),
    [
        (ask([]), "no-passages", "no passage matches this question.", 0),
        (ask(with_scores([0.6, 0.5, 0.4, 0.3])), "floor",
         "(the best one scores 0.60, the minimum is 0.70).", 3),
        (ask(HITS, answerable=0.0955), "answerable",
         "(the probability is 0.096, the minimum is 0.10).", 2),
        (ask([replace(make_hit("Pay."), relevance=0.2)], score="relevance"), "relevance",
         "(the best one has a probability of 0.20, the minimum is 0.70).", 1),
        (ask(HITS, answerable=0.03), "answerable",
         "(the probability is 0.03, the minimum is 0.10).", 2),
        (ask(HITS, answerable=0.02), "answerable",
         "(the probability is 0.02, the minimum is 0.10).", 0),
        (by_model("INSUFFICIENT EVIDENCE."), "model",
         "the language model says that the 2 passages found do not answer this question.", 2),
    ],
    ids=["nothing found", "floor", "nearly", "relevance", "answerable", "hardly", "model"],
)  # fmt: skip
def test_what_decided_is_told_with_the_nearest_passages(
    result: Answer, refused_by: str, sentence: str, hints: int
) -> None:
    assert result.insufficient_evidence
    assert result.refused_by == result.to_json()["refused_by"] == refused_by
    assert result.text.startswith("Insufficient evidence: ")
    assert sentence in result.text
    assert result.text.count("\n- COBS") == hints
    assert ("not used:" in result.text) == bool(hints)
    assert result.citations == ()


def test_a_heading_is_not_the_best_passage_for_it_was_not_looked_at() -> None:
    heading = make_hit("Duties to pay", "1", 0.95, kind="heading")
    result = ask([heading, make_hit("A Person must pay.", "1.1", 0.3, 2)])
    assert "(the best one scores 0.30, the minimum is 0.70)." in result.text
    assert result.text.count("\n- COBS") == 1
    assert ask([heading]).refused_by == "no-passages"


def test_the_nearest_are_quoted_where_there_may_be_an_answer_below_the_floor() -> None:
    hits = with_scores([0.6, 0.55, 0.5])
    result = ask(hits, answerable=0.5)
    assert (result.state, result.insufficient_evidence) == ("unsure", False)
    assert result.text.startswith(
        "Not sure. The nearest provisions say:\n\n**COBS 1.1**: “A Person"
    )
    assert len(result.sources()) <= 3
    assert result.filter.kept == ()
    assert result.to_json()["RetrievedIDs"] == ["3/1.1", "3/1.2", "3/1.3"]
    assert ask(hits).state == "nothing", "none speaks of the subject, and nothing else is known"


@pytest.mark.parametrize("answerable", [None, 0.15])
def test_the_first_hit_is_kept_below_the_floors_where_it_holds_the_subject(
    answerable: float | None,
) -> None:
    hits = with_scores([0.3, 0.2])
    limits = AnswerSettings(filter=FilterSettings(min_answerable=0.2))
    result = answer("Who pays?", hits, settings=limits, answerable=answerable)
    assert result.state == "answered"
    assert [hit.rank for hit in result.filter.kept] == [1]


def test_a_rule_named_by_its_number_is_never_below_a_floor() -> None:
    hit = make_hit("A Person must pay.", score=0.2)
    named = replace(hit, scores=replace(hit.scores, number=1.0))
    assert ask([named], answerable=0.01).state == "answered"
    assert ask([hit], answerable=0.01).state == "nothing"


def test_a_model_decides_where_the_filter_keeps_nothing() -> None:
    llm = ScriptedLLM(lambda _: "A Person must pay [1].")
    result = answer("Which divers swim?", with_scores([0.6]), mode="rag", llm=llm, answerable=0.5)
    assert (result.state, result.text) == ("answered", "A Person must pay [1].")


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


PAY = "A Person must pay [1]."


@pytest.mark.parametrize(
    "written",
    [
        f"{PAY}\n\nINSUFFICIENT EVIDENCE",
        f"{PAY}\n\n**Insufficient evidence.**\n",
        f"{PAY} Insufficient evidence.",
        f"{PAY}\n\nInsufficient evidence. [1]",
        f"{PAY}\nINSUFFICIENT EVIDENCE\nINSUFFICIENT EVIDENCE",
        f"{PAY}\n\n## Conclusion\n\nInsufficient evidence.",
    ],
)
def test_a_refusal_below_an_answer_goes_and_is_told(written: str) -> None:
    result = by_model(written)
    assert (result.text, result.insufficient_evidence) == (PAY, False)
    (warning,) = result.warnings
    assert warning.kind == "contradictory"
    assert warning.message.startswith("The model wrote “insufficient evidence” below an")


@pytest.mark.parametrize(
    "text",
    [
        f"{PAY}\n\nOn the time limit: insufficient evidence.",
        f"{PAY} It must not pay where there is insufficient evidence.",
        f"1. {PAY}\n2. Insufficient evidence.",
        f"{PAY}\n\nInsufficient evidence on the time limit.",
        "A Person must pay.\n\nInsufficient evidence.",
    ],
)
def test_what_says_of_a_part_that_it_is_open_stays(text: str) -> None:
    assert by_model(text).text == text


@pytest.mark.parametrize("size", [1, 2, 3, 7, 500])
@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (f"{PAY}\n\n**Insufficient evidence.**", PAY),
        (f"**{PAY}**\n\n**INSUFFICIENT EVIDENCE**", f"**{PAY}**"),
        (f"“{PAY}”\n\nINSUFFICIENT EVIDENCE", f"“{PAY}”"),
        (f"{PAY}\n\nInsufficient evidence on limits.",) * 2,
        ("A Person must pay.\n\nINSUFFICIENT EVIDENCE",) * 2,
        (f"{PAY}\n\nINSUFFICIENT E",) * 2,
    ],
)
def test_a_closing_refusal_is_heard_as_it_is_shown(written: str, shown: str, size: int) -> None:
    heard: list[str] = []
    stream = Stream(heard.append)
    for start in range(0, len(written), size):
        stream(written[start : start + size])
    stream.finish()
    assert "".join(heard) == shown


def test_blanks_are_not_held_back_for_ever() -> None:
    heard: list[str] = []
    stream = Stream(heard.append)
    stream("A Person must pay [1].")
    with no_runaway():
        for _ in range(100_000):
            stream("\n")
    assert len("".join(heard)) > 99_000


def test_a_refusal_is_heard_as_it_is_shown_and_not_as_the_model_words_it() -> None:
    heard: list[str] = []
    result = by_model("INSUFFICIENT EVIDENCE: I see no answer.", heard)
    assert "".join(heard) == result.text
    assert "I see no answer" not in result.text


def test_a_stream_is_held_back_no_longer_than_it_may_be_a_refusal() -> None:
    stream = NoAnswerFilter()
    pieces = ("**In", "suff", "icient funds", " must be", " reported.")
    heard = [stream.feed(piece) for piece in pieces]
    assert heard == ["", "", "**Insufficient funds", " must be", " reported."]

"""The forms of an answer: JSON for programs, text for people."""

from __future__ import annotations

import json

from hits import make_hit, make_hits

import generation
from generation import answer, answer_text


def test_public_names_are_these() -> None:
    assert sorted(generation.__all__) == sorted(
        ["LLM", "MODES", "Answer", "AnswerContext", "AnswerSettings", "AnswerWarning", "BoundedLLM",
         "Call", "Citation", "Completion", "Decision", "DelegateSettings", "Example",
         "FilterResult",
         "FilterSettings", "IndexLibrary", "LLMSettings", "Library", "Limits", "Message",
         "OpenAILLM", "Prompt", "Trace", "answer", "answer_async", "answer_text", "checked_text",
         "decisions_text", "filter_hits", "printable", "sources_text", "warnings_text"]
    )  # fmt: skip
    assert all(hasattr(generation, name) for name in generation.__all__)


def test_json_has_the_fields_of_the_paper_and_those_promised() -> None:
    hits = [
        *make_hits("A Person must pay.", " ", "A Person may pay."),
        make_hit("No.", "9", 0.1, 4),
    ]
    record = answer("Who must pay?", hits, question_id="q1").to_json()
    assert list(record) == [
        "QuestionID", "Question", "RetrievedPassages", "RetrievedIDs", "Answer", "mode",
        "insufficient_evidence", "refused_by", "decisions", "citations", "warnings",
        "verification", "filter", "trace",
    ]  # fmt: skip
    assert record["QuestionID"] == "q1"
    assert record["RetrievedPassages"] == ["A Person must pay.", "A Person may pay."]
    assert record["RetrievedIDs"] == ["3/1.1", "3/1.3"]
    assert record["mode"] == "extractive"
    assert json.loads(json.dumps(record))["trace"]["mode"] == "extractive"


def test_text_lists_the_sources_in_full() -> None:
    hit = make_hit("A Person must pay.", "3.5.8.(b)", breadcrumb=("3 Fees", "3.5 Payment"))
    text = answer_text(answer("Who must pay?", [hit]))
    assert text.endswith(
        "Sources:\n[1] COBS_VER15.150823 3.5.8.(b), 3 Fees, 3.5 Payment\n\n"
        "1 of 1 statements supported."
    )


def test_nothing_in_a_passage_can_steer_the_terminal() -> None:
    nasty = "\x1b]0;owned\x07\x9b31m\u202e\u2066\x00\r\ud800"
    hit = make_hit(
        f"A Person must pay {nasty}.", f"1{nasty}", document_title=nasty, breadcrumb=(nasty,)
    )
    text = answer_text(answer(f"Who {nasty}?", [hit]))
    assert not set(nasty) - set("]0;owned31m") & set(text)
    text.encode()


def test_nothing_above_the_floor_is_said_honestly_with_a_hint() -> None:
    hits = [
        make_hit("A Person must pay.", "3.5.8", 0.52, breadcrumb=("Fees",)),
        make_hit(" ", "2", 0.5),
    ]
    result = answer("What is the weather?", hits)
    assert result.insufficient_evidence
    assert result.text == (
        "Insufficient evidence: no passage bears on this question closely enough to answer from "
        "it (the best one scores 0.52, the floor is 0.70).\n\nNearest, but not relied on:\n"
        "- COBS 3.5.8 (Fees), score 0.52"
    )
    assert result.to_json()["RetrievedIDs"] == []
    assert not result.citations


def test_no_hits_at_all_is_an_answer_too() -> None:
    result = answer("What?", [])
    assert result.insufficient_evidence
    assert "no passage was found" in result.text

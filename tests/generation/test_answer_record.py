"""The forms of an answer: JSON for programs, text for people."""

from __future__ import annotations

import json

from hits import make_hit, make_hits

from generation import answer, answer_text


def test_json_has_the_fields_of_the_paper_and_those_promised() -> None:
    hits = [
        *make_hits("A Person must pay.", " ", "A Person may pay."),
        make_hit("No.", "9", 0.1, 4),
    ]
    record = answer("Who must pay?", hits, question_id="q1").to_json()
    assert list(record) == [
        "QuestionID", "Question", "RetrievedPassages", "RetrievedIDs", "Answer", "as_of", "mode",
        "state", "insufficient_evidence", "refused_by", "decisions", "citations", "statements",
        "left_out", "not_stated", "passages", "warnings", "verification", "filter", "trace",
    ]  # fmt: skip
    assert record["QuestionID"] == "q1"
    assert record["RetrievedPassages"] == ["A Person must pay.", "A Person may pay."]
    assert record["RetrievedIDs"] == ["3/1.1", "3/1.3"]
    assert record["mode"] == "extractive"
    assert json.loads(json.dumps(record))["trace"]["mode"] == "extractive"


def test_statements_are_taken_apart_with_their_place_in_the_passage() -> None:
    text = "Reports.\nWhere a loss is large, a Fund must\n file a report within 14 days."
    hit = make_hit(text, "3.5.8", breadcrumb=("3 Funds", "3.5 Reports"))
    record = answer("When must a Fund file a report?", [hit]).to_json()
    (one,) = [one for one in record["statements"] if one["role"] == "rule"]
    assert {name: one[name] for name in ("kind", "actor", "duty", "act", "time", "heading")} == {
        "kind": "obligation", "actor": "a Fund", "duty": "must",
        "act": "file a report within 14 days", "time": "14 days", "heading": "Reports",
    }  # fmt: skip
    assert text[one["start"] : one["end"]].split() == one["quote"].split()
    assert (record["state"], one["marker"], one["id"]) == ("answered", "[1]", "3/3.5.8")
    (read,) = record["passages"]
    assert (read["id"], read["rank"], read["score"]) == ("3/3.5.8", 1, 0.9)


def test_text_lists_the_sources_briefly() -> None:
    hit = make_hit("A Person must pay.", "3.5.8.(b)", breadcrumb=("3 Fees", "3.5 Payment"))
    text = answer_text(answer("Who must pay?", [hit]))
    assert text.endswith("Sources:\n[1] COBS 3.5.8.(b), Payment")


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
        "Insufficient evidence: no passage is close enough to this question to "
        "answer it (the best one scores 0.52, the minimum is 0.70).\n\nNearest passages, "
        "not used:\n- COBS 3.5.8 (Fees)"
    )
    assert result.to_json()["RetrievedIDs"] == []
    assert not result.citations


def test_no_hits_at_all_is_an_answer_too() -> None:
    result = answer("What?", [])
    assert result.insufficient_evidence
    assert "no passage matches this question" in result.text

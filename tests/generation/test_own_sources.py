"""Lists of sources of a model's own, and citations in round brackets."""

from __future__ import annotations

import pytest
from hits import make_hits
from scripted_modes import ScriptedLLM

from generation import answer
from generation.replies.own_sources import OwnSourcesFilter, without_own_sources
from generation.text.citation_styles import unified, with_round_brackets
from search.records import Passage

PAY = "A Person must pay the fee [1]."
HITS = make_hits("A Person must pay the fee.", "A Person must keep records.")


@pytest.mark.parametrize("size", [1, 2, 3, 7, 500])
@pytest.mark.parametrize(
    "listed",
    [
        "Sources:\n[1] COBS 1.1\n[2] COBS 1.2",
        "**Sources:**\n- [1] COBS 1.1\n",
        "## References\n1. COBS 1.1\n2. COBS 1.2",
        "Sources: [1] COBS 1.1",
        "References\n\n[^1]: COBS 1.1",
        "Citations:\n* Passage 1 (COBS 1.1)",
    ],
)
def test_a_list_of_sources_below_an_answer_goes(listed: str, size: int) -> None:
    text = f"{PAY}\n\n{listed}"
    assert without_own_sources(text) == PAY
    part, heard = OwnSourcesFilter(), ""
    for start in range(0, len(text), size):
        heard += part.feed(text[start : start + size])
    assert heard + part.finish() == PAY


@pytest.mark.parametrize(
    "text",
    [
        "A Person must pay the fee.\n\nSources:\n[1] COBS 1.1",
        f"{PAY}\n\nSources of law are many, and a Person must read them [2].",
        f"{PAY}\n\nNotes:\nA Person must keep records of all that is paid [2].",
        f"Sources:\n[1] COBS 1.1\n\n{PAY}",
        f"{PAY}\n\nSource",
        f"{PAY}\n",
    ],
)
def test_what_is_no_closing_list_stays(text: str) -> None:
    assert without_own_sources(text) == text
    part = OwnSourcesFilter()
    assert part.feed(text) + part.finish() == text


GOVN = "Governance Rulebook (GOVN)"
NAMED = (
    Passage("a", "GOVN", "4.2.1", "", GOVN, breadcrumb=("4.2 Incidents",)),
    Passage("b", "GOVN", "4.2.3.(b)", "", GOVN),
)


@pytest.mark.parametrize("size", [1, 3, 500])
@pytest.mark.parametrize(
    ("below", "left"),
    [
        ("[1] GOVN 4.2.1\n[2] GOVN 4.2.3(b)", ""),
        ("- [1]: Rule 4.2.1, Incidents\n- [2] **Governance Rulebook**, 4.2.3.(b)\n", ""),
        ("Fundstelle:\n[1] GOVN 4.2.1", "Fundstelle:"),
        ("[1] GOVN 4.2.1\nIt must say so [1].\n\nSources:\n[1] GOVN 4.2.1",
         "[1] GOVN 4.2.1\nIt must say so [1]."),
        *((kept, kept) for kept in (
            "[1] GOVN 4.2.1\nIt must say so [1].", "[1] Incidents within 24 hours", "[1] 4.2.3",
            "[3] GOVN 4.2.1", "[1] Incidents not",
        )),
    ],
)  # fmt: skip
def test_lines_that_only_name_their_passages_are_a_list_of_sources(
    below: str, left: str, size: int
) -> None:
    text, expected = f"{PAY}\n\n{below}", f"{PAY}\n\n{left}".rstrip()
    assert without_own_sources(text, NAMED) == expected
    part, heard = OwnSourcesFilter(NAMED), ""
    for start in range(0, len(text), size):
        heard += part.feed(text[start : start + size])
    assert heard + part.finish() == expected


def test_lines_of_such_a_list_are_no_statements_and_no_sources() -> None:
    heard: list[str] = []
    llm = ScriptedLLM(lambda _: f"{PAY}\n\nSources:\n[1] COBS 1.1\n[2] COBS 1.2")
    result = answer("Who pays?", HITS, mode="rag", llm=llm, on_text=heard.append)
    assert "".join(heard) == result.text == PAY
    assert list(result.sources()) == [1]
    assert result.verification
    assert len(result.verification.statements) == 1


@pytest.mark.parametrize(
    "written",
    [
        "Pay [Source: 1].", "Pay [ID:1].", "Pay \\[1\\].", "Pay [1](https://a.b/c).",
        "Pay [ref: 1].",
        "Pay <sup>1</sup>.", "Pay ‹sup>[1]‹/sup>.", "Pay (source 1).", "Pay (Source: 1).",
        "Pay [Citation 1].", "Pay [#1].", "Pay [No. 1].", "Pay [[1]].",
    ],
)  # fmt: skip
def test_more_ways_of_writing_a_number_are_read(written: str) -> None:
    assert unified(written) == "Pay [1]."


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("A Person must pay (1). It must report (1, 2).",
         "A Person must pay [1]. It must report [1][2]."),
        ("A Person must pay. (2)", "A Person must pay. [2]"),
        ("A Person must pay under section (1).", "A Person must pay under section (1)."),
        ("A Person must pay (1) and (2).", "A Person must pay [1] and (2)."),
        ("A Person must pay within 5 days (9).", "A Person must pay within 5 days (9)."),
        ("A Person must pay (1) [2].", "A Person must pay (1) [2]."),
        ("The duties: (1) to pay, (2) to report.", "The duties: (1) to pay, (2) to report."),
    ],
)  # fmt: skip
def test_round_brackets_cite_where_nothing_else_does(written: str, meant: str) -> None:
    assert with_round_brackets(written, 2, "[1] A Person must pay a fee:\n(1) in full.") == meant


def test_a_round_number_that_was_copied_cites_nothing() -> None:
    assert with_round_brackets("Nobody pays (2).", 2, "It says: Nobody pays (2).") == (
        "Nobody pays (2)."
    )

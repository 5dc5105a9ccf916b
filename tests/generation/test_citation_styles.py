"""Citations that models write in a style of their own, and texts that must not look like any."""

from __future__ import annotations

import pytest
from effort import no_runaway
from hits import make_hit
from hypothesis import example, given
from hypothesis import strategies as st

from generation.text.citation_styles import cited_numbers, defused, unified
from generation.text.named_citations import with_numbers

STYLES = {
    "Firms must pay [1, 3-5].": "Firms must pay [1][3][4][5].",
    "Firms must pay [^1].\n[^1]: COBS 3.5.8\nThey may.": "Firms must pay [1].\nThey may.",
    "Firms must pay [^1].\n[^1] : COBS 3.5.8\nThey may.": "Firms must pay [1].\nThey may.",
    "[^1]: Firms must pay.": "[1]: Firms must pay.",
    "Firms must pay 【1†source】.": "Firms must pay [1].",
    "Firms must pay ［2］.": "Firms must pay [2].",
    "Firms must pay [[2]].": "Firms must pay [2].",
    "Firms must pay [Source 1; 2 and 3].": "Firms must pay [1][2][3].",
    "Firms must pay (passages 1 and 3).": "Firms must pay [1][3].",
    "Firms must pay (see passage 2).": "Firms must pay [2].",
    "Firms must pay.¹": "Firms must pay.[1]",
    "Firms must pay¹,² on time": "Firms must pay[1][2] on time",
    "Firms must pay [1](https://evil.example/x).": "Firms must pay [1].",
    "Firms must pay [\u200d1].": "Firms must pay [1].",
    "يجب الدفع [١].": "يجب الدفع [1].",
    "Pay [doc1], [doc_2].": "Pay [1], [2].",
    "Pay [S1][P2].": "Pay [1][2].",
    "Pay [Source 1, Source 3].": "Pay [1][3].",
    "Pay [1, p. 3] [2: COBS 3.4].": "Pay [1] [2].",
    "Pay [**1**].": "Pay [1].",
    "Pay ‹cite›1‹/cite›.": "Pay [1].",
    "Pay [passage number 2].": "Pay [2].",
    "Pay [p1].": "Pay [1].",
    "Pay [1.].": "Pay [1].",
    'Pay ["1"].': "Pay [1].",
    "Pay \\cite{1, 2}.": "Pay [1][2].",
    "Firms must pay ¹.": "Firms must pay [1].",
}
NO_CITATION = [
    "Pay [s 5].",
    "Pay [1 January 2020].",
    "Pay [p. 3].",
    "an area of 10 m²",
    "Rules [2001-2090]",
    "as in (1) above",
    "see [sic]",
    "[9-1]",
]

P = [
    make_hit("x", "3.5.8").passage,
    make_hit("x", "47)").passage,
    make_hit("x", "3.5.9.(b)").passage,
    make_hit("x", "10.5").passage,
]


@pytest.mark.parametrize(("written", "meant"), STYLES.items())
def test_every_style_becomes_one(written: str, meant: str) -> None:
    assert unified(written) == meant


@pytest.mark.parametrize("text", NO_CITATION)
def test_other_numbers_stay_as_they_are(text: str) -> None:
    assert unified(text) == text


@pytest.mark.parametrize("text", STYLES)
def test_a_passage_that_is_copied_cites_nothing(text: str) -> None:
    assert cited_numbers(unified(defused(text))) == []


@pytest.mark.parametrize("text", ["[12345]", "[ 7 ]", "[1,,2]", "[1 - 2 - 3]", "［123456］"])
def test_numbers_that_are_too_odd_to_cite_lose_their_brackets_too(text: str) -> None:
    assert not set("[]［］") & set(defused(text))


def test_invisible_joiners_go_in_time_that_grows_with_the_text() -> None:
    joiners = "\u200d" * 500_000
    with no_runaway():
        assert defused(joiners) == joiners
        assert defused(joiners + "[1]") == "(1)"


@example("[¹\u200d]")
@given(st.text(alphabet="[]【】［］^#†1²¹ ,-;()a.\n\u200dpassge", max_size=40))
def test_nothing_that_was_defused_is_a_citation(text: str) -> None:
    assert cited_numbers(unified(defused(text))) == []


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Firms must pay (Rule 3.5.8).", "Firms must pay (Rule 3.5.8) [1]."),
        ("Firms must pay [COBS 3.5.9(b)].", "Firms must pay [COBS 3.5.9(b)] [3]."),
        ("Firms must pay (Rule 3.5.8(c); 3.5.8 of COBS).",
         "Firms must pay (Rule 3.5.8(c); 3.5.8 of COBS) [1]."),
        ("Pay (see Rule 3.5.8 and paragraph 47).", "Pay (see Rule 3.5.8 and paragraph 47) [1][2]."),
        ("Pay as told (see Rule 3.5.8) [2].", "Pay as told (see Rule 3.5.8) [2]."),
        ("Pay (MKT 3.5.8, or 2 firms, or Rule 9.9).", "Pay (MKT 3.5.8, or 2 firms, or Rule 9.9)."),
        ("Pay (Rule 3.5).", "Pay (Rule 3.5)."),
        ("Pay (Rule 10.5).", "Pay (Rule 10.5) [4]."),
        ("Pay (10.5 per cent, or 10.5 million).", "Pay (10.5 per cent, or 10.5 million)."),
        ("As Rule 3.5.8 says, pay.", "As Rule 3.5.8 [1] says, pay."),
        ("COBS 3.5.9(b) wants it. Pay.", "COBS 3.5.9(b) [3] wants it. Pay."),
        ("As Rule 3.5.8 of MKT says, pay.", "As Rule 3.5.8 of MKT says, pay."),
        ("As COBS 3.5.80 and MKT 3.5.8 say, pay.", "As COBS 3.5.80 and MKT 3.5.8 say, pay."),
        ("As Rule 3.5.8 says, pay [2].", "As Rule 3.5.8 says, pay [2]."),
    ],
)  # fmt: skip
def test_a_rule_that_is_named_instead_of_a_number_gets_its_number(written: str, meant: str) -> None:
    assert with_numbers(written, P) == meant


ARTICLES = [
    make_hit("x", number, document_id="32013R0575", document_title="CRR").passage
    for number in ("Article 2a", "Article 3(1)", "Article 5", "Chapter 4")
]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Pay [2a].", "Pay [2a] [1]."),
        ("Pay [2A].", "Pay [2A] [1]."),
        ("Pay [2a(1)].", "Pay [2a(1)] [1]."),
        ("Pay [Art. 2a].", "Pay [Art. 2a] [1]."),
        ("Pay (Article 3(1)).", "Pay (Article 3(1)) [2]."),
        ("Pay (CRR Article 2a).", "Pay (CRR Article 2a) [1]."),
        ("Pay (Articles 2a, 3(1) and 5).", "Pay (Articles 2a, 3(1) and 5) [1][2][3]."),
        ("Pay (Article 2a, and 5).", "Pay (Article 2a, and 5) [1][3]."),
        ("Pay (Article 2a and Chapter 4).", "Pay (Article 2a and Chapter 4) [1][4]."),
        ("Pay (Articles 2a and 5 days).", "Pay (Articles 2a and 5 days) [1]."),
        ("Pay (5).", "Pay (5)."),
        ("Pay [2a] [3].", "Pay [2a] [3]."),
        ("Pay (Chapter 5).", "Pay (Chapter 5)."),
        ("Pay (Article 4).", "Pay (Article 4)."),
        ("Pay (Article 5 CRD).", "Pay (Article 5 CRD)."),
        ("As Article 2a says, pay.", "As Article 2a [1] says, pay."),
        ("As Article 5 CRD says, pay.", "As Article 5 CRD says, pay."),
        ("As Article 5 MiFID II says, pay.", "As Article 5 MiFID II says, pay."),
        ("As Article 5 of CRD says, pay.", "As Article 5 of CRD says, pay."),
    ],
)
def test_an_article_is_named_by_its_number_alone_too(written: str, meant: str) -> None:
    assert with_numbers(written, ARTICLES) == meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("According to passage 1, firms must pay.", "According to [1], firms must pay."),
        ("Passages 1 and 3 say so.", "[1][3] say so."),
        ("Passage 1 says so [2].", "Passage 1 says so [2]."),
        ("Passage 9 says so.", "Passage 9 says so."),
        ("Passage no. 1 of the Act says so.", "Passage no. 1 of the Act says so."),
    ],
)
def test_a_passage_that_is_named_in_words_is_cited(written: str, meant: str) -> None:
    assert with_numbers(written, P) == meant


def test_a_number_that_two_passages_have_names_neither() -> None:
    twins = [
        make_hit("x", "1.1", document_id=title, document_title=title).passage
        for title in ("COBS", "GEN")
    ]
    assert with_numbers("Pay (Rule 1.1). Stop (GEN 1.1).", twins) == (
        "Pay (Rule 1.1). Stop (GEN 1.1) [2]."
    )

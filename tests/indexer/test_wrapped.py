"""Texts whose lines were broken at a border: which breaks part sentences, and which are meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from effort import no_runaway

import indexer
from indexer.readers.text.law import law_text
from indexer.readers.text.markup import wrapped_at

RULES = """Treasury Rules

1\tLIMITS
1.1\tThe treasurer must not enter into a derivative with a notional
amount above EUR 5 million without the consent of the Chief Financial
Officer, and must tell the board of each such consent within a month of
30 days, or earlier.
1.2\tA Licensed Firm may not hold the shares of another one, except with
Norvanian consent, for longer than is needed under the terms of section
5. The board decides:
(a) on consents, after it has heard the auditor and the Risk Committee
of the bank; and
(b) on fees.
1.3\tThis Rule is made for all, and it is about records of orders, for
"Records" are all that a Licensed Firm holds of an order that it gave.
"""


def text_of(folder: Path, number: str, text: str, name: str = "rules.txt") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return next(one.text for one in indexer.read(path) if one.passage_id == number)


@pytest.mark.parametrize(
    ("number", "found"),
    [
        ("1.1", "The treasurer must not enter into a derivative with a notional amount above "
                "EUR 5 million without the consent of the Chief Financial Officer, and must tell "
                "the board of each such consent within a month of 30 days, or earlier."),
        ("1.2", "A Licensed Firm may not hold the shares of another one, except with Norvanian "
                "consent, for longer than is needed under the terms of section 5. The board "
                "decides:\n(a) on consents, after it has heard the auditor and the Risk Committee "
                "of the bank; and\n(b) on fees."),
        ("1.3", "This Rule is made for all, and it is about records of orders, for \"Records\" "
                "are all that a Licensed Firm holds of an order that it gave."),
    ],
)  # fmt: skip
def test_a_sentence_that_a_border_broke_is_one(tmp_path, number, found):
    assert text_of(tmp_path, number, RULES) == found


def test_paragraphs_of_markdown_that_a_border_broke_are_one(tmp_path):
    text = RULES.replace("1\tLIMITS", "# 1 LIMITS\n").replace("\t", " ")
    found = text_of(tmp_path, "1.1", text, "rules.md")
    assert "amount above EUR 5 million without the consent of the Chief Financial Officer" in found


def test_subsections_of_an_act_that_a_border_broke_are_one(tmp_path):
    act = RULES.replace("1\tLIMITS", "1. Limits")
    for number in (1, 2, 3):
        act = act.replace(f"1.{number}\t", f"({number}) ")
    found = text_of(tmp_path, "1.(1)", act)
    assert "amount above EUR 5 million without the consent of the Chief Financial Officer" in found


def test_lines_of_a_fence_stay(tmp_path):
    fence = "\\Figure Start\n" + "".join(RULES.splitlines(keepends=True)[3:7]) + "\\Figure End"
    text = f"{RULES}1.4\tThe chart is:\n{fence.replace('1.1', 'A')}\n"
    assert text_of(tmp_path, "1.4", text).endswith(fence.replace("1.1", "A"))


def test_a_paragraph_a_line_is_left_alone():
    lines = [f"1.{n} Rule " + "word " * (n % 40) + "ends." for n in range(1, 200)]
    assert wrapped_at(lines) is None


def test_long_rows_of_blanks_and_stops_are_read_in_no_time():
    for row in (" ", ".", "._", "(", "_"):
        with no_runaway():
            law_text(["A" + row * 60_000 + "a", "Bank"] * 4, frozenset(), int)

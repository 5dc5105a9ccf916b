"""The table of duties: who, what, by when, how much, with which exception."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest
from openpyxl import load_workbook

from rirag.server.duties import DutyRow, of_passages, to_xlsx
from search import Passage
from tests.rirag.server.running import ASKED, Running

PASSAGE = Passage(id="0", document_id="D", passage_id="7", text="", document_title="Act")


@pytest.mark.parametrize(
    ("text", "who", "duty", "what", "when", "amount", "exception"),
    [
        ("A firm must pay EUR 1,200 within 5 days, unless the court extends the time.",
         "A firm", "must", "pay EUR 1,200 within 5 days, unless the court extends the time",
         "5 days", "EUR 1,200", "unless the court extends the time"),
        ("A firm must not hold more than 4.5% of its capital. This does not apply to banks.",
         "A firm", "must not", "hold more than 4.5% of its capital", "", "4.5%",
         "This does not apply to banks."),
        ("A keeper shall:\n(a) light the lamp; and\n(b) log each night.",
         "A keeper", "shall", "light the lamp", "", "", ""),
        ("\u201cLamp\u201d means a light.", "", "", "", "", "", ""),
    ],
)  # fmt: skip
def test_a_duty_is_taken_apart(
    text: str, who: str, duty: str, what: str, when: str, amount: str, exception: str
) -> None:
    rows = of_passages([replace(PASSAGE, text=text)], "0")
    expected = [(who, duty, what, when, amount, exception)] if who else []
    assert [one[:6] for one in rows[:1]] == expected
    assert all(one.rule == "Act 7" for one in rows)


def test_an_item_of_its_own_is_read_with_what_introduces_it() -> None:
    lead = replace(PASSAGE, text="A firm must:")
    items = [replace(PASSAGE, id=n, parent="0", text=f"keep {n};") for n in ("a", "b")]
    rows = of_passages([lead, *items], {"0", "b"})
    assert [(one.who, one.what) for one in rows] == [("A firm", "keep b")]


def test_no_cell_is_a_formula() -> None:
    nasty = DutyRow("=1+1", "must", "\x07pay", "", "", "", "@x", "", "")
    sheet = load_workbook(io.BytesIO(to_xlsx([nasty]))).active
    assert [sheet["A2"].data_type, sheet["A2"].value, sheet["C2"].value] == ["s", "=1+1", "pay"]


def table(content: bytes) -> list[tuple[Any, ...]]:
    return [*load_workbook(io.BytesIO(content)).active.values]


def test_duties_of_an_answer_and_of_marked_rules_are_a_spreadsheet(server: Running) -> None:
    answer = server.post("/v1/ask", {"question": ASKED}).json()
    head, *rows = table(server.get(f"/v1/answers/{answer['answer_id']}?format=xlsx").content)
    assert head[:4] == ("Who", "Duty", "What", "By when")
    assert ("A Licensed Firm", "must", "24 hours") in [(one[0], one[1], one[3]) for one in rows]
    assert server.get(f"/a/{answer['answer_id']}?format=xlsx").content[:2] == b"PK"
    chapter = next(
        one for one in server.get("/v1/documents/GOVN").json()["outline"] if one["number"] == "4"
    )
    marked = {"document_id": "GOVN", "id": chapter["id"]}
    some = table(server.get("/duties", params=marked).content)
    every = table(server.get("/duties", params={"document_id": "GOVN"}).content)
    assert 3 < len(some) < len(every)
    assert all(
        one[6].startswith("Governance and Prudential Rulebook (GOVN) 4.") for one in some[1:]
    )
    assert server.get("/duties", params={"document_id": "NOPE"}).status_code == 404


def test_the_place_that_is_read_is_marked_in_the_contents(server: Running) -> None:
    page = server.get("/d/GOVN").text
    assert page.count('aria-current="location"') == 1
    assert '<h2 class="h">' in page and '<h2 class="h"><p' not in page

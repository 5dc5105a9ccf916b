"""`--as-of`, `documents versions`, `documents show --history` and `compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.lamp_act import ingest_lamp_act


@pytest.fixture(scope="module")
def lamps(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(ingest_lamp_act(tmp_path_factory.mktemp("lamps")))


def test_a_search_says_of_which_day_its_hits_are(rirag: Any, lamps: str) -> None:
    shown = rirag("search", "fee for a lamp", "--as-of", "2021-01-01", "--index", lamps)
    assert "50 crowns" in shown.out and "60 crowns" not in shown.out
    assert "version 2020-01-01; this text from 2020-01-01 to 2022-06-30" in shown.out


def test_an_answer_of_the_past_names_the_next_change(rirag: Any, lamps: str) -> None:
    shown = rirag("ask", "What is the fee for a lamp?", "--as-of", "2021-01-01", "--index", lamps)
    assert "50 crowns" in shown.out
    assert "Lamp Act Section 2 was changed on 2022-07-01." in shown.out
    sources = "Sources (law as on 2021-01-01):\n[1] Lamp Act Section 2, version 2020-01-01"
    assert sources in shown.out


def test_versions_are_listed_with_their_days(rirag: Any, lamps: str) -> None:
    lines = rirag("documents", "versions", "lamp-act", "--index", lamps).out.splitlines()
    assert [line.split()[:2] for line in lines] == [
        ["2020-01-01", "past"], ["2022-07-01", "past"], ["2024-01-01", "in-force"],
    ]  # fmt: skip


def test_a_rule_is_shown_with_all_its_wordings(rirag: Any, lamps: str) -> None:
    shown = rirag("documents", "show", "lamp-act", "2", "--history", "--index", lamps).out
    assert shown.index("2020-01-01 – 2022-06-30") < shown.index("2022-07-01 – 2023-12-31")
    assert shown.rstrip().endswith("The keeper must hold the oil in sealed jars.")
    refused = rirag("documents", "show", "lamp-act", "--history", "--index", lamps)
    assert (refused.code, "give its NUMBER" in refused.err) == (2, True)


def test_a_rule_of_another_day_is_refused_with_its_days(rirag: Any, lamps: str) -> None:
    shown = rirag(
        "documents", "show", "lamp-act", "Section 3", "--as-of", "2021-01-01", "--index", lamps
    )
    assert shown.code == 2
    assert "not in the text of 2021-01-01; days of its wordings: 2024-01-01/.." in shown.err


def test_a_comparison_marks_words_and_moves(rirag: Any, lamps: str, tmp_path: Path) -> None:
    first = ("compare", "lamp-act", "--index", lamps)
    shown = rirag(*first, "--from", "2020-01-01", "--to", "2022-07-01").out
    assert "Rules: 1 changed." in shown
    assert "[-50-] {+60+} crowns." in shown
    assert "Section 3 Fees: moved from Section 2, words unchanged" in rirag(*first).out
    page = tmp_path / "page.html"
    rirag(*first, "--from", "2020-01-01", "--to", "2022-07-01", "--html", str(page))
    assert "<del>50 </del><ins>60 </ins>" in page.read_text()
    assert rirag(*first, "--json").json["changes"][0]["number"] == "Section 2"

"""What answers take from beside the passages found, and what they say is not stated."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hits import make_hits

import indexer
import search
from generation import IndexLibrary
from generation.extract.asked import compares
from generation.extract.complete import siblings_named
from generation.extract.silence import not_stated


def test_whom_a_rule_applies_to_is_quoted_with_what_it_says(tmp_path: Path) -> None:
    texts = {
        "6(1)": "This section applies where a boat is left at the pier.",
        "6(2)": "The owner must remove the boat.",
        "7(1)": "This section applies where a boat sinks.",
    }
    records = [
        {"ID": key, "DocumentID": "H", "PassageID": key, "Passage": text}
        for key, text in texts.items()
    ]
    (tmp_path / "boats.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    indexer.ingest(tmp_path / "boats.jsonl", str(tmp_path / "index"))
    with search.open(str(tmp_path / "index")) as index:
        scope = index.passage("6(1)")
        fetched = siblings_named([(scope, scope.text)], IndexLibrary(index))
    assert [one.passage_id for one in fetched] == ["6(2)"]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Does our policy keep files as long as the law asks?", True),
        ("Ist unsere Richtlinie strenger als das BDSG?", True),
        ("Notre charte est-elle plus stricte que le RGPD ?", True),
        ("What must our gifts policy say?", False),
        ("As soon as a breach is known, whom do we tell?", False),
    ],
)
def test_questions_that_compare_texts_are_known(question: str, said: bool) -> None:
    assert compares(question) is said


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("Which software must a firm use to tell a client of a loss?", ["which software"]),
        ("How many owls must a firm send?", ["how many owls"]),
        ("A box was lost. On what portal must we notify the client?", ["what portal"]),
        ("A courier lost a box. Must we notify anyone?", []),
        ("Which client must be notified?", []),
        ("Which steps must a firm take?", []),
        ("Welche Software muss eine Firma nutzen, wenn ein Kunde etwas verliert?", []),
    ],
)
def test_a_thing_asked_for_by_its_name_that_no_passage_has_is_named(
    question: str, things: list[str]
) -> None:
    hits = make_hits("A firm must notify the client of a loss.")
    assert list(not_stated(question, hits, hits).words) == things

"""What answers take from beside the passages found, and what they expect of a question's words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hits import make_hit, make_hits

import indexer
import search
from generation import AnswerContext, IndexLibrary, answer
from generation.extract.asked import compares
from generation.extract.not_stated import NO_NAMES, not_stated
from generation.extract.siblings import siblings_named
from search.records import Hit

RULE = """\
5\tAppeals against a fine
5.1\tA member may appeal against a fine to the harbour court.
5.2\tThe harbour court may confirm the fine or impose another one.
5.3\tAn appeal against a fine must be made within 28 days after the notice.
"""


def _answer(question: str, number: str, tmp_path: Path) -> str:
    (tmp_path / "harbour.txt").write_text(RULE, encoding="utf-8")
    indexer.ingest(tmp_path / "harbour.txt", str(tmp_path / "index"))
    with search.open(str(tmp_path / "index")) as index:
        (passage,) = [one for one in index.passages() if one.passage_id.rstrip(".") == number]
        hit = make_hit("")
        hits = [Hit(1, 1.0, hit.scores, passage)]
        return answer(question, hits, context=AnswerContext(library=IndexLibrary(index))).text


def test_a_time_that_no_passage_found_states_is_read_beside_it(tmp_path: Path) -> None:
    text = _answer("How long do we have to appeal against a fine?", "5.1", tmp_path)
    assert "within 28 days" in text
    assert "No time limit" not in text


def test_what_has_the_value_and_not_the_subject_is_not_read(tmp_path: Path) -> None:
    text = _answer("How long may pigeons nest at the harbour court?", "5.1", tmp_path)
    assert "28 days" not in text


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


def test_the_words_of_a_story_are_not_expected() -> None:
    hits = make_hits("A firm must notify the client of a loss.")
    rarities = dict.fromkeys(("courier", "toronto", "lost", "box", "pigeon", "notifi"), 5.0)
    story = "A courier in Toronto lost a box. Must we notify anyone?"
    assert not_stated(story, hits, hits, rarities, NO_NAMES).words == ()
    asked = "Must we feed the pigeons of a courier in Toronto?"
    assert "pigeons" in not_stated(asked, hits, hits, rarities | {"feed": 5.0}, NO_NAMES).words


def test_a_brief_question_is_answered_by_the_rule_before_its_guidance() -> None:
    text = "A firm must keep records of all complaints that it receives."
    advice = "A firm should keep records of complaints for each of its branches."
    hits = [
        make_hit(advice, "1.1.Guidance", 0.9, 1, kind="guidance"),
        make_hit(text, "1.1", 0.89, 2),
    ]
    found = answer("complaints records", hits).text
    assert found.index(text) < found.index(advice)

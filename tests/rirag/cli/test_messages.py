"""What common mistakes are told: one file holds the messages, so that a change is seen as a whole.

`WRITE_MESSAGES=1 pytest tests/rirag/cli/test_messages.py` writes it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from cli_support import Run

MESSAGES = Path(__file__).with_name("messages.txt")
WRITE = "WRITE_MESSAGES"

MISTAKES: dict[str, list[str]] = {
    "no index": ["search", "fees", "--index", "nowhere"],
    "no words": ["search", "?!", "--index", "INDEX"],
    "unknown filter": ["search", "fees", "--index", "INDEX", "--filter", "colour=red"],
    "no filter": ["search", "fees", "--index", "INDEX", "--filter", "colour"],
    "unknown kind": ["search", "fees", "--index", "INDEX", "--filter", "kind=law"],
    "unknown document": ["documents", "show", "XYZ", "--index", "INDEX"],
    "unknown number": ["documents", "show", "AMLR", "99.99", "--index", "INDEX"],
    "unknown profile": ["search", "fees", "--index", "INDEX", "--profile", "mine"],
    "unknown reranker": ["search", "fees", "--index", "INDEX", "--reranker", "mine"],
    "other encoder": ["search", "fees", "--index", "INDEX", "--encoder", "bge-small"],
    "too many hits": ["search", "fees", "--index", "INDEX", "-k", "5000"],
    "no model": ["ask", "Who pays?", "--index", "INDEX", "--mode", "rag"],
    "unknown regime": [
        "ask",
        "Who pays?",
        "--index",
        "INDEX",
        "--mode",
        "advisor",
        "--regime",
        "x",
    ],
    "other mode": ["ask", "Who pays?", "--index", "INDEX", "--topic", "Own funds"],
    "no question": ["ask", "--index", "INDEX"],
    "no source": ["ingest", "nowhere.txt"],
    "empty source": ["ingest", "empty.txt"],
    "unnumbered source": ["ingest", "prose.txt"],
    "unknown format": ["ingest", "prose.txt", "--format", "pages"],
    "no answers": ["verify", "nowhere.json"],
    "unknown question": ["questions", "remove", "q1", "--index", "INDEX"],
    "folder rolled back": ["reindex", "--rollback", "--index", "INDEX"],
    "unknown scheme": ["search", "fees", "--index", "mysql://here/there"],
}
"""What is wrong → the command; INDEX is the sample rulebook's."""


def test_common_mistakes_are_told_as_written_down(rirag: Run, rulebook: Path, clean: Path) -> None:
    (clean / "empty.txt").touch()
    (clean / "prose.txt").write_text("Fees are due.\nPay them.\n", encoding="utf-8")
    found = []
    for name, command in MISTAKES.items():
        outcome = rirag(*(str(rulebook) if word == "INDEX" else word for word in command), "--json")
        assert outcome.code > 0, name
        error = json.loads(outcome.out)["error"]
        message = error["message"].replace(str(rulebook), "INDEX")
        assert outcome.err.replace(str(rulebook), "INDEX").endswith(f"rirag: {message}\n")
        found += [f"{name}: {error['code']} ({error['exit_code']})", f"    {message}", ""]
    text = "\n".join(found)
    if os.environ.get(WRITE):
        MESSAGES.write_text(text, encoding="utf-8")
    assert text == MESSAGES.read_text(encoding="utf-8")


def test_an_error_is_no_json_where_a_person_reads(rirag: Run) -> None:
    assert rirag("search", "fees", "--index", "nowhere").refused(3)


def test_a_report_that_was_printed_is_followed_by_no_other_json(rirag: Run, clean: Path) -> None:
    (clean / "fees.txt").write_text("1\tFEES\n1.1\tPay.\n", encoding="utf-8")
    (clean / "empty.txt").touch()
    outcome = rirag("ingest", "fees.txt", "empty.txt", "--json")
    assert outcome.code == 2
    assert outcome.json["refused"]


@pytest.mark.parametrize("option", ["--json", "--no-such-option"])
def test_a_command_that_is_no_command_is_refused_by_click(rirag: Run, option: str) -> None:
    assert rirag("fetch", option).code == 2

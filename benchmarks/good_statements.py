"""Whether the verifier accepts good short answers: python -m benchmarks.good_statements.

The sixty answers of `benchmarks/questions/good_statements.jsonl` were written by hand over the
sample rulebook: they are true, say no more than what was asked, and point into their rules as
people do. Half of them are for developing.
"""

from __future__ import annotations

import json
from pathlib import Path

import indexer
from benchmarks.command import parser, start
from benchmarks.figures import Figure, report
from generation.verify import verify
from search.records import Passage

QUESTIONS = Path(__file__).parent / "questions" / "good_statements.jsonl"
RULEBOOK = Path(__file__).parent.parent / "examples" / "rulebook"
MOST_FALSE_ALARMS = 5.0


def main() -> None:
    """Verify each and print how many are blamed."""
    arguments = parser(__doc__)
    arguments.add_argument("--half", choices=("develop", "report"))
    arguments.add_argument("--show", action="store_true", help="print those that are blamed")
    options = arguments.parse_args()
    passages = passages_by_citation()
    written = [json.loads(line) for line in QUESTIONS.read_text("utf-8").splitlines()]
    chosen = [one for one in written if options.half in (None, one["half"])]
    blamed = [one for one in chosen if _doubts(one, passages)]
    for one in blamed if options.show else ():
        print(one["id"], one["text"], *_doubts(one, passages), sep="\n    ")
    alarms = 100 * len(blamed) / len(chosen)
    found = [
        Figure("good statements", len(chosen)),
        Figure("false alarms", alarms, "%", MOST_FALSE_ALARMS),
    ]
    report("good short answers", found, options.json)


def passages_by_citation() -> dict[str, Passage]:
    """Return the passages of the sample rulebook by document and number."""
    found = indexer.structure([RULEBOOK]).passages()
    return {f"{one.document_id} {one.passage_id}": one for one in found}


def _doubts(one: dict[str, object], passages: dict[str, Passage]) -> list[str]:
    cites = one["cites"]
    assert isinstance(cites, list)
    sources = {number: passages[cited] for number, cited in enumerate(cites, start=1)}
    checked = verify(str(one["text"]), sources).statements
    if not checked:
        return ["no statement was found"]
    return [
        f"{statement.verdict}: {finding.message}"
        for statement in checked
        if statement.verdict != "supported"
        for finding in statement.findings
    ]


if __name__ == "__main__":
    start(main)

"""Is a law that the index lacks answered with another? python -m benchmarks.absent_laws INDEX.

The questions of `questions/absent_laws.jsonl` name a law and a number in the forms of ten
jurisdictions, half to develop and half to report. INDEX must hold none of these laws. A question
fails where a hit scores as much as an answer needs, or where a quoted answer cites anything.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.command import parser, start
from benchmarks.figures import Figure, report
from generation import AnswerContext, answer
from search import Index
from search import open as open_index

QUESTIONS = Path(__file__).resolve().parent / "questions" / "absent_laws.jsonl"
HALVES = ("develop", "report")
ANSWERED = 0.7
"""Score from which a hit is answered from."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a question gave."""

    id: str
    half: str
    question: str
    is_told: bool
    """Whether the plan says that the index holds no such document."""
    best: float
    citations: int
    first: str

    @property
    def misleads(self) -> bool:
        """Whether another law is shown or quoted as if it were the one asked for."""
        return self.best >= ANSWERED or self.citations > 0


def main() -> None:
    """Ask every question and print how many mislead, per half."""
    arguments = parser(__doc__)
    arguments.add_argument("index")
    options = arguments.parse_args()
    rows = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    with open_index(options.index, reranker=None) as index:
        outcomes = [ask(index, row) for row in rows]
    failures = [
        one for one in outcomes if one.half == "develop" and (one.misleads or not one.is_told)
    ]
    for one in failures:
        print(f"{one.id}: {one.question}\n    {one.best:.2f} {one.first}, {one.citations} cited")
    report(
        "absent laws", figures(outcomes), options.json, failures=[asdict(one) for one in failures]
    )


def ask(index: Index, row: dict[str, str]) -> Outcome:
    """Search and answer one question."""
    found = index.search(row["question"], 10)
    context = AnswerContext(unfound=found.trace.unfound)
    answered = answer(
        row["question"], found.hits, context=context, answerable=found.trace.answerable
    )
    told = any(rule.finding == "no-such-document" for rule in found.trace.numbers)
    best = max((hit.score for hit in found.hits), default=0.0)
    first = found.hits[0].citation() if found.hits else "nothing"
    cited = len(answered.citations)
    return Outcome(row["id"], row["half"], row["question"], told, best, cited, first)


def figures(outcomes: list[Outcome]) -> list[Figure]:
    """Return the counts of each half."""
    found = []
    for half in HALVES:
        ours = [one for one in outcomes if one.half == half]
        misled = sum(one.misleads for one in ours)
        found += [
            Figure(f"questions to {half}", len(ours)),
            Figure(f"another law shown or quoted, {half}", misled, "", 0),
            Figure(
                f"told that there is no such document, {half}", sum(one.is_told for one in ours)
            ),
        ]
    return found


if __name__ == "__main__":
    start(main)

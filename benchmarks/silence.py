"""Whether answers say what is not there: python -m benchmarks.silence INDEX ANSWERED.

`benchmarks/questions/silence.jsonl` holds questions over the ADGM rulebooks that these do not
answer: their subject is in the index and the thing asked is not, or they are about another
jurisdiction, everyday life, or a neighbouring field of law. ANSWERED are questions with an answer;
of them the false alarms are counted. Half of each is for developing (`--half`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean

from benchmarks.command import parser, positive, start
from benchmarks.figures import Figure, report
from generation.records import Answer
from rirag.service import Query, Service
from rirag.settings import Settings
from rirag_workbench.evaluation.statistics import spread

QUESTIONS = Path(__file__).parent / "questions" / "silence.jsonl"
GOALS: Mapping[str, float] = {
    "not stated": 60, "other jurisdiction": 90, "everyday": 100, "near miss": 60,
}  # fmt: skip
"""Per cent of each kind that should be told; of the first kind *not stated* counts too."""

MOST_FALSE_SILENCE, MOST_FALSE_REFUSALS = 10.0, 2.0


def main() -> None:
    """Ask all questions and print the rates."""
    arguments = parser(__doc__)
    arguments.add_argument("index")
    arguments.add_argument("answered", type=Path, help="questions with an answer (JSONL)")
    arguments.add_argument("--half", choices=("develop", "report"), default="develop")
    arguments.add_argument("--limit", type=positive, help="how many of each kind")
    options = arguments.parse_args()
    planted = [json.loads(line) for line in QUESTIONS.read_text("utf-8").splitlines()]
    with Service.open(
        Settings(index=options.index, answered_questions=False), answers=True
    ) as service:

        def ask(question: str) -> Answer:
            return service.answer(Query(question), mode="extractive").answer

        told: dict[str, list[Answer]] = {}
        for kind in GOALS:
            ours = [q for q in planted if q["kind"] == kind and q["half"] == options.half]
            told[kind] = [ask(q["question"]) for q in spread(ours, options.limit)]
        answered = [ask(text) for text in _answered(options.answered, options.limit or 100)]
    report("what is not there", figures(told, answered), options.json)


def _answered(path: Path, count: int) -> list[str]:
    """Return questions of the validation fifth, spread evenly."""
    asked = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    chosen = [
        one["question"]
        for one in asked
        if int(hashlib.sha256(one["question_id"].encode()).hexdigest(), 16) % 5 == 0
    ]
    return spread(chosen, count)


def is_silent(answer: Answer) -> bool:
    """Return whether an answer says that something asked for is not stated, or nothing found."""
    absent = answer.extract.not_stated if answer.extract else {}
    return answer.insufficient_evidence or any(absent.values())


def figures(told: Mapping[str, Sequence[Answer]], answered: Sequence[Answer]) -> list[Figure]:
    """Return the rates in per cent."""
    found = []
    for kind, answers in told.items():
        if kind == "not stated":
            said = [is_silent(answer) for answer in answers]
        else:
            said = [answer.insufficient_evidence for answer in answers]
        found.append(Figure(f"{kind}: told", 100 * mean(said), "%", GOALS[kind],
                            higher_is_better=True))  # fmt: skip
        unsure = 100 * mean(answer.state == "unsure" for answer in answers)
        found.append(Figure(f"{kind}: not sure", unsure, "%"))
    silence = [is_silent(answer) and not answer.insufficient_evidence for answer in answered]
    refused = [answer.insufficient_evidence for answer in answered]
    words = [len(answer.text.split()) for answer in answered]
    return [
        *found,
        Figure("answered: falsely not stated", 100 * mean(silence), "%", MOST_FALSE_SILENCE),
        Figure("answered: falsely refused", 100 * mean(refused), "%", MOST_FALSE_REFUSALS),
        Figure("answered: words per answer", mean(words), ""),
    ]


if __name__ == "__main__":
    start(main)

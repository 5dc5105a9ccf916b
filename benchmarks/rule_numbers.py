"""Whether a rule asked for by its number comes first: python -m benchmarks.rule_numbers INDEX.

A question counts when the first hit is one of its relevant passages. Failures are listed.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from tqdm import tqdm

import search
from benchmarks.command import parser, positive, start
from benchmarks.figures import Figure, report
from rirag.inputs.gold import JudgedQuestions, resolve_gold, resolver
from rirag.inputs.questions import read_questions
from rirag_workbench.evaluation.retrieval.run import Latency
from rirag_workbench.evaluation.statistics import spread

QUESTIONS = Path(__file__).resolve().parent / "questions" / "rule_numbers.jsonl"
LEAST_SHARE = 97.0
DEPTH = 10


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a question found."""

    question_id: str
    question: str
    wanted: tuple[str, ...]
    """Citations of the relevant passages."""
    first: str
    """Citation of the first hit, or "nothing"."""
    place: int | None
    """1-based place of the first relevant hit; None: not among the first ten."""
    milliseconds: float


def main() -> None:
    """Ask every question, print the share that is right, and what is not."""
    arguments = parser(__doc__)
    arguments.add_argument("index")
    arguments.add_argument("questions", type=Path, nargs="?", default=QUESTIONS)
    arguments.add_argument("--limit", type=positive, help="how many questions, spread evenly")
    options = arguments.parse_args()
    with search.open(options.index, reranker=None) as index:
        outcomes = ask_all(index, options.questions, options.limit)
    failures = [one for one in outcomes if one.place != 1]
    for one in failures:
        place = f"at place {one.place}" if one.place else f"not in the first {DEPTH}"
        print(f"{one.question_id}: {one.question}")
        print(f"    wanted {' or '.join(one.wanted)} ({place}); first is {one.first}")
    report(
        "rule numbers",
        figures(outcomes),
        options.json,
        failures=[asdict(one) for one in failures],
    )


def figures(outcomes: list[Outcome]) -> list[Figure]:
    """Return the share of questions with the right passage first, and in the first ten."""
    first = sum(one.place == 1 for one in outcomes)
    found = sum(one.place is not None for one in outcomes)
    share = 100 / len(outcomes)
    waits = Latency.of([one.milliseconds for one in outcomes])
    return [
        Figure("questions", len(outcomes)),
        Figure("right passage first", first * share, "%", LEAST_SHARE, higher_is_better=True),
        Figure(f"right passage in the first {DEPTH}", found * share, "%"),
        Figure("p50 of a search", waits.p50, "ms"),
        Figure("p95 of a search", waits.p95, "ms"),
    ]


def ask_all(index: search.Index, path: Path, limit: int | None) -> list[Outcome]:
    """Search for each question."""
    passages = {passage.id: passage for passage in index.passages()}
    questions = spread(read_questions(path), limit)
    judged = resolve_gold(questions, resolver(passages.values()), path)
    citations = {key: f"{p.document_title} {p.passage_id}" for key, p in passages.items()}
    bar = tqdm(judged.texts, unit="question", leave=False)
    return [outcome(index, judged, question, citations) for question in bar]


def outcome(
    index: search.Index, judged: JudgedQuestions, question_id: str, citations: dict[str, str]
) -> Outcome:
    """Search for one question and look for its relevant passages."""
    relevant, text = judged.relevant[question_id], judged.texts[question_id]
    result = index.search(text, DEPTH)
    places = (hit.rank for hit in result.hits if hit.id in relevant)
    return Outcome(
        question_id=question_id,
        question=text,
        wanted=tuple(citations.get(name, f"{name}, not in the index") for name in relevant),
        first=result.hits[0].citation() if result.hits else "nothing",
        place=next(places, None),
        milliseconds=sum(result.trace.milliseconds.values()),
    )


if __name__ == "__main__":
    start(main)

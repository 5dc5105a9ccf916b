"""Whether what a search misses would have answered: python -m benchmarks.missed INDEX QUESTIONS.

Asks judged questions of INDEX with the default pipeline, and holds the relevant passages that are
not among the first ten against what a reader found in them (`missed_verdicts.jsonl`). The
questions' labels were made by machine, so that some name passages about something else; how much
of R@10 is still to be gained is told by those that answer.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, get_args

from tqdm import tqdm

import search
from benchmarks.command import parser, positive, start
from benchmarks.figures import Figure, report
from rirag.inputs.gold import JudgedQuestions, resolve_gold, resolver
from rirag.inputs.questions import read_questions
from rirag_workbench.evaluation.statistics import spread

VERDICTS = Path(__file__).resolve().parent / "questions" / "missed_verdicts.jsonl"
"""One line a passage of a question: `question_id`, `passage` (its ID) and `verdict`."""

DEPTH = 10

Verdict = Literal["answers", "topic", "elsewhere"]
"""What a relevant passage does for its question: answers it or a part of it; shares its topic, and
answers nothing; is about something else, has no text, or the question cannot be understood."""


@dataclass(frozen=True, slots=True)
class Missed:
    """A relevant passage that is not among the first hits of its question."""

    question_id: str
    passage: str
    verdict: Verdict | None
    """None: nobody has read it."""
    worth: float
    """What finding it would add to the R@10 of its question."""


def main() -> None:
    """Ask, compare, and print how many of the missed passages answer."""
    arguments = parser(__doc__)
    arguments.add_argument("index")
    arguments.add_argument("questions", type=Path)
    arguments.add_argument("--limit", type=positive, help="how many questions, spread evenly")
    arguments.add_argument(
        "--no-answered-questions", action="store_true", help="answered questions do not vote"
    )
    arguments.add_argument("--list", action="store_true", help="print every missed passage")
    options = arguments.parse_args()
    asked = spread(read_questions(options.questions), options.limit)
    with search.open(options.index) as index:
        passages = {passage.id: passage for passage in index.passages()}
        judged = resolve_gold(asked, resolver(passages.values()), options.questions)
        found = first_hits(index, judged, memory=not options.no_answered_questions)
    missed = missed_of(judged, found, read_verdicts())
    for one in missed if options.list else ():
        name = passages[one.passage].citation() if one.passage in passages else one.passage
        print(f"{one.verdict or 'not read':9}  {name}\n           {judged.texts[one.question_id]}")
    title = f"what is not among the first {DEPTH}, {len(judged.texts)} questions"
    details = [asdict(one) for one in missed]
    report(title, figures(judged, missed), options.json, missed=details)


def first_hits(
    index: search.Index, judged: JudgedQuestions, memory: bool
) -> dict[str, frozenset[str]]:
    """Return the IDs of the first hits of each question, which a known one does not answer."""
    questions = tqdm(judged.texts.items(), unit="question", leave=False)
    return {
        name: frozenset(
            hit.id
            for hit in index.search(text, DEPTH, answered_questions=memory, leave_out=[name]).hits
        )
        for name, text in questions
    }


def missed_of(
    judged: JudgedQuestions,
    found: Mapping[str, frozenset[str]],
    verdicts: Mapping[tuple[str, str], Verdict],
) -> list[Missed]:
    """Return the relevant passages that were not found, in the order of the questions."""
    return [
        Missed(name, passage, verdicts.get((name, passage)), 1 / len(relevant))
        for name, relevant in judged.relevant.items()
        for passage in sorted(relevant - found[name])
    ]


def read_verdicts(path: Path = VERDICTS) -> dict[tuple[str, str], Verdict]:
    """Return (question ID, passage ID) → verdict."""
    lines = path.read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines if line.strip()]
    return {(one["question_id"], one["passage"]): one["verdict"] for one in records}


def figures(judged: JudgedQuestions, missed: Iterable[Missed]) -> list[Figure]:
    """Return how many passages are missed, what was read in them, and what they are worth."""
    rows = list(missed)
    told = Counter(one.verdict for one in rows)
    questions = len(judged.texts)
    recall = 1 - sum(one.worth for one in rows) / questions
    open_to_gain = sum(one.worth for one in rows if one.verdict in ("answers", None)) / questions
    return [
        Figure("relevant passages", sum(map(len, judged.relevant.values()))),
        Figure(f"not among the first {DEPTH}", len(rows)),
        *(Figure(f"  read: {name}", told[name]) for name in get_args(Verdict)),
        Figure("  not read", told[None]),
        Figure(f"R@{DEPTH}", recall),
        Figure(f"R@{DEPTH} with those that answer or were not read", recall + open_to_gain),
    ]


if __name__ == "__main__":
    start(main)

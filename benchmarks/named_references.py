"""Is a number answered from the document that is named with it? benchmarks.named_references INDEX.

INDEX holds the files of the first-day desk. The references of `questions/named_references.jsonl`,
in the forms of twenty countries and of firms, name a document that it holds, or another one; half
are to develop, half to report. One of a document that is there is right where the first hit has its
number in it; one of another document, where nothing is shown or quoted as if it were meant and the
plan says that it is not there.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.absent_laws import HALVES, ask
from benchmarks.command import parser, start
from benchmarks.figures import Figure, report
from search import Index
from search import open as open_index
from search.provisions.numbering import lookup_keys

QUESTIONS = Path(__file__).resolve().parent / "questions" / "named_references.jsonl"
LEAST_SHARE = 90.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a reference gave."""

    id: str
    half: str
    question: str
    is_present: bool
    """Whether the index holds the document that is named."""
    is_right: bool
    found: str
    """The citation of the first hit, and what was said of the number."""


def main() -> None:
    """Look every reference up and print how many are right, per half."""
    arguments = parser(__doc__)
    arguments.add_argument("index")
    options = arguments.parse_args()
    rows = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    with open_index(options.index, reranker=None) as index:
        outcomes = [look_up(index, row) for row in rows]
    failures = [one for one in outcomes if one.half == "develop" and not one.is_right]
    for one in failures:
        print(f"{one.id}: {one.question}\n    {one.found}")
    report(
        "named references",
        figures(outcomes),
        options.json,
        failures=[asdict(one) for one in failures],
    )


def look_up(index: Index, row: dict[str, str]) -> Outcome:
    """Search for one reference, and ask it where its document is absent."""
    if row["document"] is None:
        told = ask(index, row)
        right = told.is_told and not told.misleads
        found = f"{told.best:.2f} {told.first}, {told.citations} cited, told: {told.is_told}"
        return Outcome(row["id"], row["half"], row["question"], False, right, found)
    trace = index.search(row["question"], 10)
    first = trace.hits[0] if trace.hits else None
    right = (
        first is not None
        and first.score >= 1
        and first.document_id == row["document"]
        and any(
            key == row["key"] or key.startswith(f"{row['key']}/")
            for key in lookup_keys(first.passage_id)
        )
    )
    found = f"{first.score:.2f} {first.citation()}" if first else "nothing"
    return Outcome(row["id"], row["half"], row["question"], True, right, found)


def figures(outcomes: list[Outcome]) -> list[Figure]:
    """Return the shares of each half."""
    found = []
    for half in HALVES:
        for present, what in ((True, "present"), (False, "absent")):
            ours = [one for one in outcomes if (one.half, one.is_present) == (half, present)]
            share = 100 * sum(one.is_right for one in ours) / len(ours)
            name = f"right of {len(ours)} with a document that is {what}, {half}"
            found.append(Figure(name, share, "%", LEAST_SHARE if half == "report" else None, True))
    return found


if __name__ == "__main__":
    start(main)

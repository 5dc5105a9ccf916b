"""Is a number answered from the document that is named with it? benchmarks.named_references INDEX.

INDEX holds the files of the first-day desk. The references of `questions/named_references.jsonl`,
in the forms of twenty countries and of firms, name a document that it holds, or another one; half
are to develop, half to report. With `--absent` those of `questions/absent_laws.jsonl` are asked,
whose laws INDEX must not hold. A reference to a document that is there is right where the first hit
has its number in it; one to another document, where nothing is shown or quoted as if it were meant
and the plan says that it is not there.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.command import parser, start
from benchmarks.figures import Figure, report
from generation import AnswerContext, answer
from search import Index
from search import open as open_index
from search.provisions.numbering import lookup_keys

QUESTIONS = Path(__file__).resolve().parent / "questions"
HALVES = ("develop", "report")
LEAST_SHARE = 90.0
ANSWERED = 0.7
"""Score from which a hit is answered from."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a reference gave."""

    id: str
    half: str
    question: str
    is_present: bool
    """Whether the index holds the document that is named."""
    is_right: bool
    misleads: bool
    """Whether another document is shown or quoted as if it were the one named."""
    found: str
    """The first hit, and what an answer cites."""


def main() -> None:
    """Look every reference up and print how many are right, per half."""
    arguments = parser(__doc__)
    arguments.add_argument("index")
    arguments.add_argument("--absent", action="store_true", help="ask for laws of ten countries")
    options = arguments.parse_args()
    name = "absent_laws" if options.absent else "named_references"
    rows = map(json.loads, (QUESTIONS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
    with open_index(options.index, reranker=None) as index:
        outcomes = [look_up(index, row) for row in rows]
    failures = [one for one in outcomes if one.half == "develop" and not one.is_right]
    for one in failures:
        print(f"{one.id}: {one.question}\n    {one.found}")
    failed = [asdict(one) for one in failures]
    report(name.replace("_", " "), figures(outcomes), options.json, failures=failed)


def look_up(index: Index, row: dict[str, Any]) -> Outcome:
    """Search for one reference, and answer it where its document is absent."""
    result = index.search(row["question"], 10)
    first = result.hits[0] if result.hits else None
    found = f"{first.score:.2f} {first.citation()}" if first else "nothing"
    document, misleads = row.get("document"), False
    if document is None:
        context, answerable = AnswerContext(unfound=result.trace.unfound), result.trace.answerable
        answered = answer(row["question"], result.hits, context=context, answerable=answerable)
        reported = any(rule.finding == "no-such-document" for rule in result.trace.numbers)
        misleads = bool(answered.citations) or any(hit.score >= ANSWERED for hit in result.hits)
        found += f", {len(answered.citations)} cited, reported as absent: {reported}"
        right = reported and not misleads
    else:
        right = (
            first is not None
            and first.score >= 1
            and first.document_id == document
            and any(
                key == row["key"] or key.startswith(f"{row['key']}/")
                for key in lookup_keys(first.passage_id)
            )
        )
    return Outcome(
        row["id"], row["half"], row["question"], document is not None, right, misleads, found
    )


def figures(outcomes: list[Outcome]) -> list[Figure]:
    """Return the shares of each half, and how many mislead."""
    found = []
    for half in HALVES:
        for present, what in ((True, "present"), (False, "absent")):
            ours = [one for one in outcomes if (one.half, one.is_present) == (half, present)]
            if not ours:
                continue
            share = 100 * sum(one.is_right for one in ours) / len(ours)
            name = f"right of {len(ours)} with a document that is {what}, {half}"
            found.append(Figure(name, share, "%", LEAST_SHARE if half == "report" else None, True))
        misled = sum(one.misleads for one in outcomes if one.half == half)
        found.append(Figure(f"another document shown or quoted, {half}", misled, "", 0))
    return found


if __name__ == "__main__":
    start(main)

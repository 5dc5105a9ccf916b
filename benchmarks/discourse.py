"""Whether answers hang together: python -m benchmarks.discourse INDEX QUESTIONS.

Counts extractive answers in which words that lean on the sentence before them follow an ellipsis,
in which a sub-paragraph is named that is not shown, and that only point to another rule. The words
looked for are listed here apart from those that the product goes by, and more broadly.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from benchmarks.command import parser, positive, question_texts, start
from benchmarks.figures import Figure, report
from generation.extract.complete import named_parts
from generation.extract.score import points_on
from generation.records import Answer
from rirag.service import Query, Service
from rirag.settings import Settings

_LEANS = re.compile(
    r"\[…\]\s*(?:\(?\w{1,4}[).]\s+)?(?:However|But|Nevertheless|For (?:example|instance)|"
    r"Conversely|Therefore|Accordingly|In addition|Further(?:more)?|Moreover|Similarly|Likewise|"
    r"Also|Thus|Hence|Otherwise|Consequently|In particular|It|They|Such|That|Those|These|This|"
    r"In (?:such|that|those|these|this))\b"
)
MOST_ABSENT = 2


def main() -> None:
    """Answer every question and print the counts."""
    arguments = parser(__doc__)
    arguments.add_argument("index")
    arguments.add_argument("questions", type=Path)
    arguments.add_argument("--limit", type=positive, default=300, metavar="N", help="of the file")
    options = arguments.parse_args()
    with Service.open(
        Settings(index=options.index, answered_questions=False), answers=True
    ) as service:
        answers = [
            service.answer(Query(text), mode="extractive").answer
            for text in question_texts(options.questions, options.limit)
        ]
    report("broken discourse", figures(answers), options.json)


def figures(answers: Sequence[Answer]) -> list[Figure]:
    """Return how many answers are broken, by kind."""
    given = [one for one in answers if not one.insufficient_evidence]
    leaning = sum(_LEANS.search(one.text) is not None for one in given)
    absent = sum(any(True for _ in absent_parts(one)) for one in given)
    pointers = sum(all(points_on(cited.quote) for cited in one.citations) for one in given)
    return [
        Figure("answers", len(given)),
        Figure("leaning words after an ellipsis", leaning, "", 0),
        Figure("sub-paragraph named and absent", absent, "", MOST_ABSENT),
        Figure("pointer only", pointers, "", 0),
    ]


def absent_parts(answer: Answer) -> list[str]:
    """Return the sub-paragraphs that quoted words name and that are not quoted."""
    shown = " ".join(one.quote for one in answer.citations)
    numbers = " ".join(one.passage.passage_id for one in answer.citations)
    return [
        part
        for cited in answer.citations
        for part in named_parts(cited.quote)
        if not re.search(rf"(?:^|\s){re.escape(part)}\s", shown) and part not in numbers
    ]


if __name__ == "__main__":
    start(main)

"""Fetch the sub-paragraphs that quoted words name, such as `Subject to (2), …`, from their rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from generation.library import Library
from search.provisions import vocabulary
from search.records import Passage

MOST_WORDS = 110
"""Words up to which a sub-paragraph is quoted beside the one that names it."""

MOST_STEPS = 2
"""Sub-paragraphs that lead from quoted words to one that is fetched, itself included."""

_LAST = re.compile(r"(?:\(\w{1,4}\)|Guidance(?:\.\d+)?\.?)$")
"""What a passage is of its rule: `(1)` of `5.13.5.1.(1)`, `Guidance.2` of `4.7.1.Guidance.2`."""

_UNIT = vocabulary.pattern(["paragraph", "subparagraph", "subsection"], "en", short=False)
NAMED = re.compile(
    rf"(?<![A-Za-z]\d)(?<!\d\(\w\) )\b(?:{_UNIT}|[Ss]ubject to|purposes? of|with|"
    r"under|in|to|and|or|of) (?P<part>\(\w{1,4}\))(?!\(| of (?!this))"
)
"""A sub-paragraph of the same rule, named without the rule's number."""


def named_parts(text: str) -> Iterator[str]:
    """Yield the sub-paragraphs of its own rule that a text names: `(2)`."""
    for found in NAMED.finditer(text):
        yield found["part"]


def siblings_named(quoted: Iterable[tuple[Passage, str]], library: Library) -> list[Passage]:
    """Return the sub-paragraphs that quoted words name and that are not quoted themselves.

    What these name in their turn is among them, for else they would be as incomplete.
    """
    latest = list(quoted)
    shown = {passage.id for passage, _ in latest}
    found: list[Passage] = []
    for _ in range(MOST_STEPS):
        beside = [one for one in _named_by(latest, library) if one.id not in shown]
        found += beside
        shown.update(one.id for one in beside)
        latest = [(one, one.text) for one in beside]
    return found


def _named_by(pairs: Iterable[tuple[Passage, str]], library: Library) -> list[Passage]:
    wanted = {
        (passage.document_id, number[: last.start()] + part)
        for passage, words in pairs
        for number in [passage.passage_id.strip()]
        if (last := _LAST.search(number))
        for part in named_parts(words)
    }
    return [
        passage
        for document in sorted({document for document, _ in wanted})
        for passage in library.passages(document)
        if (document, passage.passage_id.strip()) in wanted
        and len(passage.text.split()) <= MOST_WORDS
    ]

"""Holds a quotation against every passage that it is put to: one that has it is not enough."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from generation.text.citation_styles import MARKER, cited_numbers
from generation.verification import Finding
from generation.verify.compare.languages import GRAMMAR
from generation.verify.compare.quotes import Quoted, missing_runs, quotations
from generation.verify.compare.sources import Source, window_of
from generation.verify.compare.words import folded
from search.text.analyzer import term_set

_BEHIND = re.compile(rf"[ \t]*[.,;]?[ \t]*((?:{MARKER.pattern}[ \t]*)+)")


def misattributed(text: str, sources: Mapping[int, Source]) -> Iterator[Finding]:
    """Yield a doubt for each passage that a quotation cites and whose words it does not have.

    Only the numbers directly behind a quotation are its own: one at the end of a sentence may
    stand for the rest of it. What no passage has is not told here.

    Args:
        text: the statement with its citations.
        sources: number of a citation → the passage.
    """
    for quoted in quotations(text):
        behind = _BEHIND.match(text, quoted.end)
        numbers = cited_numbers(behind[1]) if behind else []
        cited = [sources[number] for number in numbers if number in sources]
        lacking = [source for source in cited if missing_runs(quoted, [source.folded])]
        for source in lacking if len(lacking) < len(cited) else ():
            if not _has_content(quoted, source):
                message = (
                    f"The quoted words are not in [{source.number}], which the statement "
                    "cites for them."
                )
                yield Finding("quote", message)


def _has_content(quoted: Quoted, source: Source) -> bool:
    terms = term_set(folded(quoted.text)) - GRAMMAR
    return window_of(terms, source).share >= 1 if terms else True

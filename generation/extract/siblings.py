"""Fetch the sub-paragraphs that quoted words name, such as `Subject to (2), …`, from their rule.

Of an exception, they fetch what it excepts from; of words that only say to whom their rule applies,
what it then says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from generation.extract.asked import AskedKind
from generation.extract.passages import rule_of
from generation.extract.pointers import values_asked
from generation.library import Library
from generation.text.statements.clauses import announces
from generation.text.statements.exceptions import takes_back
from generation.text.statements.markers import find_marker
from generation.text.values import values_in
from search.language import vocabulary
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

_OF_RULE = "|".join(
    vocabulary.pattern(vocabulary.units_of("rule", "inner"), code, short=False)
    for code in ("en", "de", "fr")
)
_EXCEPTED = re.compile(
    rf"\b(?:{_OF_RULE})\s+(?:(?P<number>\d+(?:\.\d+)+)|\(?(?P<label>\d{{1,3}})\)?)(?![\w(])",
    re.IGNORECASE,
)
"""What an exception names as that from which it excepts: `Absatz 1`, `paragraphe 2.1`."""
_SCOPE = re.compile(
    rf"(?:this|dies\w*|le présent|la présente) (?:{_OF_RULE}) (?:(?:only|also) )?"
    r"(?:applies|gilt|s['’]applique)\b(?! in addition)",
    re.IGNORECASE,
)
"""Opens words that only say to whom or when their rule applies."""
MOST_GOVERNED = 2
"""Sub-paragraphs behind such words that are fetched."""
_OWN = re.compile(r"(?P<rule>.*?)(?P<label>\d+)(?P<end>\)?\.?)")
"""The number of a passage: that of its rule, its own, and what closes it."""


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


def first_part(passage: Passage, library: Library, most_words: int) -> list[Passage]:
    """Return the first sub-paragraph of the rule of a passage, where that is another one.

    It has the duty that the later ones work out. What only announces a list is left out.

    Args:
        passage: of the rule.
        library: has its document.
        most_words: words up to which it is returned.
    """
    rule = rule_of(passage)
    if rule == passage.passage_id.strip():
        return []
    parts = (one for one in library.passages(passage.document_id) if rule_of(one) == rule)
    first = next((one for one in parts if one.passage_id.strip() != rule), passage)
    is_whole = not announces(first.text.rstrip()) and len(first.text.split()) <= most_words
    return [first] if first.id != passage.id and is_whole else []


def next_that_states(
    kinds: Iterable[AskedKind], passage: Passage, library: Library
) -> list[Passage]:
    """Return what follows a passage under its heading and states a time or amount asked for.

    Args:
        kinds: asked for, and in no passage quoted.
        passage: that is quoted.
        library: has its document.
    """
    wanted = values_asked(kinds) & {"time", "date", "money"}
    if not wanted:
        return []  # the document need not be read
    beside = (
        one
        for one in library.passages(passage.document_id)
        if one.order == passage.order + 1 and one.breadcrumb == passage.breadcrumb
    )
    return [
        one
        for one in beside
        if wanted & values_in(one.text) and len(one.text.split()) <= MOST_WORDS
    ]


def _named_by(pairs: Iterable[tuple[Passage, str]], library: Library) -> list[Passage]:
    wanted = {
        (passage.document_id, number)
        for passage, words in pairs
        for number in (*_named_in(passage, words), *_beside(passage, words))
    }
    return [
        passage
        for document in sorted({document for document, _ in wanted})
        for passage in library.passages(document)
        if (document, passage.passage_id.strip()) in wanted
        and len(passage.text.split()) <= MOST_WORDS
    ]


def _named_in(passage: Passage, words: str) -> Iterator[str]:
    """Yield the numbers of the sub-paragraphs that quoted words name."""
    number = passage.passage_id.strip()
    if last := _LAST.search(number):
        yield from (number[: last.start()] + part for part in named_parts(words))


def _beside(passage: Passage, words: str) -> list[str]:
    """Return the numbers of what quoted words say nothing without.

    Of an exception, this is what it names or, where it names nothing, the number before; of words
    on whom a rule applies to, the numbers behind.
    """
    marker = find_marker(words)
    text = words[marker.end :] if marker else words
    own = _OWN.fullmatch(passage.passage_id.strip())
    if own is None:
        return []
    rule, label, end = own["rule"], int(own["label"]), own["end"] or ""
    if _SCOPE.match(text) and rule.endswith("("):
        return [f"{rule}{label + step}{end}" for step in range(1, MOST_GOVERNED + 1)]
    if not takes_back(text):
        return []
    named = _EXCEPTED.search(text)
    if named and named["number"]:
        return [f"{named['number']}{end}"]
    return [f"{rule}{named['label'] if named else label - 1}{end}"]

"""Pairs that a rulebook holds by itself: headings, parents, definitions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from rirag.inputs.gold import Resolve
from rirag.inputs.questions import Question
from rirag_workbench.training.data.examples import passages_of
from rirag_workbench.training.data.keywords import Rarity, keyword_versions
from rirag_workbench.training.data.pairs import Pair, PassageReference
from search.language import vocabulary
from search.records import Passage
from search.text.analyzer import FUNCTION_WORDS

LEAST_WORDS = 8
"""Shorter passages say too little to be an answer: `[Deleted]`, `Outsourcing`."""
LEAST_QUERY_WORDS = 2
MOST_QUERY_WORDS = 60
"""Longer texts are cut when they stand in for a question: real questions rarely have more."""

MOST_TERM_WORDS = 8

_DEFINED = re.compile(
    r"(?:\W{0,4}\w{1,5}[.)]\s*)?(?P<quote>[‘'“\"]?)(?P<term>\w[\w\s,()/-]{2,80}?)[’'”\"]?"
    r"\s+means\b(?!\s+of\b)"
)


def heading_pairs(passages: Iterable[Passage]) -> Iterator[Pair]:
    """Yield a pair for each heading: its words and those above it, and the passages below.

    The query is the innermost heading; a single word is given the heading above it too.
    """
    below: dict[tuple[str, tuple[str, ...]], list[Passage]] = defaultdict(list)
    for passage in passages:
        if passage.breadcrumb and passage.kind != "heading" and _speaks(passage.text):
            below[passage.document_id, passage.breadcrumb].append(passage)
    for (_, breadcrumb), found in below.items():
        query = _heading_query(breadcrumb)
        if len(query.split()) >= LEAST_QUERY_WORDS:
            yield Pair(query, _references(found), source="headings")


def parent_pairs(passages: Sequence[Passage]) -> Iterator[Pair]:
    """Yield a pair for each passage that others are below: its words, and theirs."""
    children: dict[str, list[Passage]] = defaultdict(list)
    for passage in passages:
        if passage.parent is not None and _speaks(passage.text):
            children[passage.parent].append(passage)
    for parent in passages:
        if parent.id in children and _speaks(parent.text):
            yield Pair(_cut(parent.text), _references(children[parent.id]), source="parents")


def definition_pairs(passages: Iterable[Passage]) -> Iterator[Pair]:
    """Yield a pair for each passage that defines a term: the term, and the definition."""
    for term, passage in defined_terms(passages):
        yield Pair(f"definition of {term}", _references([passage]), source="definitions")


def defined_terms(passages: Iterable[Passage]) -> Iterator[tuple[str, Passage]]:
    """Yield each term that a passage defines, with this passage."""
    for passage in passages:
        defined = _DEFINED.match(passage.text.strip())
        if defined and _speaks(passage.text) and _is_term(defined["term"], defined["quote"]):
            yield " ".join(defined["term"].split()), passage


def keyword_pairs(questions: Sequence[Question], resolve: Resolve) -> Iterator[Pair]:
    """Yield the keyword versions of questions, with the questions' passages, IDs and words.

    Args:
        resolve: finds the passages that the file names; a question has those found, maybe none.
    """
    rarity = Rarity.of([question.text for question in questions])
    for question in questions:
        positives = passages_of(question, resolve)
        for version in keyword_versions(question.question_id, question.text, rarity):
            if version.words >= LEAST_QUERY_WORDS:
                yield Pair(version.text, positives, (), question.question_id, "keywords",
                           made_from=question.text)  # fmt: skip


def _heading_query(breadcrumb: tuple[str, ...]) -> str:
    words: list[str] = []
    for heading in reversed(breadcrumb):
        words = [*_without_number(heading).split(), *words]
        if len(words) >= LEAST_QUERY_WORDS:
            break
    return " ".join(words)


def _without_number(heading: str) -> str:
    """Return a heading's words: what comes before its first word of four letters is a number."""
    number, _, text = heading.partition(" ")
    if vocabulary.unit_of(number):
        _, _, text = text.partition(" ")
    return text


def _is_term(text: str, quote: str) -> bool:
    """Distinguish a defined term from a sentence with "means": it is quoted or capitalised."""
    words = text.split()
    content = [word for word in words if word.lower() not in FUNCTION_WORDS]
    capitalised = words[0] in content and all(word[0].isupper() for word in content)
    return len(words) <= MOST_TERM_WORDS and (bool(quote) or capitalised)


def _references(passages: Iterable[Passage]) -> tuple[PassageReference, ...]:
    return tuple(PassageReference(passage.id, passage.text) for passage in passages)


def _speaks(text: str) -> bool:
    return len(text.split()) >= LEAST_WORDS


def _cut(text: str) -> str:
    return " ".join(text.split()[:MOST_QUERY_WORDS])

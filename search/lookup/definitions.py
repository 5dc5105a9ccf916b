"""Find the definitions that a question asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from search.candidates import Candidate
from search.engines.protocol import Engine, RetrievalRequest
from search.language import vocabulary
from search.lookup.pins import NAMED, Named
from search.lookup.question import Question
from search.provisions.links.keys import DEFINES
from search.provisions.terms.definitions import Definition, definitions_in, is_glossary, term_key
from search.text.analyzer import tokens

MOST_READ = 1000
"""Defining passages that are read, those first that share most with the term: two megabytes of
regulation, and all that there are in 40 rulebooks (203)."""

MOST_DOCUMENTS = 10
"""How many documents are shown that define one term, as many as hits by default."""


_GIVEN_ELSEWHERE = re.compile(
    rf"\bha\w+ the (?:same )?meanings? {vocabulary.any_of('definitions.elsewhere', 'en')}\b", re.I
)
_WHO = re.compile(r"\W*(?:who|wer|qui)\b", re.I)
"""Asks for a person, whom a definition may describe, but not one that only points elsewhere."""


class Defining(NamedTuple):
    """A passage that defines the term asked for."""

    candidate: Candidate
    definition: Definition
    alone: bool
    """Whether the passage defines nothing else."""

    def named(self) -> Named:
        """Return it as what the question names, with all that it says of the term."""
        passage, said = self.definition.passage, self.definition.text
        if self.alone and passage.text.strip().startswith(said):
            said = passage.text.strip()
        return Named(self.candidate, passage, NAMED, said)


def look_up_term(engine: Engine, question: Question) -> list[Defining]:
    """Return where the term is defined whose meaning a question asks for; empty: nowhere.

    Each document counts once. Where the question names documents, these come first, and others only
    if those do not define the term, or say that its meaning is given elsewhere. Then glossaries
    come first, the rest in the order of the index.
    """
    asked = tokens(" ".join(question.meaning.terms))
    if not asked:
        return []
    filters = question.filters.having(number=(DEFINES,))
    found = engine.run(RetrievalRequest(tuple(asked), depth=MOST_READ, filters=filters)).lexical
    readings = {term_key(term): term for term in question.meaning.terms}
    defining: dict[str, list[Defining]] = {}
    passages = engine.passages(found.keys.tolist()) if len(found) else []
    for candidate, passage in zip(found, passages, strict=True):
        text = passage.text.lower()  # to read it all takes longer
        if not any(term.split()[0].lower()[:-1] in text for term in readings.values()):
            continue
        definitions = definitions_in(passage)
        for definition in definitions:
            one = Defining(candidate, definition, len(definitions) == 1)
            defining.setdefault(term_key(definition.term), []).append(one)
    best = next((defining[key] for key in readings if key in defining), [])
    if _WHO.match(question.text) and all(map(_is_given_elsewhere, best)):
        return []
    return list(islice(_in_order(engine, best, question.meaning.document_ids), MOST_DOCUMENTS))


def _in_order(
    engine: Engine, defining: Sequence[Defining], named: Sequence[str]
) -> Iterator[Defining]:
    glossaries = {one.document_id for one in engine.documents() if is_glossary(one)}
    wanted = [one for one in defining if one.candidate.document_id in named]
    if all(map(_is_given_elsewhere, wanted)):
        wanted = list(defining)
    wanted.sort(
        key=lambda one: (
            one.candidate.document_id not in named,
            one.candidate.document_id not in glossaries,
            one.candidate.key,
        )
    )
    seen: set[str] = set()
    for one in wanted:
        if one.candidate.document_id not in seen:
            seen.add(one.candidate.document_id)
            yield one


def _is_given_elsewhere(one: Defining) -> bool:
    return _GIVEN_ELSEWHERE.search(one.definition.opening) is not None

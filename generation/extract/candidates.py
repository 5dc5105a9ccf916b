"""Everything in the passages that might be quoted, weighed against the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from generation.extract.questions import Bearing, worth
from generation.extract.repeats import essence
from generation.text.obligations import DUTIES, StatementKind, kind_of
from generation.text.statements.clauses import Statement, fold, statements_of
from generation.text.statements.tables import Piece
from search.records import Hit
from search.text.analyzer import tokens

BASE_VALUE = 0.25
"""What a statement is worth before it shares a word with the question: passages that the search
ranked high often answer in other words."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A statement of a passage, with what speaks for quoting it."""

    hit: int
    """Index of its hit."""
    place: int
    """Index of the statement within its passage."""
    statement: Statement
    kind: StatementKind
    terms: frozenset[str]
    value: float
    is_named: bool = False
    """Whether the question names its rule by number, or the term that it defines."""
    twins: tuple[Candidate, ...] = ()
    """What other hits have that says the same."""

    @property
    def is_duty(self) -> bool:
        """Whether it obliges, forbids or expects."""
        return self.kind in DUTIES

    @property
    def is_wanted(self) -> bool:
        """Whether an answer without it is incomplete."""
        return self.is_duty or self.is_named


def candidates_of(question: str, hits: Sequence[Hit]) -> list[Candidate]:
    """Return what may be quoted, in the order of hits and text, repetitions merged."""
    read = [
        (index, place, statement, frozenset(tokens(statement.text)))
        for index, hit in enumerate(hits)
        for place, statement in _quotable(hit.bearing)
    ]
    bearing = Bearing(question, [terms for *_, terms in read])
    found = []
    for index, place, statement, terms in read:
        hit = hits[index]
        kind = "definition" if hit.definition else kind_of(statement.text)
        value = worth(kind, question) * (BASE_VALUE + bearing.of(terms))
        named = hit.scores.number is not None or bool(hit.definition)
        found.append(Candidate(index, place, statement, kind, terms, value, named))
    return _merged(found)


def _quotable(text: str) -> list[tuple[int, Statement]]:
    """Return place and statement of all but titles; of titles where there is nothing else."""
    statements = statements_of(text) or (Statement((Piece(fold(text), "lead"),)),)
    numbered = list(enumerate(statements))
    return [(place, s) for place, s in numbered if not s.heading] or numbered


def _merged(found: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates without repetitions; the first of several knows the hits of others."""
    kept: dict[tuple[str, ...], Candidate] = {}
    for candidate in found:
        said = essence(candidate.statement.text)
        earlier = kept.setdefault(said, candidate)
        if candidate.hit not in (earlier.hit, *(twin.hit for twin in earlier.twins)):
            kept[said] = replace(earlier, twins=(*earlier.twins, candidate))
    return list(kept.values())

"""What a question asks for by name, which comes before all candidates: rules, and definitions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from search.engines.protocol import Engine
from search.lookup.definitions import Defining, look_up_term
from search.lookup.pins import BESIDE_NAMED, Named
from search.lookup.question import Question
from search.lookup.rules import look_up
from search.provisions.documents.names import DocumentNames
from search.trace import DefinedTerm, NamedRule

IN_PASSING = (
    "the question names rules only in passing, and they are not among the hits; "
    "search for their numbers alone to read them"
)


class AskedFor(NamedTuple):
    """The passages to show first, and what the plan tells of them."""

    passages: tuple[Named, ...] = ()
    rules: tuple[NamedRule, ...] = ()
    """The rules that it names, with what was found."""
    term: DefinedTerm | None = None
    """The term whose meaning it asks for, if the index defines it."""
    unfound: tuple[str, ...] = ()
    """Why none of the rules exists that it asks for; empty: one does, or it asks for none."""
    beside: float = 1.0
    """Factor on the scores of all others."""
    notes: tuple[str, ...] = ()
    in_passing: frozenset[str] = frozenset()
    """`ID`s of the rules that it names without asking for them."""


NOTHING_ASKED_FOR = AskedFor()


def asked_for(engine: Engine, question: Question, names: DocumentNames) -> AskedFor:
    """Return the rules that a question names, and the definitions that it asks for behind them."""
    rules = _rules(engine, question, names) if question.numbers else NOTHING_ASKED_FOR
    defining = look_up_term(engine, question) if question.meaning.terms else []
    return _with_definitions(rules, defining) if defining else rules


def _rules(engine: Engine, question: Question, names: DocumentNames) -> AskedFor:
    found = look_up(engine, question, names)
    in_passing = found.naming == "in passing"
    series = [one.text for one in question.numbers if one.is_of_series]
    absent = [f"{one.text}: no document of the index is named {one.document}" for one in found.rules
              if one.finding == "no-such-document" and one.text in series]  # fmt: skip
    return AskedFor(
        passages=tuple(found.passages),
        rules=tuple(found.rules),
        unfound=found.unfound,
        beside=BESIDE_NAMED if found.naming == "asked for" or found.unfound else 1.0,
        notes=tuple(absent) if in_passing else (*absent, *found.missing),
        in_passing=frozenset(key for one in found.rules for key in one.ids if in_passing),
    )


def _with_definitions(rules: AskedFor, defining: Sequence[Defining]) -> AskedFor:
    """Return both; all other candidates fall below the answer's floor."""
    citations = tuple(one.definition.passage.citation() for one in defining)
    return rules._replace(
        passages=(*rules.passages, *(one.named() for one in defining)),
        term=DefinedTerm(defining[0].definition.term, citations),
        beside=BESIDE_NAMED,
    )


def more_named(count: int, shown: int) -> list[str]:
    """Return what to know where more passages are asked for by name than are shown."""
    if count <= shown:
        return []
    most = "one" if shown == 1 else str(shown)
    return [f"more passages match what the question names than the {most} shown"]

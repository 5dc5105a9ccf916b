"""What a question asks for by name comes before all candidates: rules, and definitions."""

from __future__ import annotations

from dataclasses import replace

from search.lookup.definitions import look_up_term
from search.lookup.pins import BESIDE_NAMED
from search.lookup.rules import look_up
from search.ranking.steps.protocol import Search
from search.trace import DefinedTerm


def run(search: Search) -> Search:
    """Return the search with the rules that are named, and the definitions asked for behind."""
    with search.timed("named"):
        return _definitions(_rules(search))


def _rules(search: Search) -> Search:
    opened, question = search.opened, search.question
    if not question.numbers:
        return search
    found = look_up(opened.engine, question, opened.names)
    in_passing = found.naming == "in passing"
    series = [one.text for one in question.numbers if one.is_of_series]
    absent = [f"{one.text}: no document of the index is named {one.document}" for one in found.rules
              if one.finding == "no-such-document" and one.text in series]  # fmt: skip
    first = replace(
        search,
        named=tuple(found.passages),
        beside=BESIDE_NAMED if found.naming == "asked for" or found.unfound else 1.0,
        in_passing=frozenset(key for one in found.rules for key in one.ids if in_passing),
    )
    missing = () if in_passing else found.missing
    return first.noted(*absent, *missing, numbers=tuple(found.rules), unfound=found.unfound)


def _definitions(search: Search) -> Search:
    """Return the search with definitions; all other candidates fall below the answer's floor."""
    asked = search.question.meaning.terms
    defining = look_up_term(search.opened.engine, search.question) if asked else ()
    if not defining:
        return search
    citations = tuple(one.definition.passage.citation() for one in defining)
    named = (*search.named, *(one.named() for one in defining))
    term = DefinedTerm(defining[0].definition.term, citations)
    return replace(search, named=named, beside=BESIDE_NAMED).noted(term=term)

"""Find the passages that a question names by number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from search.engines.protocol import Engine
from search.lookup.below import below_named, topics_of
from search.lookup.find import Found, find, holding
from search.lookup.pins import NAMED, Named
from search.lookup.question import Question
from search.provisions.documents.names import DocumentNames
from search.provisions.grammar.questions import RuleNumber
from search.provisions.grammar.words import tidy
from search.records import Filters
from search.text.analyzer import FUNCTION_WORDS, words
from search.text.spans import without
from search.trace import NamedRule, RuleFinding

Naming = Literal["asked for", "beside a question", "in passing"]
"""What a question wants of the rules that it names.

*Asked for*: they come first, with what is below them, and all others after. *Beside a
question*: they come first, and the rest keeps its scores. *In passing*: nothing changes."""

ASKED_FOR_WORDS = 6
"""Content words that a question may have beside its rule numbers and still ask for the rules.

In the questions of `benchmarks/questions/rule_numbers.jsonl` there are at most 5. The development
questions that name a rule have 6 and more, and of their 611 rule numbers 3 are the answer."""

BESIDE_WORDS = 10
"""The same for rules beside a question, each with its document: few write `COBS 3.4.2(b)` idly."""

AROUND_MISSING = 0.65
"""Score of what is around a number that does not exist: under the answer's floor."""


class LookedUp(NamedTuple):
    """What a question names by number; rules that it names in passing have no passages."""

    naming: Naming
    passages: list[Named]
    """In the order to show them: all that is named, then what is below it (`below_named`)."""
    rules: list[NamedRule]
    """What was looked for; of what lies between the ends of a range, what there is."""
    missing: list[str]
    """What documents should have, and do not: `3.5.9: no passage of COND has this number`."""

    @property
    def unfound(self) -> tuple[str, ...]:
        """Why none of the rules exists that the question asks for; empty: one does, or the
        question names rules only in passing.

        A law that the index does not hold is named in passing wherever the question asks for more
        than its rules.
        """
        if self.naming == "in passing" or any(rule.found for rule in self.rules):
            return ()
        absent = [one for one in self.rules if one.finding == "no-such-document"]
        laws = dict.fromkeys(one.document for one in absent if self.naming == "asked for")
        return (*(f"no document of the index is named {law}" for law in laws), *self.missing)


def look_up(engine: Engine, question: Question, names: DocumentNames) -> LookedUp:
    """Return the passages that a question names by number."""
    others = _other_words(question, names)
    naming = naming_of(question, others)
    named: dict[object, Named] = {}
    rules, missing = [], []
    for number in question.numbers:
        key, passages, past = _find(engine, number, question.filters)
        found = [Named(one, passage, NAMED) for one, passage in passages]
        if number.unknown_document and not (found := _in_series(number, found)):
            document = number.unknown_document
            rules.append(NamedRule(number.text, (), finding="no-such-document", document=document))
            continue
        if not found and number.between:
            continue
        held = {one.id for one in holding(number.keys, key, [one.passage for one in found])}
        holds = [one for one in found if one.passage.id in held]
        if not holds:
            told = _told_missing(engine, number, question.filters, found)
            missing.append(f"{number.text}: {past}" if past else told)
            found = [replace(one, score=AROUND_MISSING) for one in found]
        rules.append(_named_rule(number, key, holds or found, bool(holds)))
        for one in holds or found:
            named.setdefault(one.candidate.key, one)
    if naming == "in passing":
        return LookedUp(naming, [], rules, [])
    if naming == "asked for":
        topics = topics_of(others)
        rules_found = [one for one in named.values() if one.score == NAMED]
        for one in below_named(engine, rules_found, topics, question.filters):
            named.setdefault(one.candidate.key, one)
    return LookedUp(naming, list(named.values()), rules, missing)


def _in_series(number: RuleNumber, found: Sequence[Named]) -> list[Named]:
    """Return the passages that are of the series that a number is of: `17 CFR 240.10b-5`.

    No part of a series has its name, but the sections of that part are written with its number.
    """
    if not number.is_of_series:
        return []
    section = f"§ {number.text.partition('(')[0].lstrip('§ ')}"
    return [one for one in found if section in one.passage.passage_id]


def _named_rule(number: RuleNumber, key: str, found: Sequence[Named], holds: bool) -> NamedRule:
    citations = tuple(dict.fromkeys(one.passage.citation() for one in found))
    ids = tuple(one.passage.id for one in found)
    if not holds:
        return NamedRule(number.text, (), ids, "no-such-number", around=citations)
    # The key of 92/1 names what is around 92/1/a.
    inside = bool(key) and any(one.startswith(f"{key}/") for one in number.keys)
    finding: RuleFinding = "inside" if inside else "found"
    return NamedRule(number.text, citations, ids, finding)


def _told_missing(
    engine: Engine, number: RuleNumber, filters: Filters, around: Sequence[Named]
) -> str:
    of_what = "of the index"
    if filters.fields:
        of_what = "that matches the filters"
    elif number.certain and number.document_ids:
        cited = _titles(engine)
        found = [cited[one] for one in number.document_ids if one in cited]
        of_what = "of " + " or ".join(found)
    told = f"{number.text}: no passage {of_what} has this number"
    if around:
        told += f"; the nearest is {around[0].passage.citation()}"
    return told


def _titles(engine: Engine) -> dict[str, str]:
    """Return the title of each document, with its DocumentID where another has it too."""
    documents = engine.documents()
    count = Counter(one.title for one in documents)
    return {
        one.document_id: f"{one.title} ({one.document_id})" if count[one.title] > 1 else one.title
        for one in documents
    }


def _other_words(question: Question, names: DocumentNames) -> list[str]:
    """Return the content words beside rule numbers and document names.

    These are the names that are anywhere, and those that are known by a number beside them.
    """
    rest = tidy(question.text)
    places = {(mention.start, mention.end) for mention in names.mentions(rest)}
    places |= {one.document_place for one in question.numbers if one.document_place}
    rest = without(rest, places)
    for number in question.numbers:
        rest = rest.replace(number.text, " ")
    return [word for word in words(rest) if word not in FUNCTION_WORDS]


def naming_of(question: Question, others: Sequence[str]) -> Naming:
    """Judge by the number of content words beside rule numbers and document names."""
    if len(others) <= ASKED_FOR_WORDS:
        return "asked for"
    certain = all(number.certain for number in question.numbers)
    return "beside a question" if certain and len(others) <= BESIDE_WORDS else "in passing"


def _find(engine: Engine, number: RuleNumber, filters: Filters) -> Found:
    """Find a rule in its documents; one that may be in any other, in all as well."""
    scopes: list[tuple[str, ...]] = [number.document_ids] if number.document_ids else []
    if not number.certain or number.is_of_series:
        scopes.append(())
    found = Found()
    for scope in scopes:
        found = find(engine, number.keys, scope, filters, number.text, number.divisions)
        if found.key:
            break
    return found

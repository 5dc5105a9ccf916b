"""Find the passages that a question names by number."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from search.engines.protocol import Engine
from search.law_in_time import left_out
from search.lookup.below import below_named, topics_of
from search.lookup.pins import NAMED, Named
from search.lookup.question import Question
from search.provisions.documents.names import DocumentNames
from search.provisions.grammar.keys import first_part_keys, lettered_keys
from search.provisions.grammar.questions import RuleNumber
from search.provisions.grammar.words import tidy
from search.provisions.numbering import DIVISIONS, lookup_keys, segments
from search.records import Filters, Passage
from search.text.analyzer import words
from search.text.stop_words import FUNCTION_WORDS
from search.trace import NamedRule, RuleFinding

_DIVISION = re.compile(rf"({'|'.join(sorted(DIVISIONS))}) (\d+[a-z]{{0,2}}|[ivxlc]+|[a-z])")
HEADING_WORDS = 2
"""A heading begins with a division's name: `PART 2 Banks`."""


def is_in_another(passage: Passage, divisions: Iterable[str]) -> bool:
    """Return whether a passage is in Part 1, where Part 2 is asked for.

    Numbers of another form say nothing: Part II may be Part 2.

    Args:
        passage: its number and its headings are looked at.
        divisions: as `search.provisions.numbering.segments` writes them, such as `part 2`.
    """
    own = list(_divisions_of(passage))
    for named in divisions:
        word, number = _parted(named)
        alike = [one for kind, one in own if kind == word and one.isdecimal() == number.isdecimal()]
        if alike and number not in alike:
            return True
    return False


def _divisions_of(passage: Passage) -> Iterator[tuple[str, str]]:
    headings = (" ".join(heading.split()[:HEADING_WORDS]) for heading in passage.breadcrumb)
    for text in (passage.passage_id, *headings):
        for segment in segments(text):
            if _DIVISION.fullmatch(segment):
                yield _parted(segment)


def _parted(segment: str) -> tuple[str, str]:
    word, _, number = segment.partition(" ")
    return word, number


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

MAX_DOCUMENTS = 20
"""How many documents are offered for a number that several of them have."""


_JOINT = re.compile(r"(?<=\w)(?:\.(?=\w)|\.?\()")
_MARK = re.compile(r"\d{1,3}[a-z]{0,2}|[a-z]{1,5}")


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
        key, found, past = _find(engine, number, question.filters)
        if number.unknown_document and not (found := _in_series(number, found)):
            document = number.unknown_document
            rules.append(NamedRule(number.text, (), finding="no-such-document", document=document))
            continue
        if not found and number.between:
            continue
        holding = found if number.keys[0] == key else _holding(number, key, found)
        if not holding:
            told = _told_missing(engine, number, question.filters, found)
            missing.append(f"{number.text}: {past}" if past else told)
            found = [replace(one, score=AROUND_MISSING) for one in found]
        rules.append(_named_rule(number, key, holding or found, bool(holding)))
        for one in holding or found:
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
    finding: RuleFinding = "inside" if _encloses(key, number) else "found"
    return NamedRule(number.text, citations, ids, finding)


def _holding(number: RuleNumber, key: str, found: Sequence[Named]) -> list[Named]:
    """Return the passages whose text has a number that no passage has for itself.

    3.4.2 may hold (b) in its text; where it holds no such mark, there is no 3.4.2(b).
    """
    asked = next((one for one in number.keys if one.startswith(f"{key}/")), key)
    marks = [part for part in asked[len(key) + 1 :].split("/") if part]
    if not marks or not all(_MARK.fullmatch(mark) for mark in marks):
        return list(found)
    return [one for one in found if _has_marks(one.passage.text, marks)]


def _has_marks(text: str, marks: Sequence[str]) -> bool:
    """Return whether a text has these list marks in order: (a), a), a. or a heading's `1`."""
    place = 0
    for mark in marks:
        found = re.compile(rf"(?<![\w.])\(?{re.escape(mark)}[).]", re.IGNORECASE).search(
            text, place
        )
        if found is None:
            return False
        place = found.end()
    return True


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
    for start, end in sorted(places, reverse=True):
        rest = f"{rest[:start]} {rest[end:]}"
    for number in question.numbers:
        rest = rest.replace(number.text, " ")
    return [word for word in words(rest) if word not in FUNCTION_WORDS]


def naming_of(question: Question, others: Sequence[str]) -> Naming:
    """Judge by the number of content words beside rule numbers and document names."""
    if len(others) <= ASKED_FOR_WORDS:
        return "asked for"
    certain = all(number.certain for number in question.numbers)
    return "beside a question" if certain and len(others) <= BESIDE_WORDS else "in passing"


def _find(engine: Engine, number: RuleNumber, filters: Filters) -> tuple[str, list[Named], str]:
    """Return the first lookup key that a passage has, its passages, and why none of them counts."""
    scopes: list[tuple[str, ...]] = [number.document_ids] if number.document_ids else []
    if not number.certain or number.is_of_series:
        scopes.append(())
    for scope in scopes:
        keys = number.keys
        for key in (*keys, *first_part_keys(keys), *lettered_keys(keys)):
            found = _matches(engine, key, scope, number, filters)
            if found:
                return key, found, ""
            if not filters.excluded:
                continue
            if hidden := _matches(engine, key, scope, number, Filters(filters.fields)):
                return key, [], left_out(hidden[0].passage)
    return "", [], ""


def _encloses(key: str, number: RuleNumber) -> bool:
    """Return whether a key names what is around a rule: `92/1`, where 92(1)(a) was asked for."""
    return bool(key) and any(one.startswith(f"{key}/") for one in number.keys)


def _matches(
    engine: Engine,
    key: str,
    documents: Sequence[str],
    number: RuleNumber,
    filters: Filters,
) -> list[Named]:
    """Return the best passage of each document for a lookup key, with those of the same number:
    the parts of a long one, and rules that a document has twice.
    """
    fields = {**filters.fields, "number": (key,)}
    if documents:
        wanted = filters.fields.get("document_id")
        fields["document_id"] = tuple(d for d in documents if wanted is None or d in wanted)
        if not fields["document_id"]:
            return []
    found = [
        (candidate, passage)
        for candidate, passage in engine.find(Filters(fields, filters.excluded))
        if not is_in_another(passage, number.divisions)
    ]
    order = {name: place for place, name in enumerate(documents)}
    joints = _joints(number.text)
    found.sort(key=lambda pair: _place(pair[1], key, order, joints))
    best: dict[str, tuple[object, str]] = {}
    named = []
    for candidate, passage in found:
        this = (_place(passage, key, order, joints), passage.passage_id)
        if best.setdefault(passage.document_id, this) == this and len(best) <= MAX_DOCUMENTS:
            named.append(Named(candidate, passage, NAMED))
    return named


def _joints(number: str) -> str:
    """Return what joins the parts of a number: an act may have both 10.1 and 10(1)."""
    return "".join(one[-1] for one in _JOINT.findall(number))


def _place(
    passage: Passage, key: str, documents: dict[str, int], joints: str
) -> tuple[int, int, bool, bool]:
    """Return what decides between passages of one key; a bare number is first of all a chapter,
    and a number that is written as the question writes it comes before another.

    An index of an earlier version may hold a passage under a key that its number no longer has.
    """
    keys = lookup_keys(passage.passage_id)
    at = keys.index(key) if key in keys else len(keys)
    stray = key.isdecimal() and passage.kind != "heading"
    otherwise = not _joints(passage.passage_id).endswith(joints)
    return (at, documents.get(passage.document_id, len(documents)), stray, otherwise)

"""Find provisions of different documents that set another value, or the opposite, for one matter.

Two sentences are of one matter if they have the same content words in front of the value. A word
that only one of them has there narrows it to another person, event or class.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from generation.records import Conflict, Side
from generation.text.labels import citation_label, distinct_labels
from generation.text.statements.clauses import statements_of
from generation.text.statements.units import with_parents
from generation.text.values import REFERENCE
from generation.verify.checks.conditions import CONDITION
from generation.verify.checks.measures import TIMES, measures_of
from generation.verify.checks.parties import BOUND, ORGANISATIONS
from generation.verify.compare.forces import OPPOSITES, Force, forces_in
from generation.verify.compare.words import Word, folded, words_of
from search.records import Hit
from search.text.analyzer import term_set, tokens
from search.text.stop_words import FUNCTION_WORDS

MOST = 3
"""Conflicts of one answer."""

MOST_PIECES, LONGEST = 60, 60
"""Pieces of a passage that are compared, and words of one."""

FEWEST_SHARED, FEWEST_TO_OPPOSE = 2, 3
"""Content words that two sentences share at least to differ in a value, and in what they demand."""

LEAST_SHARE = 0.6
"""Part of the content words of the longer sentence that the other one has at least."""

_OPPOSED: tuple[set[Force], ...] = ({"duty", "ban"}, {"duty", "release"}, {"ban", "leave"})
_DAYS: Mapping[str, float] = {
    "second": 1 / 86400, "minute": 1 / 1440, "hour": 1 / 24, "day": 1, "business day": 7 / 5,
    "week": 7, "month": 365 / 12, "quarter": 365 / 4, "half-year": 365 / 2, "year": 365,
}  # fmt: skip
"""Unit of time → its length in days."""

SAME_TIME = 0.05
"""Part by which times in different units may differ and be the same: 30 days and a month."""

_GROUP = re.compile(r"\d{3}")
_EITHER_WAY = re.compile(r"\d \d{3}$|^\D*\d{1,3}\.\d{3}$")
"""Digits that may be the thousands of one number or numbers of their own."""
_TIMES = frozenset({"times", "mal"})


class _Value(NamedTuple):
    kind: str
    amount: str
    unit: str = ""

    def differs(self, other: _Value) -> bool:
        """Return whether another value of the same kind is not the same."""
        if self.unit == other.unit or not {self.unit, other.unit} <= _DAYS.keys():
            return self != other
        one, two = (float(value.amount) * _DAYS[value.unit] for value in (self, other))
        return abs(one - two) > SAME_TIME * max(one, two)


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence or list item, ready to be compared."""

    own: str
    """Without what introduces it, as the passage has it."""
    words: Sequence[Word]
    terms: Mapping[str, int]
    """Content words but values and organisations → the place of the first."""
    values: Mapping[_Value, Sequence[int]]
    """Value → the places of its words."""
    acts: frozenset[str]
    """Content words of what must be done."""
    actors: frozenset[str]
    """Those of who must do it; of a passive, none."""
    forces: Mapping[Force, str]
    """What it demands, forbids or allows → the words that carry it."""
    conditions: Sequence[str]

    def shown(self, words: Iterable[str]) -> str:
        """Return words that follow one another as the passage has them."""
        found = re.search(r"\W*(?:\(\w+\)\W*)?".join(map(re.escape, words)), self.own, re.I)
        return found[0].strip() if found else " ".join(words)

    def shown_value(self, value: _Value) -> str:
        """Return a value as the passage has it."""
        return self.shown([self.words[place].shown for place in self.values[value]])

    def shown_force(self) -> str:
        """Return a word of obligation with the two that follow it, as the passage has them."""
        force, text = next(iter(self.forces.values())), folded(self.own)
        return self.shown(text[text.find(force) :].split()[: len(force.split()) + 2])


def conflicts_in(kept: Sequence[Hit], others: Sequence[Hit], question: str) -> tuple[Conflict, ...]:
    """Return what passages of different documents set differently, of what a question is about.

    Args:
        kept: hits that an answer is made from; one side of each conflict is of these.
        others: hits behind them.
        question: as it was asked.
    """
    about, found = term_set(question) - term_set(" ".join(FUNCTION_WORDS)), list[Conflict]()
    said = [(hit, list(_read(hit, about))) for hit in ((*kept, *others) if kept else ())]
    for place, (hit, ours) in enumerate(said[: len(kept)]):
        for other, theirs in said[place + 1 :]:
            if hit.document_id == other.document_id or len(found) == MOST:
                continue
            pairs = ((one, two, _difference(one, two, about)) for one in ours for two in theirs)
            found += [
                (Side(hit, one.own, values[0]), Side(other, two.own, values[1]))
                for one, two, values in pairs if values
            ][:1]  # fmt: skip
    return tuple(found)


def sides_of(conflict: Conflict) -> list[str]:
    """Return provision and value of each side, as an answer shows them."""
    labels = distinct_labels(side.hit.passage for side in conflict)
    return [
        f"**{citation_label(side.hit.passage, labels[side.hit.document_id])}**: “{side.value}”"
        for side in conflict
    ]


def _bears(terms: Collection[str], about: frozenset[str]) -> bool:
    """Return whether some terms have half of what a question is about, or several of it."""
    held = len(about.intersection(terms))
    return 2 * held >= len(about) or held > FEWEST_TO_OPPOSE


def _read(hit: Hit, about: frozenset[str]) -> Iterator[_Said]:
    """Yield the sentences and list items of a passage that bear on what a question is about."""
    pieces = ((one, at) for one in statements_of(hit.text) if not one.heading
              for at in range(len(one.pieces)))  # fmt: skip
    for statement, at in islice(pieces, MOST_PIECES):
        own = statement.pieces[at].text
        text = " ".join(statement.pieces[i].text for i in sorted(with_parents(statement, at)))
        if len(text.split()) <= LONGEST and _bears(term_set(text), about):
            yield _said(own, text)


def _said(own: str, text: str) -> _Said:
    plain = folded(REFERENCE.sub(lambda one: one[0] if one[0].isalpha() else " ", text))
    words = [word for word in words_of(plain) if word.kind != "mark"]
    values, used, forces = dict[_Value, Sequence[int]](), set[int](), dict(forces_in(plain))
    for place in range(len(words)):
        if place not in used and (found := _value_at(words, place)):
            values[found[0]] = found[1]
            used.update(found[1])
    little = {*FUNCTION_WORDS, *" ".join(forces.values()).split()}
    terms: dict[str, int] = {}
    for place, word in enumerate(words):
        measures = measures_of(word.form)
        is_content = word.form not in little and not (measures["limit"] or measures["period"])
        if is_content and place not in used and word.kind == "word":
            terms |= {one: place for one in tokens(word.form) if one not in terms}
    bound = [found.groupdict("") for found in BOUND.finditer(plain)]
    active = (f"{one['kind']} {one['who']}" for one in bound if not one["act"].startswith("be "))
    return _Said(
        own, words, {term: terms[term] for term in terms.keys() - ORGANISATIONS}, values,
        term_set(" ".join(one["act"] for one in bound)), term_set(" ".join(active)), forces,
        sorted(CONDITION.findall(plain)),
    )  # fmt: skip


def _form(words: Sequence[Word], place: int) -> str:
    return words[place].form if 0 <= place < len(words) else ""


def _value_at(words: Sequence[Word], place: int) -> tuple[_Value, Sequence[int]] | None:
    """Return the value that begins at a place, and the places of its words.

    In front of a noun, `quarterly` says which one: `quarterly return`.
    """
    word = words[place]
    before, behind = _form(words, place - 1), _form(words, place + 1)
    if word.kind == "date":
        return _Value("date", word.form), [place]
    is_unsure = _EITHER_WAY.search(f"{before} {word.form}") or _GROUP.fullmatch(behind)
    is_number = word.kind == "number" and not is_unsure
    is_number = is_number and word.form.replace(".", "", 1).isdigit()
    if time := _time_at(words, place, behind, is_number):
        return time
    if not is_number:
        return None
    if behind == "per":
        return _Value("share", word.form), range(place, place + 3)
    for at in (place - 1, place + 1):
        if money := measures_of(_form(words, at))["currency"]:
            return _Value("money", word.form, min(money)), sorted((place, at))
    counted = "".join(tokens(behind)) if behind.isalpha() else ""
    return (_Value(counted, word.form), [place, place + 1]) if counted else None


def _time_at(
    words: Sequence[Word], place: int, behind: str, is_number: bool
) -> tuple[_Value, Sequence[int]] | None:
    """Return the period or frequency that begins at a place, and the places of its words."""
    word, here = words[place], measures_of(words[place].form)
    if often := {word.form} if is_number and behind in _TIMES else here["often"]:
        end = place + 1 + is_number
        time = measures_of(_form(words, end + 1))["time"]
        if time and measures_of(_form(words, end))["period"]:
            amount = f"{1 / float(min(often)):.10g}"
            return _Value("every", amount, min(time)), range(place, end + 2)
    period = here["period"] & {"every", "one"}
    counts = is_number or (bool(period) and behind in TIMES)
    time = measures_of(_form(words, place + counts))["time"]
    adverb = word.form.endswith(("ly", "lich")) and (not behind or behind in FUNCTION_WORDS)
    if not time or not (counts or adverb):
        return None
    ahead = measures_of(_form(words, place - 1))["period"]
    every, half = "every" in ahead, "half" in ahead
    amount = word.form if is_number else "0.5" if half else "1"
    kind = "every" if every or not (is_number or "one" in period) else "time"
    return _Value(kind, amount, min(time)), range(place - (every or half), place + counts + 1)


def _difference(one: _Said, two: _Said, about: frozenset[str]) -> tuple[str, str] | None:
    """Return what each of two sentences has of what they set differently; None: nothing."""
    shared = one.terms.keys() & two.terms.keys()
    if len(shared) < FEWEST_SHARED or not _bears(shared, about):
        return None
    if one.conditions != two.conditions or _is_opposite(one, two):
        return None
    ours, theirs = one.values.keys() - two.values.keys(), two.values.keys() - one.values.keys()
    pairs = [(a, b) for a in ours for b in theirs if a.kind == b.kind and a.differs(b)]
    if len(pairs) == 1 and ("ban" in one.forces) == ("ban" in two.forces):
        mine, their = pairs[0]
        if _is_same_matter(one, two, (one.values[mine][0], two.values[their][0])):
            return one.shown_value(mine), two.shown_value(their)
    if pairs or ours or theirs or len(shared) < FEWEST_TO_OPPOSE or one.conditions:
        return None
    forces = one.forces.keys(), two.forces.keys()
    opposed = len(forces[0]) == len(forces[1]) == 1 and forces[0] | forces[1] in _OPPOSED
    if opposed and _is_same_matter(one, two, (len(one.words), len(two.words))):
        return one.shown_force(), two.shown_force()
    return None


def _is_opposite(one: _Said, two: _Said) -> bool:
    """Return whether one sets a minimum and the other a maximum, or a time before and after."""
    forms = [frozenset(word.form for word in said.words) for said in (one, two)]
    pairs = ([pair & forms[0], pair & forms[1]] for pair in OPPOSITES)
    return any(all(pair) and pair[0] != pair[1] for pair in pairs)


def _is_same_matter(one: _Said, two: _Said, places: tuple[int, int]) -> bool:
    """Return whether two sentences have the same content words in front of these places.

    The act may be the same verb in another form (`keep`, `kept`): it begins alike. A passive need
    not name who acts. Behind the value, one may say more, unless it names for what.
    """
    mine, theirs = one.terms.keys() - two.terms.keys(), two.terms.keys() - one.terms.keys()
    if not (one.actors and two.actors):
        mine, theirs = mine - one.actors, theirs - two.actors
    acts, others = mine & one.acts, theirs & two.acts
    if len(acts) == len(others) == 1 and min(acts)[0] == min(others)[0]:
        mine, theirs = mine - acts, theirs - others
    if mine and theirs:
        return False
    longer = max(len(one.terms), len(two.terms))
    if longer - len(mine | theirs) < LEAST_SHARE * longer:
        return False
    said, place = (one, places[0]) if mine else (two, places[1])
    behind = [word.form for word in said.words[place + 1 :]]
    return not (mine | theirs) or (
        "for" not in behind and all(said.terms[term] > place for term in mine | theirs)
    )

"""Find provisions of different documents that set another value, or the opposite, for one matter.

Two sentences are of one matter if they have the same content words in front of the value. A word
that only one of them has there narrows it to another person, event or class.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from generation.records import Conflict, Side
from generation.statements.conditions import CONDITION
from generation.statements.forces import OPPOSITES, Force, forces_in
from generation.statements.passages import statements_of
from generation.statements.units import with_parents
from generation.statements.values import REFERENCE
from generation.statements.words import Word, folded, words_of
from generation.text.labels import citation_label, distinct_labels
from generation.verify.checks.parties import BOUND, ORGANISATIONS
from generation.verify.compare.quantities import Quantity, measures_of, quantities_in
from generation.verify.margins import CONFLICTS
from search.records import Hit
from search.text.analyzer import FUNCTION_WORDS, GRAMMAR, STEMMED, term_set, tokens
from search.text.languages import english

_LITTLE = FUNCTION_WORDS.union(*STEMMED.values())
"""Words without content of a text that may not be English."""
_OPPOSED: tuple[set[Force], ...] = ({"duty", "ban"}, {"duty", "release"}, {"ban", "leave"})


@dataclass(frozen=True, slots=True)
class _Said:
    own: str
    """Without what introduces it, as the passage has it."""
    words: Sequence[Word]
    terms: Mapping[str, int]
    """Content words but values and organisations → the place of the first."""
    values: Mapping[Quantity, Sequence[int]]
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

    def shown_value(self, value: Quantity) -> str:
        """Return a value as the passage has it."""
        return self.shown([self.words[place].shown for place in self.values[value]])

    def shown_force(self) -> str:
        """Return a word of obligation with the two that follow it, as the passage has them."""
        force, text = next(iter(self.forces.values())), folded(self.own)
        return self.shown(text[text.find(force) :].split()[: len(force.split()) + 2])


def conflicts_in(kept: Sequence[Hit], others: Sequence[Hit], question: str) -> tuple[Conflict, ...]:
    """Return what passages of different documents set differently, of what a question is about.

    One side of each is of the hits kept.
    """
    little = GRAMMAR if english(question) else term_set(" ".join(_LITTLE))  # made once
    about = term_set(question) - little
    found: list[Conflict] = []
    said = [(hit, list(_read(hit, about))) for hit in ((*kept, *others) if kept else ())]
    for place, (hit, ours) in enumerate(said[: len(kept)]):
        for other, theirs in said[place + 1 :]:
            if hit.document_id == other.document_id or len(found) == CONFLICTS.most:
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
    return 2 * held >= len(about) or held > CONFLICTS.opposing


def _read(hit: Hit, about: frozenset[str]) -> Iterator[_Said]:
    """Yield the sentences and list items of a passage that bear on what a question is about."""
    said = (one for one in statements_of(hit.text) if not one.heading or hit.text.endswith("."))
    pieces = ((one, at) for one in said for at in range(len(one.pieces)))
    for statement, at in islice(pieces, CONFLICTS.pieces):
        own = statement.pieces[at].text
        text = " ".join(statement.pieces[i].text for i in sorted(with_parents(statement, at)))
        if len(text.split()) <= CONFLICTS.longest and _bears(term_set(text), about):
            yield _said(own, text)


def _said(own: str, text: str) -> _Said:
    plain = folded(REFERENCE.sub(lambda one: one[0] if one[0].isalpha() else " ", text))
    words = [word for word in words_of(plain) if word.kind != "mark"]
    values, forces = quantities_in(words), dict(forces_in(plain))
    used = {place for places in values.values() for place in places}
    function_words = FUNCTION_WORDS if english(text) else _LITTLE
    forcing = frozenset(" ".join(forces.values()).split())
    terms: dict[str, int] = {}
    for place, word in enumerate(words):
        measures = measures_of(word.form)
        is_content = word.form not in function_words and word.form not in forcing
        is_content = is_content and not (measures["limit"] or measures["period"])
        if is_content and place not in used and word.kind == "word":
            terms |= {one: place for one in tokens(word.form) if one not in terms}
    bound = [found.groupdict("") for found in BOUND.finditer(plain)]
    active = (f"{one['kind']} {one['who']}" for one in bound if not one["act"].startswith("be "))
    return _Said(
        own, words, {term: terms[term] for term in terms.keys() - ORGANISATIONS}, values,
        term_set(" ".join(one["act"] for one in bound)), term_set(" ".join(active)), forces,
        sorted(CONDITION.findall(plain)),
    )  # fmt: skip


def _difference(one: _Said, two: _Said, about: frozenset[str]) -> tuple[str, str] | None:
    """Return what each of two sentences has of what they set differently; None: nothing."""
    shared = one.terms.keys() & two.terms.keys()
    if len(shared) < CONFLICTS.shared or not _bears(shared, about):
        return None
    if one.conditions != two.conditions or _is_opposite(one, two):
        return None
    ours, theirs = one.values.keys() - two.values.keys(), two.values.keys() - one.values.keys()
    pairs = [(a, b) for a in ours for b in theirs if a.kind == b.kind and a.differs(b)]
    if len(pairs) == 1 and ("ban" in one.forces) == ("ban" in two.forces):
        mine, their = pairs[0]
        if _is_same_matter(one, two, (one.values[mine][0], two.values[their][0])):
            return one.shown_value(mine), two.shown_value(their)
    if pairs or ours or theirs or len(shared) < CONFLICTS.opposing or one.conditions:
        return None
    forces = one.forces.keys(), two.forces.keys()
    opposed = len(forces[0]) == len(forces[1]) == 1 and forces[0] | forces[1] in _OPPOSED
    if opposed and _is_same_matter(one, two, (len(one.words), len(two.words))):
        return one.shown_force(), two.shown_force()
    return None


def _is_opposite(one: _Said, two: _Said) -> bool:
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
    if longer - len(mine | theirs) < CONFLICTS.share * longer:
        return False
    said, place = (one, places[0]) if mine else (two, places[1])
    behind = [word.form for word in said.words[place + 1 :]]
    return not (mine | theirs) or (
        "for" not in behind and all(said.terms[term] > place for term in mine | theirs)
    )

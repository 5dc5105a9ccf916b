"""Find provisions of different documents that set another value, or the opposite, for one matter.

Two sentences are of one matter if they have the same content words in front of the value. A word
that only one of them has there narrows it to another person, event or class, unless the question
has it as well. What names nobody who acts, or no act, leaves them open.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from generation.records import Conflict, Side
from generation.statements.conditions import CONDITION
from generation.statements.forces import OPPOSITES, Force, duty_of, forces_in
from generation.statements.passages import statements_of
from generation.statements.units import with_parents
from generation.statements.values import REFERENCE
from generation.statements.words import Word, folded, words_of
from generation.text.labels import citation_label, distinct_labels
from generation.text.subject import subject
from generation.verify.checks.parties import ORGANISATIONS
from generation.verify.compare.quantities import (
    TIMES,
    Bound,
    Quantity,
    bound_of,
    measures_of,
    quantities_in,
)
from generation.verify.margins import CONFLICTS
from search.language import vocabulary
from search.records import Hit
from search.text.analyzer import FUNCTION_WORDS, STEMMED, term_set, tokens
from search.text.languages import english, language

_LITTLE = FUNCTION_WORDS.union(" ".join(vocabulary.words("modals")).split(), *STEMMED.values())
"""Words without content of a text that may not be English."""
_TIMES = term_set(" ".join(TIMES))
_ACT = re.compile(r"(?P<passive>be )?(?:\w+ly )?(?P<act>[^\W\d_]+)")
"""What follows a word of obligation."""
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
    """The content word of what must be done."""
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

    def bound(self, value: Quantity) -> Bound:
        """Return whether a value is the least or the most."""
        return bound_of(self.words, self.values[value], "ban" in self.forces)


def conflicts_in(kept: Sequence[Hit], others: Sequence[Hit], question: str) -> tuple[Conflict, ...]:
    """Return what passages of different documents set differently, of what a question is about.

    One side of each is of the hits kept.
    """
    about = subject(question) - _TIMES
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


def _bears(terms: Collection[str], about: frozenset[str], parts: int = 2) -> bool:
    """Return whether terms have a half or third of what a question is about, or several of it."""
    held = len(about.intersection(terms))
    return parts * held >= len(about) or held > CONFLICTS.several


def _read(hit: Hit, about: frozenset[str]) -> Iterator[_Said]:
    """Yield the sentences and list items of a passage that bear on what a question is about."""
    said = (one for one in statements_of(hit.text) if not one.heading or hit.text.endswith("."))
    pieces = ((one, at) for one in said for at in range(len(one.pieces)))
    for statement, at in islice(pieces, CONFLICTS.pieces):
        own = statement.pieces[at].text
        text = " ".join(statement.pieces[i].text for i in sorted(with_parents(statement, at)))
        if len(text.split()) <= CONFLICTS.longest and _bears(term_set(text), about, 3):
            yield _said(own, text)


def _said(own: str, text: str) -> _Said:
    plain = folded(REFERENCE.sub(lambda one: one[0] if one[0].isalpha() else " ", text))
    found = [word for word in words_of(plain) if word.kind != "mark"]
    values, forces = quantities_in(found), dict(forces_in(plain, language(text)))
    used = {place for places in values.values() for place in places}
    function_words = FUNCTION_WORDS if english(text) else _LITTLE
    forcing = frozenset(text.split()[end] for text in forces.values() for end in (0, -1))
    terms: dict[str, int] = {}
    for place, word in enumerate(found):
        measures = measures_of(word.form)
        is_content = word.form not in function_words and word.form not in forcing
        is_content = is_content and not (measures["limit"] or measures["period"])
        if is_content and place not in used and word.kind == "word":
            terms |= {one: place for one in tokens(word.form) if one not in terms}
    duty = duty_of(plain)
    act = _ACT.match(duty.act)
    return _Said(
        own, found, {term: terms[term] for term in terms.keys() - ORGANISATIONS}, values,
        term_set(act["act"] if act else ""),
        frozenset() if act and act["passive"] else term_set(duty.actor), forces,
        sorted(CONDITION.findall(plain)),
    )  # fmt: skip


def _difference(one: _Said, two: _Said, about: frozenset[str]) -> tuple[str, str] | None:
    """Return what each of two sentences has of what they set differently; None: nothing."""
    shared = one.terms.keys() & two.terms.keys()
    if not shared & about or not _bears(one.terms.keys() | two.terms.keys(), about):
        return None
    if one.conditions != two.conditions or _is_opposite(one, two):
        return None
    ours, theirs = one.values.keys() - two.values.keys(), two.values.keys() - one.values.keys()
    pairs = [(a, b) for a in ours for b in theirs if a.kind == b.kind and a.differs(b)]
    if len(pairs) == 1 and len(shared) >= CONFLICTS.shared:
        mine, their = pairs[0]
        places = one.values[mine][0], two.values[their][0]
        if _excludes(one, two, pairs[0]) and _is_same_matter(one, two, places, about):
            return one.shown_value(mine), two.shown_value(their)
    both = one.values.keys() & two.values.keys()
    narrows = ours or theirs or any(one.bound(value) != two.bound(value) for value in both)
    if narrows or one.conditions:
        return None
    forces = one.forces.keys(), two.forces.keys()
    opposed = len(forces[0]) == len(forces[1]) == 1 and forces[0] | forces[1] in _OPPOSED
    places = len(one.words), len(two.words)
    if opposed and _is_same_matter(one, two, places, about):
        return one.own, two.own
    return None


def _excludes(one: _Said, two: _Said, values: tuple[Quantity, Quantity]) -> bool:
    """Return whether two sentences bind to values of which one excludes the other."""
    bounds = one.bound(values[0]), two.bound(values[1])
    bans = [bound != "most" and "ban" in said.forces
            for said, bound in zip((one, two), bounds, strict=True)]  # fmt: skip
    if bans[0] != bans[1] or ("release" in one.forces) != ("release" in two.forces):
        return False
    return values[0].excludes(values[1], *bounds)


def _is_opposite(one: _Said, two: _Said) -> bool:
    """Return whether they have words of a pair of opposites that are no force and no bound."""
    forces = frozenset(" ".join([*one.forces.values(), *two.forces.values()]).split())
    forms = [
        {word.form for word in said.words if not measures_of(word.form)["limit"]} - forces
        for said in (one, two)
    ]
    pairs = ([pair & forms[0], pair & forms[1]] for pair in OPPOSITES)
    return any(all(pair) and pair[0] != pair[1] for pair in pairs)


def _is_same_matter(one: _Said, two: _Said, places: tuple[int, int], about: frozenset[str]) -> bool:
    """Return whether two sentences have the same content words in front of these places.

    The act may be the same verb in another form (`keep`, `kept`): it begins alike. Behind the
    value, one may say more, unless it names for what.
    """
    one, two = _with_act_of(one, two), _with_act_of(two, one)
    mine, theirs = one.terms.keys() - two.terms.keys(), two.terms.keys() - one.terms.keys()
    open_to = frozenset[str]() if mine and theirs else about
    if not (one.actors and two.actors):
        mine, theirs = mine - one.actors, theirs - two.actors
    acts, others = mine & one.acts, theirs & two.acts
    if not (acts and others) or min(acts)[0] == min(others)[0]:
        mine, theirs = mine - acts, theirs - others
    if mine and theirs:
        return False
    said, place = (one, places[0]) if mine else (two, places[1])
    more = (mine | theirs) - open_to
    if len(said.terms) - len(more) < CONFLICTS.share * len(said.terms):
        return False
    behind = [word.form for word in said.words[place + 1 :]]
    return not more or ("for" not in behind and all(said.terms[term] > place for term in more))


def _with_act_of(said: _Said, other: _Said) -> _Said:
    """Return a sentence without a word of obligation with its act, known by that of another."""
    alike = [term for term in said.terms for act in other.acts if term[:2] == act[:2]]
    if said.forces or len(alike) != 1:
        return said
    ahead = {term for term, place in said.terms.items() if place < said.terms[alike[0]]}
    actors = frozenset() if ahead & other.terms.keys() else frozenset(ahead)
    return replace(said, acts=frozenset(alike), actors=actors)

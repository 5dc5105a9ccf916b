"""Choose what is quoted: what answers best, then what is near it, within a budget of words.

Only whole units are left out, so that no sentence is ever cut. The margins are in `margins.toml`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from generation.extract.asked import AskedKind, asked_kinds
from generation.extract.margins import CHOOSE
from generation.extract.score import points_on
from generation.extract.silence import STATES
from generation.extract.units import Candidate
from generation.statements.passages import Statement
from generation.statements.values import values_in
from generation.text.subject import subject

CONTENTS: frozenset[AskedKind] = frozenset({"action", "list"})
"""What the question asks for that only asks what a rule says."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A statement to be quoted, and which of its pieces."""

    candidate: Candidate
    """The best of its units that were chosen."""
    pieces: tuple[int, ...]
    twins: tuple[Candidate, ...] = ()
    """What other hits have that says the same."""

    @property
    def statement(self) -> Statement:
        """What it is part of."""
        return self.candidate.unit.statement


@dataclass(slots=True)
class Selection:
    """What is quoted, in the order of hits and text, and what is not for want of room."""

    best: Candidate
    """What answers the question most likely."""
    chosen: list[Chosen] = field(default_factory=list)
    left_out: list[Candidate] = field(default_factory=list)
    """Duties, and what a named rule says, for which there was no room."""
    unsure: bool = False
    """Whether it is only the nearest."""

    @property
    def is_weak(self) -> bool:
        """Whether not even the best unit is likely to answer."""
        return bool(self.best.value < CHOOSE.sure)

    def add(self, units: Iterable[Candidate], first: int = 0) -> None:
        """Quote further units, whatever room there is; the first of their hits has this index."""
        self.chosen += _joined([replace(one, hit=first + one.hit) for one in units])


def choose(
    question: str,
    candidates: Sequence[Candidate],
    budget: int,
    kept: int,
    *,
    in_passing: Collection[int] = (),
    documents: Sequence[str] = (),
    unsure: bool = False,
) -> Selection:
    """Choose within a budget of words; the best unit is quoted whatever it costs.

    Args:
        question: as it was asked.
        candidates: at least one, with their values.
        budget: of words.
        kept: how many hits the filter kept: duties of the others are not looked for.
        in_passing: indices of hits that the question names on its way to something else: the
            beginning and the best unit of these are quoted beside what answers.
        documents: of each hit; given where the question compares documents: a second one is quoted.
        unsure: whether none of them is sure to answer.
    """
    ranked = sorted(candidates, key=lambda c: (not c.is_named, -c.value, c.hit, c.place))
    answering = [one for one in ranked if one.hit not in in_passing] or ranked
    best, in_order = answering[0], False
    if best.is_named and asked_kinds(question) <= CONTENTS:
        # A rule that is asked for is read from its beginning.
        answering.sort(key=lambda c: (not c.is_named, c.hit, c.place))
        best, in_order = answering[0], True
        budget *= CHOOSE.asked_for
    speaks_of_it = not subject(question).isdisjoint(best.unit.terms | best.heading)
    likely = best.value >= CHOOSE.sure and speaks_of_it
    unsure = unsure or not (best.is_named or likely)
    taken = [best]
    if unsure and best.hit:  # what the search has first is shown, whatever its words
        taken += [one for one in answering if one.hit == 0][:1]
    room = budget - sum(one.unit.words for one in taken)
    for one in _in_order_of_room(answering, best, kept, in_order):
        near = _is_near(one, best, answering, kept) or _states_missing(question, one, taken)
        quoted = {other.hit for other in taken} if unsure else {one.hit}
        if not near or one in taken or (len(quoted) >= CHOOSE.unsure and one.hit not in quoted):
            continue
        cost = _added(one, taken)
        if cost <= room:
            taken.append(one)
            room -= cost
        elif in_order:
            break  # nothing behind it is quoted either
    if all(points_on(one.unit.text) for one in taken):
        # A sentence that only points elsewhere is no answer alone.
        taken += [one for one in answering if not points_on(one.unit.text)][:1]
    if documents:
        taken += _of_another_document(question, answering, taken, documents)
    for hit in in_passing:
        own = [one for one in ranked if one.hit == hit]
        taken += [*sorted(own, key=lambda c: c.place)[:1], *own[:1]]
    chosen = set(map(id, taken))
    left_out = [c for c in candidates if (c.is_duty or c.is_named) and id(c) not in chosen]
    return Selection(best, _joined(taken), left_out, unsure)


def merged(candidates: Sequence[Candidate], said: Sequence[tuple[str, ...]]) -> list[Candidate]:
    """Return candidates without those that say the same; the first knows the hits of others."""
    kept: dict[tuple[str, ...], Candidate] = {}
    for one, essence in zip(candidates, said, strict=True):
        earlier = kept.setdefault(essence, one)
        if one.hit not in (earlier.hit, *(twin.hit for twin in earlier.twins)):
            kept[essence] = replace(earlier, twins=(*earlier.twins, one))
    return list(kept.values())


def _in_order_of_room(
    ranked: Sequence[Candidate], best: Candidate, kept: int, in_order: bool
) -> list[Candidate]:
    """Return the units behind the best one in the order in which they get room.

    First what answers nearly as well; then, passage by passage in the order of the search, the
    duties of what the filter kept; then the rest.
    """
    others = [one for one in ranked if one is not best]
    if in_order:
        return others
    first = [one for one in others if one.is_named or one.value >= best.value - CHOOSE.first]
    duties = sorted((one for one in others if one.is_duty and one.hit < kept), key=lambda c: c.hit)
    placed = {id(one): one for one in (*first, *duties, *others)}
    return list(placed.values())


def _is_near(
    one: Candidate,
    best: Candidate,
    ranked: Sequence[Candidate],
    kept: int,
) -> bool:
    if one.is_named:
        return True
    if one.hit >= kept and one.hit != best.hit:
        return False
    if one.hit != best.hit and one.odds < CHOOSE.least_odds and not best.defines:
        return False
    if one.role == "row":
        margin = CHOOSE.row
    elif one.hit != best.hit:
        margin = CHOOSE.other_duty if one.is_duty and one.hit < kept else CHOOSE.other
        margin -= CHOOSE.surer * best.value
    elif sum(other.unit.words for other in ranked if other.hit == best.hit) <= CHOOSE.short:
        margin = CHOOSE.whole
    else:
        margin = CHOOSE.same_duty if one.is_duty else CHOOSE.same
    # What is asked for by name is ahead of all others, which are compared among themselves, and
    # with no definition that nobody asked for.
    bar = [other for other in ranked if not (other.is_named or other.defines)]
    return bool(one.value >= max((other.value for other in bar), default=one.value) - margin)


def _states_missing(question: str, one: Candidate, taken: Sequence[Candidate]) -> bool:
    """Return whether a unit near the best has a kind of value asked for that none quoted has."""
    wanted = {value for kind in asked_kinds(question) for value in STATES.get(kind, ())}
    wanted -= {"number"} if one.hit != taken[0].hit else set()  # some number is in nearly each
    if not wanted or one.value < taken[0].value - CHOOSE.states:
        return False
    have = {kind for other in taken for kind in values_in(other.unit.own, wanted)}
    return not have and bool(values_in(one.unit.own, wanted))


def _of_another_document(
    question: str, ranked: Sequence[Candidate], taken: Sequence[Candidate], documents: Sequence[str]
) -> list[Candidate]:
    """Return the best unit of a document that nothing is quoted of.

    Where a value is asked for, the unit must state one.
    """
    quoted = {documents[one.hit] for one in taken}
    if len(quoted) > 1:
        return []
    others = [one for one in ranked if documents[one.hit] not in quoted]
    wanted = {value for kind in asked_kinds(question) for value in STATES.get(kind, ())}
    stating = [one for one in others if values_in(one.unit.own, wanted)]
    return (stating or ([] if wanted else others))[:1]


def _added(one: Candidate, taken: Iterable[Candidate]) -> int:
    """Return how many words a unit adds: its frame may be quoted already."""
    pieces = one.unit.statement.pieces
    have = {i for c in taken if (c.hit, c.place) == (one.hit, one.place) for i in c.unit.pieces}
    return sum(pieces[i].words for i in one.unit.pieces if i not in have)


def _joined(taken: Sequence[Candidate]) -> list[Chosen]:
    units: dict[tuple[int, int], list[Candidate]] = {}
    for one in taken:
        units.setdefault((one.hit, one.place), []).append(one)
    return [_chosen(units[place]) for place in sorted(units)]


def _chosen(units: Sequence[Candidate]) -> Chosen:
    """Return what is quoted of a statement; a passage repeats it that repeats all of its units."""
    pieces = sorted({index for one in units for index in one.unit.pieces})
    repeating = [{twin.hit for twin in one.twins} for one in units]
    shared = repeating[0].intersection(*repeating[1:])
    twins = tuple(twin for one in units for twin in one.twins if twin.hit in shared)
    return Chosen(units[0], tuple(pieces), twins)

"""Choose what is quoted: what answers first, then what bears on it, within a budget of words.

Only whole units are left out, so that no sentence is ever cut.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from generation.extract.asked import AskedKind, asked_kinds
from generation.extract.candidates import Candidate
from generation.extract.pointers import points_on
from generation.text.statements.clauses import Statement
from generation.text.values import values_in

NEAR, NEAR_ELSEWHERE = 2.2, 1.5
"""Log-odds by which a further unit of the same passage, and of another, may be behind the best one
and still be quoted."""

NEAR_DUTY, NEAR_DUTY_ELSEWHERE = 6.0, 4.0
"""The same for a duty of the passage that the best unit is in, and of another that the filter kept:
of what is further behind there, a tenth bears on the question."""

NEARLY = 0.7
"""The same for what comes before the other duties."""

NEAR_ROW = 1.0
"""The same for a row of a table, behind the table's best row: its rows are much alike."""

NEAR_BESIDE = 4.0
"""The same for a unit of a short passage that the best one is in."""

SHORT_ANSWER = 70
"""Words of an answer beside which more of other passages is shown."""

ALSO_BESIDE_LITTLE, ALSO = 3.0, 1.0
"""The same for a unit of another passage, which has one line under *Also found*."""

MOST_ALSO, LONGEST_ALSO = 1, 45
"""How many such lines there are, and of how many words at most: most further ones are noise."""

FOR_ALSO = 0.1
"""Part of the budget that is kept for them."""

FOR_A_KIND, FOR_A_KIND_ELSEWHERE = 4.0, 3.0
"""The same for a unit that states a kind of value that was asked for, where none quoted does."""

VALUES = frozenset({"time", "date", "money", "percent", "number"})
"""Kinds of thing asked for that are values."""
SURE_VALUES = frozenset({"time", "money", "percent"})
"""Those that are seldom something else, as dates and numbers are."""

SHORT_PASSAGE = 60
"""Words of a passage that counts as short: the sentences of such a paragraph belong together."""

MORE_FOR_A_RULE = 2
"""Times the words of an answer that the text of a rule gets which was asked for."""

CONTENTS: frozenset[AskedKind] = frozenset({"action", "list"})
"""What the question asks for that only asks what a rule says."""

MOST_UNSURE = 2
"""Provisions that are quoted where none is sure to answer."""


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

    @property
    def words(self) -> int:
        """How many words are quoted."""
        return sum(self.statement.pieces[index].words for index in self.pieces)


@dataclass(slots=True)
class Selection:
    """What is quoted, in the order of hits and text, and what is not for want of room."""

    best: Candidate
    """What answers the question most likely."""
    chosen: list[Chosen] = field(default_factory=list)
    also: list[Chosen] = field(default_factory=list)
    """Of other passages, one for each, best first."""
    ahead: float = 0.0
    """Log-odds by which it is ahead of all others of its statement."""
    most_share: float = 0.0
    """Most of the question's subject that one unit speaks of."""
    left_out: list[Candidate] = field(default_factory=list)
    """Duties of the passages that the filter kept, and what a named rule says, for which there was
    no room."""

    in_order: bool = False
    """Whether it is the text of a rule that was asked for, from its beginning."""

    @property
    def only_points(self) -> bool:
        """Whether all that is quoted only points elsewhere."""
        return all(points_on(one.candidate.unit.text) for one in self.chosen)

    def add(self, units: Iterable[Candidate]) -> None:
        """Quote further units, whatever room there is."""
        self.chosen += _joined(list(units))


def select(
    question: str, candidates: Sequence[Candidate], budget: int, kept: int, *,
    in_passing: Collection[int] = (), beside: Collection[int] = (), unsure: bool = False,
    documents: Sequence[str] = (),
) -> Selection:  # fmt: skip
    """Choose within a budget of words; the best unit is quoted whatever it costs.

    Args:
        question: as it was asked.
        candidates: at least one.
        budget: of words.
        kept: how many hits the filter kept; of the others nothing but one line each is quoted.
        in_passing: indices of hits that the question names on its way to something else; of these,
            the beginning of the first and the best unit are quoted.
        beside: indices of hits that others are not compared with: they answer nothing alone.
        unsure: whether none of them is sure to answer.
        documents: of each hit; given where the question compares documents: a second one is quoted.
    """
    ranked = sorted(candidates, key=lambda c: (-c.value, c.hit, c.place))
    in_order = ranked[0].is_named and _asks_for_text(question, ranked[0])
    if in_order:
        # A rule that was asked for is read from its beginning.
        ranked.sort(key=lambda c: (not c.is_named, c.hit, c.place))
        budget *= MORE_FOR_A_RULE
    best = ranked[0]
    # What is asked for by name is far ahead of all others, which are compared among themselves.
    sure = [one for one in ranked if one.hit < kept or one.hit == best.hit]
    bar = [one for one in sure if one.hit not in beside] or sure
    tops = {named: max((one.value for one in bar if one.is_named == named), default=0.0)
            for named in (False, True)}  # fmt: skip
    best_rows: dict[int, float] = {}
    for one in ranked:
        if one.is_row:
            best_rows.setdefault(one.hit, one.value)
    taken = [best]
    if unsure and best.hit:
        # What the search has first is shown, whatever its words.
        taken += [one for one in ranked if one.hit == 0][:1]
    room = budget - sum(one.unit.words for one in taken)
    spared = int(FOR_ALSO * budget)
    of_best = [one for one in ranked if one.hit == best.hit]
    is_short = sum(one.unit.words for one in of_best) <= SHORT_PASSAGE
    for one in _in_order_of_room(ranked, tops[False], kept):
        if one in taken or (one.hit >= kept and one.hit != best.hit):
            continue
        if unsure and len({c.hit for c in taken} | {one.hit}) > MOST_UNSURE:
            continue
        near = 0.0 if one.hit in in_passing else _margin(one, one.hit == best.hit, is_short)
        top = tops[one.is_named]
        if one.is_row and best_rows[one.hit] >= top - NEAR_ELSEWHERE:
            top = best_rows[one.hit]
        wanted = one.value >= top - near or _states_missing(question, one, taken)
        cost = _added(one, taken)
        if wanted and cost <= room - spared:
            taken.append(one)
            room -= cost
        elif wanted and in_order:
            room = spared  # nothing behind it is quoted either
    if documents and not unsure:
        beside_it = _of_another_document(question, ranked, taken, documents)
        taken += beside_it
        room -= sum(one.unit.words for one in beside_it)
    if all(points_on(one.unit.text) for one in taken):
        # A sentence that only points elsewhere is no answer alone.
        further = [one for one in ranked if not points_on(one.unit.text)][:1]
        taken += further
        room -= sum(one.unit.words for one in further)
    short = budget - room <= SHORT_ANSWER
    also = [] if unsure else _also(ranked, taken, room, ALSO_BESIDE_LITTLE if short else ALSO)
    quoted = {id(one) for one in taken} | {id(one) for one in also}
    left_out = [
        one for one in candidates
        if ((one.is_duty and one.hit < kept) or one.is_named) and id(one) not in quoted
    ]  # fmt: skip
    return Selection(
        best, _joined(taken), [chosen for one in also for chosen in _joined([one])],
        min((best.value - one.value for one in of_best
             if _same_statement(one, best) and one is not best), default=float("inf")),
        max(one.share for one in candidates), left_out, in_order,
    )  # fmt: skip


def _asks_for_text(question: str, named: Candidate) -> bool:
    """Return whether a question asks what a rule says, and nothing of what it says."""
    asked = asked_kinds(question)
    return not asked or (asked <= CONTENTS and named.is_whole_asked)


def _in_order_of_room(ranked: Sequence[Candidate], top: float, kept: int) -> list[Candidate]:
    """Return the units in the order in which they get room.

    First what answers nearly as well as the best; then, passage by passage in the order of the
    search, the duties of what the filter kept, for an answer without them is incomplete; then the
    rest.
    """
    named = [one for one in ranked if one.is_named]
    first = [one for one in ranked if one.value >= top - NEARLY and not one.is_named]
    duties = sorted(
        (one for one in ranked if one.is_duty and one.hit < kept), key=lambda one: one.hit
    )
    return list(dict.fromkeys([*named, *first, *duties, *ranked]))


def _margin(one: Candidate, is_beside: bool, is_short: bool) -> float:
    """Return by how much a unit may be behind the best one.

    Args:
        one: the unit.
        is_beside: whether the best one is of the same passage.
        is_short: whether that passage is short.
    """
    if one.is_row:
        return NEAR_ROW
    if one.is_named:
        return float("inf")
    if is_beside and is_short:
        return NEAR_BESIDE
    if is_beside:
        return NEAR_DUTY if one.is_duty else NEAR
    return NEAR_DUTY_ELSEWHERE if one.is_duty else NEAR_ELSEWHERE


def _states_missing(question: str, one: Candidate, taken: Sequence[Candidate]) -> bool:
    """Return whether a unit has a kind of value that is asked for and that none quoted has.

    In a passage that nothing is quoted of, a number of some sort is not what was asked for.
    """
    wanted = VALUES & asked_kinds(question)
    have = {kind for other in taken for kind in values_in(other.unit.own)}
    behind = taken[0].value - one.value
    if one.hit in {other.hit for other in taken}:
        return behind <= FOR_A_KIND and bool((wanted - have) & values_in(one.unit.own))
    wanted &= SURE_VALUES
    missing = wanted and not wanted & have
    return behind <= FOR_A_KIND_ELSEWHERE and bool(missing and wanted & values_in(one.unit.own))


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
    wanted = VALUES & asked_kinds(question)
    stating = [one for one in others if wanted & values_in(one.unit.own)]
    return (stating or ([] if wanted else others))[:1]


def _added(one: Candidate, taken: Iterable[Candidate]) -> int:
    """Return how many words a unit adds: its frame may be quoted already."""
    pieces = one.unit.statement.pieces
    have = {i for c in taken if _same_statement(c, one) for i in c.unit.pieces}
    return sum(pieces[i].words for i in one.unit.pieces if i not in have)


def _also(
    ranked: Sequence[Candidate], taken: Collection[Candidate], room: int, margin: float
) -> list[Candidate]:
    hits = {one.hit for one in taken} | {twin.hit for one in taken for twin in one.twins}
    found: list[Candidate] = []
    for one in ranked:
        fits = one.unit.words <= min(room, LONGEST_ALSO) and len(found) < MOST_ALSO
        if one.hit not in hits and fits and one.value >= ranked[0].value - margin:
            found.append(one)
            hits.add(one.hit)
            room -= one.unit.words
    return found


def _same_statement(one: Candidate, other: Candidate) -> bool:
    return (one.hit, one.place) == (other.hit, other.place)


def _joined(taken: Sequence[Candidate]) -> list[Chosen]:
    """Return the statements of some units, in the order of hits and text."""
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

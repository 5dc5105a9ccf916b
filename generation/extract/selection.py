"""Chooses what is quoted: something of the best passages first, then passage by passage.

The order of the search knows more of what answers a question than the words that a statement shares
with it: quoted passage by passage, answers cover more of the obligations that were asked for than
quoted by shared words (docs/verification.md has the figures). The budget counts words. Only whole
pieces are left out, so that no sentence is ever cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice

from generation.extract.candidates import Candidate
from generation.extract.questions import subject
from generation.text.statements.clauses import Statement
from generation.text.statements.tables import rows_to_quote
from search.text.analyzer import tokens

SMALLEST_SHARE = 40
"""Words that the first quote of a passage but the best may take before the best is quoted in
full: about one legal sentence. One that cannot be brought under twice as many waits."""

FIRSTS = 2
"""Passages of which something is quoted before the best is quoted in full. More of them take the
room from what answers: of the obligations asked for, answers from ten passages covered 76 % with
one or two, 73 % with four, and 70 % with all (validation questions, drop 0.3, floor 0.5)."""

MOST_PER_PASSAGE = 40
"""Statements of one passage that are considered, so that a schedule of 24,000 words is cheap."""

LONGEST_SENTENCE = 160
"""Words; longer pieces are unpunctuated forms, quoted only for want of others."""

WORTH_ADDING = 0.5
"""A further statement that is no duty is quoted if it is worth this part of the best one; duties,
and what a named rule says, are quoted as long as there is room, for an answer without them is
incomplete."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A statement to be quoted, and which of its pieces."""

    candidate: Candidate
    pieces: tuple[int, ...]

    @property
    def words(self) -> int:
        """How many words are quoted."""
        return sum(self.candidate.statement.pieces[index].words for index in self.pieces)


@dataclass(slots=True)
class Selection:
    """What is quoted, in the order of hits and text, and what is not for want of room."""

    chosen: list[Chosen] = field(default_factory=list)
    left_out: list[Candidate] = field(default_factory=list)
    """Statements of duty, or of a rule that was asked for, that the budget left no room for."""

    @property
    def words(self) -> int:
        """How many words are quoted in all."""
        return sum(chosen.words for chosen in self.chosen)


def select(question: str, candidates: Sequence[Candidate], budget: int) -> Selection:
    """Choose within a budget of words; the first quote is made whatever it costs."""
    considered = _best_of_each_hit(candidates)
    usable = [c for c in considered if _longest_piece(c) <= LONGEST_SENTENCE] or considered
    terms = subject(question)
    firsts = _first_of_each_hit(usable)
    chosen: dict[int, Chosen] = {}
    room = budget
    for candidate in firsts[:FIRSTS]:
        share = min(SMALLEST_SHARE, room) if chosen else room
        quote = Chosen(candidate, _fitting(candidate.statement, terms, share))
        if not chosen or quote.words <= min(room, 2 * SMALLEST_SHARE):
            chosen[id(candidate)] = quote
            room -= quote.words
    room = _widen(chosen, terms, room)
    best = max((c.value for c in usable), default=0.0)
    for candidate in sorted(usable, key=lambda c: (c.hit, -c.value)):
        worth_adding = candidate.is_wanted or candidate.value >= WORTH_ADDING * best
        if id(candidate) in chosen or not worth_adding:
            continue
        quote = Chosen(candidate, _fitting(candidate.statement, terms, room))
        if quote.words <= room:
            chosen[id(candidate)] = quote
            room -= quote.words
    return _in_order(chosen, candidates)


def _best_of_each_hit(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the most valuable of each hit, in the order of hits and text."""
    by_hit = groupby(sorted(candidates, key=lambda c: (c.hit, -c.value)), key=lambda c: c.hit)
    best = [one for _, ours in by_hit for one in islice(ours, MOST_PER_PASSAGE)]
    return sorted(best, key=lambda c: (c.hit, c.place))


def _first_of_each_hit(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the first quote of each hit: the best duty, or the best statement where none is.

    A hit whose duties another hit repeats is spoken for already; one without a duty is quoted
    only if it is worth adding.
    """
    least = WORTH_ADDING * max((c.value for c in candidates), default=0.0)
    spoken_for = {twin.hit for c in candidates if c.is_duty for twin in c.twins}
    best: dict[int, Candidate] = {}
    for candidate in candidates:
        if not candidate.is_duty and (candidate.hit in spoken_for or candidate.value < least):
            continue
        holder = best.get(candidate.hit)
        if holder is None or candidate.value > holder.value:
            best[candidate.hit] = candidate
    return [best[hit] for hit in sorted(best)]


def _widen(chosen: dict[int, Chosen], terms: frozenset[str], room: int) -> int:
    """Give what is left to the lists that were shortened, in the order of the hits.

    Returns:
        What remains.
    """
    for key, quote in sorted(chosen.items(), key=lambda item: item[1].candidate.hit):
        if room <= 0:
            break
        statement = quote.candidate.statement
        wider = Chosen(quote.candidate, _fitting(statement, terms, quote.words + room))
        room -= wider.words - quote.words
        chosen[key] = wider
    return room


def _fitting(statement: Statement, terms: frozenset[str], room: int) -> tuple[int, ...]:
    """Return the pieces of a statement that fit: its frame, then the items that bear most.

    The frame is the introduction and the closing clause: without them items mean something else.
    A list keeps at least one item, with all that introduces it; so does a table, of whose rows only
    those are looked at that are worth a quotation.
    """
    pieces = statement.pieces
    rows = rows_to_quote(pieces, terms)
    wanted = [i for i, piece in enumerate(pieces) if piece.role != "row" or i in rows]
    if sum(pieces[index].words for index in wanted) <= room or len(pieces) == 1:
        return tuple(wanted)
    taken = {index for index in wanted if pieces[index].role in ("lead", "tail")}
    parents = {piece.parent for piece in pieces}
    # Only ends of the tree are chosen, with what leads to them: "(b) ensure that:" says nothing.
    items = [i for i in wanted if i not in taken and i not in parents]
    shared = {index: len(terms & set(tokens(pieces[index].text))) for index in items}
    first = True
    for index in sorted(items, key=lambda i: (-shared[i], i)):
        fuller = taken | _with_parents(statement, index)
        if first or sum(pieces[i].words for i in fuller) <= room:
            taken, first = fuller, False
    return tuple(sorted(taken))


def _with_parents(statement: Statement, index: int) -> set[int]:
    found: set[int] = set()
    step: int | None = index
    while step is not None and step not in found:
        found.add(step)
        step = statement.pieces[step].parent
    return found


def _longest_piece(candidate: Candidate) -> int:
    pieces = candidate.statement.pieces
    return max((piece.words for piece in pieces if piece.role != "row"), default=0)


def _in_order(chosen: dict[int, Chosen], candidates: Sequence[Candidate]) -> Selection:
    quotes = sorted(chosen.values(), key=lambda q: (q.candidate.hit, q.candidate.place))
    left_out = [c for c in candidates if c.is_wanted and id(c) not in chosen]
    return Selection(quotes, left_out)

"""Mode `extractive`: the provisions that answer in their own words, without a model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

from generation.extract.asked import AskedKind, compares
from generation.extract.brackets import with_family
from generation.extract.candidates import candidates_of
from generation.extract.elsewhere import elsewhere
from generation.extract.not_stated import (
    NO_NAMES,
    absent_kinds,
    absent_names,
    not_stated,
    speaks_of,
)
from generation.extract.pointers import beside_that_state, points_on, rules_that_state
from generation.extract.selection import MORE_FOR_A_RULE, Chosen, Selection, select
from generation.extract.siblings import first_part, next_that_states, siblings_named
from generation.extract.wording import write
from generation.filter import is_pinned
from generation.insufficient import refusal
from generation.library import Library
from generation.mode import Draft, Request, Steps
from generation.records import Conflict
from generation.text.statements.units import stretches_in
from search.records import Hit, Passage, RetrieverScore, Scores
from search.text.analyzer import tokens

LEAST_SHARE = 0.6
"""Part of the question's subject that one unit must speak of to be quoted where the question has a
name that the index lacks."""

LEAST_SHARE_BESIDE = 0.5
"""The same beside the best passage, for a value that no passage found has."""

LEAST_NAME = 3
"""Letters of such a name that is a reason to refuse: ID, HR and PC are everyday words."""

LEAST_TOLD = 0.2
"""Part of the question's subject that the quoted passages must speak of to answer it."""

BEHIND_DEFINITIONS = 4
"""Hits that the filter left out and that are quoted as well where it kept definitions alone."""

MOST_READ = 10
"""Hits that are read for a sentence that answers, those that the filter left out included."""

_NOTHING_NEAR = (
    "no passage found has a word of this question's subject, or is near to it in meaning."
)


class Extractive:
    """Quotes word for word, grouped by rule, with numbered citations."""

    name = "extractive"
    needs_llm = False
    needs_hits = True

    def steps(self, request: Request) -> Steps:
        """Answer without a call."""
        yield from ()
        question = request.context.in_full or request.question
        library = request.context.library
        hits, kept = _hits_to_read(request)
        if library is not None and (reason := elsewhere(question, hits[:kept], library)):
            return refusal(reason, "jurisdiction", hits)
        rarities = None if library is None else library.rarities(tokens(question))
        similarities = None if library is None else library.similarities
        named = {passage.id for passage in request.context.named}
        names = NO_NAMES
        if library is not None:
            names = absent_names(question, rarities or {}, library)
            hits, kept = with_family(question, hits, kept, library)
        compared = compares(question)

        def quote(
            hits: list[Hit], kept: int, every: bool = compared, unsure: bool = request.unsure
        ) -> Selection:
            defining = [index for index, hit in enumerate(hits) if _only_defines(hit)]
            every = every or 0 in defining
            candidates = candidates_of(question, hits, kept, rarities, similarities, every)
            in_passing = [index for index, hit in enumerate(hits) if hit.id in named]
            return select(
                question, candidates, request.settings.words, kept,
                in_passing=in_passing, beside=defining, unsure=unsure,
                documents=[hit.document_id for hit in hits] if compared else (),
            )  # fmt: skip

        selection = quote(hits, kept)
        lacking = absent_kinds(question, _quoted(hits, selection))
        is_pointer = points_on(selection.best.unit.text)
        if lacking or is_pointer:
            other = quote(hits, kept, every=True)
            others = absent_kinds(question, _quoted(hits, other))
            if len(others) < len(lacking) or (is_pointer and len(others) == len(lacking)):
                selection, lacking = other, others
        doubtful = request.is_doubtful and not request.unsure  # who is not sure claims nothing
        names_something = any(len(name) >= LEAST_NAME for name in names.unknown)
        if names_something and (doubtful or selection.most_share < LEAST_SHARE):
            reason = f"nothing in this index mentions {', '.join(names.unknown)}."
            return refusal(reason, "unknown-name", hits)
        if library is not None and lacking:
            best = hits[selection.best.hit].passage
            rules = rules_that_state(lacking, best, selection.best.unit.text, library)
            if rules:
                known = {one.id for one in rules}
                kept += len(rules) - sum(hit.id in known for hit in hits[:kept])
                hits = [*_named_hits(rules), *(hit for hit in hits if hit.id not in known)]
                selection = quote(hits, kept)
                lacking = absent_kinds(question, _quoted(hits, selection))
        if library is not None:
            hits = _with_parts_beside(request, hits, selection, lacking, library)
        told = speaks_of(question, _quoted(hits, selection), rarities or {}, names)
        unsure, first = request.unsure or selection.only_points, selection.best
        if told < LEAST_TOLD and not (unsure or first.is_named or first.fits):
            unsure, selection = True, quote(hits, kept, unsure=True)
        if unsure and not _near(selection, hits):
            return refusal(_NOTHING_NEAR, "answerable", hits)
        absent = not_stated(question, _quoted(hits, selection), hits[:kept], rarities, names)
        conflicts = _with_conflicts(request.conflicts, hits, selection)
        text, citations, extract = write(question, hits, selection, absent, unsure, conflicts)
        return Draft(text, citations, extract=extract)


def _with_parts_beside(
    request: Request,
    hits: Sequence[Hit],
    selection: Selection,
    lacking: Sequence[AskedKind],
    library: Library,
) -> list[Hit]:
    """Quote the parts of a rule without which what is quoted is incomplete.

    Args:
        request: that is answered.
        hits: that are quoted.
        selection: gets what is quoted of the parts.
        lacking: kinds of value that were asked for and that nothing quoted states.
        library: has the parts.

    Returns:
        The hits, those of the parts behind them.
    """
    quoted = _words_quoted(hits, selection)
    best, shown = selection.best, {passage.id for passage, _ in quoted}
    passage = hits[best.hit].passage
    parts = siblings_named(quoted, library)
    if best.is_whole_asked and not best.is_named:
        parts += first_part(passage, library, MORE_FOR_A_RULE * request.settings.words)
    following = next_that_states(lacking, passage, library)
    parts += following
    found = _named_hits({one.id: one for one in parts if one.id not in shown}.values())
    further = candidates_of("", found, len(found)) if found else []
    if not following and (stating := beside_that_state(lacking, passage, library)):
        question = request.context.in_full or request.question
        rarities = library.rarities(tokens(question))
        units = candidates_of(question, _named_hits(stating), len(stating), rarities)
        likeliest = max(units, key=lambda one: one.value)
        if likeliest.share >= LEAST_SHARE_BESIDE:
            further.append(replace(likeliest, hit=len(found) + likeliest.hit))
            found += _named_hits(stating)
    selection.add(replace(one, hit=len(hits) + one.hit) for one in further)
    return [*hits, *found]


def _with_conflicts(
    conflicts: Sequence[Conflict], hits: Sequence[Hit], selection: Selection
) -> list[Conflict]:
    """Quote the other side of each conflict of which one side is quoted; return these conflicts."""
    places = {hit.id: place for place, hit in enumerate(hits)}
    found = []
    for conflict in conflicts:
        quoted = [(hits[one.candidate.hit].id, " ".join(stretches_in(one.statement, one.pieces)))
                  for one in (*selection.chosen, *selection.also)]  # fmt: skip
        hidden = [
            side for side in conflict
            if not any(side.hit.id == key and side.sentence in words for key, words in quoted)
        ]  # fmt: skip
        if len(hidden) == len(conflict) or any(side.hit.id not in places for side in hidden):
            continue
        found.append(conflict)
        for side in hidden:
            units = (one for one in candidates_of("", [side.hit], 1)
                     if side.sentence in one.unit.text)  # fmt: skip
            selection.add(replace(one, hit=places[side.hit.id]) for one in islice(units, 1))
    return found


def _near(selection: Selection, hits: Sequence[Hit]) -> list[Chosen]:
    """Keep only what has a word of the question's subject, or what the dense retriever found."""
    if any(hit.scores.dense for hit in hits):
        selection.chosen = [
            one for one in selection.chosen
            if one.candidate.share or hits[one.candidate.hit].scores.dense
            or is_pinned(hits[one.candidate.hit])
        ]  # fmt: skip
    return selection.chosen


def _words_quoted(hits: Sequence[Hit], selection: Selection) -> list[tuple[Passage, str]]:
    """Return the passages that rules are quoted of, and the words."""
    return [
        (hits[one.candidate.hit].passage, " ".join(stretches_in(one.statement, one.pieces)))
        for one in selection.chosen
    ]


def _quoted(hits: Sequence[Hit], selection: Selection) -> list[Hit]:
    """Return the hits that something is quoted of."""
    quoted = {one.candidate.hit for one in (*selection.chosen, *selection.also)}
    return [hit for index, hit in enumerate(hits) if index in quoted]


def _hits_to_read(request: Request) -> tuple[list[Hit], int]:
    """Return what may be quoted, and how many of these are sure: the others the filter left out."""
    named = request.context.named
    ids = {passage.id for passage in named}
    kept = [hit for hit in request.hits if hit.id not in ids]
    others = [hit for hit in request.others if hit.id not in ids]
    sure = [*_named_hits(named), *kept]
    if sure and all(map(_only_defines, sure)):
        # A definition that nobody asked for answers nothing alone.
        sure, others = [*sure, *others[:BEHIND_DEFINITIONS]], others[BEHIND_DEFINITIONS:]
    return [*sure, *others[: max(0, MOST_READ - len(sure))]], len(sure)


def _only_defines(hit: Hit) -> bool:
    """Return whether a passage defines a term whose meaning nobody asked for."""
    return hit.passage.kind == "definition" and not is_pinned(hit)


def _named_hits(passages: Iterable[Passage]) -> list[Hit]:
    scores = Scores(RetrieverScore(1.0, 1.0, 1), number=1.0)
    return [Hit(1, 1.0, scores, passage) for passage in passages]

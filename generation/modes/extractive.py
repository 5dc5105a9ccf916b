"""Mode `extractive`: the provisions that answer in their own words, without a model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from generation.extract.asked import compares
from generation.extract.candidates import candidates_of
from generation.extract.elsewhere import elsewhere
from generation.extract.not_stated import NO_NAMES, absent_kinds, absent_names, not_stated
from generation.extract.pointers import beside_that_state, points_on, rules_that_state
from generation.extract.selection import Selection, select
from generation.extract.siblings import siblings_named
from generation.extract.wording import write
from generation.insufficient import refusal
from generation.mode import Draft, Request, Steps
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

MOST_READ = 10
"""Hits that are read for a sentence that answers, those that the filter left out included."""


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

        compared = compares(question)

        def quote(hits: list[Hit], kept: int, every: bool = compared) -> Selection:
            candidates = candidates_of(question, hits, kept, rarities, similarities, every)
            in_passing = [index for index, hit in enumerate(hits) if hit.id in named]
            return select(
                question, candidates, request.settings.words, kept,
                in_passing=in_passing, unsure=request.unsure,
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
        if library is not None:
            beside = siblings_named(_words_quoted(hits, selection), library)
            further = candidates_of(question, _named_hits(beside), len(beside)) if beside else []
            best = hits[selection.best.hit].passage
            if stating := beside_that_state(lacking, best, library):
                units = candidates_of(question, _named_hits(stating), len(stating), rarities)
                likeliest = max(units, key=lambda one: one.value)
                if likeliest.share >= LEAST_SHARE_BESIDE:
                    beside, further = (
                        [*beside, *stating],
                        [*further, replace(likeliest, hit=len(beside) + likeliest.hit)],
                    )
            selection.add(replace(one, hit=len(hits) + one.hit) for one in further)
            hits = [*hits, *_named_hits(beside)]
        absent = not_stated(question, _quoted(hits, selection), hits[:kept], rarities, names)
        text, citations, extract = write(question, hits, selection, absent, request.unsure)
        return Draft(text, citations, extract=extract)


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
    return [*sure, *others[: max(0, MOST_READ - len(sure))]], len(sure)


def _named_hits(passages: Iterable[Passage]) -> list[Hit]:
    scores = Scores(RetrieverScore(1.0, 1.0, 1), number=1.0)
    return [Hit(1, 1.0, scores, passage) for passage in passages]

"""Mode `extractive`: the provisions that answer in their own words, without a model."""

from __future__ import annotations

from generation.extract.candidates import candidates_of
from generation.extract.not_stated import NO_NAMES, absent_names, not_stated
from generation.extract.selection import select
from generation.extract.wording import write
from generation.insufficient import refusal
from generation.mode import Draft, Request, Steps
from search.records import Hit, LegScore, Passage, Scores
from search.text.analyzer import tokens

LEAST_SHARE = 0.6
"""Part of the question's subject that one unit must speak of to be quoted where the question has a
name that the index lacks."""

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
        hits, kept = _hits_to_read(request)
        library = request.context.library
        rarities = None if library is None else library.rarities(tokens(request.question))
        similarities = None if library is None else library.similarities
        candidates = candidates_of(request.question, hits, kept, rarities, similarities)
        names = NO_NAMES
        if library is not None:
            names = absent_names(request.question, rarities or {}, library)
        if names.unknown and max(one.share for one in candidates) < LEAST_SHARE:
            reason = f"nothing in this index mentions {', '.join(names.unknown)}."
            return refusal(reason, "unknown-name", hits)
        selection = select(
            request.question, candidates, request.settings.words, kept, request.unsure
        )
        quoted = {one.candidate.hit for one in (*selection.chosen, *selection.also)}
        read = [hit for index, hit in enumerate(hits) if index in quoted]
        absent = not_stated(request.question, read, rarities, names)
        text, citations, extract = write(request.question, hits, selection, absent, request.unsure)
        return Draft(text, citations, extract=extract)


def _hits_to_read(request: Request) -> tuple[list[Hit], int]:
    """Return what may be quoted, and how many of these are sure: the others the filter left out."""
    named = request.context.named
    ids = {passage.id for passage in named}
    kept = [hit for hit in request.hits if hit.id not in ids]
    others = [hit for hit in request.others if hit.id not in ids]
    sure = [*map(_named_hit, named), *kept]
    return [*sure, *others[: max(0, MOST_READ - len(sure))]], len(sure)


def _named_hit(passage: Passage) -> Hit:
    return Hit(1, 1.0, Scores(LegScore(1.0, 1.0, 1), number=1.0), passage)

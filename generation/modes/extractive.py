"""Mode `extractive`: the provisions that answer in their own words, without a model."""

from __future__ import annotations

from generation.extract.candidates import candidates_of
from generation.extract.not_stated import NO_NAMES, NotStated, absent_names, not_stated
from generation.extract.pointers import rules_that_state
from generation.extract.selection import Selection, select
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
        question, library = request.question, request.context.library
        hits, kept = _hits_to_read(request)
        rarities = None if library is None else library.rarities(tokens(question))
        similarities = None if library is None else library.similarities
        names = NO_NAMES
        if library is not None:
            names = absent_names(question, rarities or {}, library)

        def quote(hits: list[Hit], kept: int, every: bool = False) -> tuple[Selection, NotStated]:
            candidates = candidates_of(question, hits, kept, rarities, similarities, every)
            chosen = select(question, candidates, request.settings.words, kept, request.unsure)
            quoted = {one.candidate.hit for one in (*chosen.chosen, *chosen.also)}
            read = [hit for index, hit in enumerate(hits) if index in quoted]
            return chosen, not_stated(question, read, rarities, names)

        selection, absent = quote(hits, kept)
        if absent.kinds:
            other = quote(hits, kept, every=True)
            if len(other[1].kinds) < len(absent.kinds):
                selection, absent = other
        if names.unknown and selection.most_share < LEAST_SHARE:
            reason = f"nothing in this index mentions {', '.join(names.unknown)}."
            return refusal(reason, "unknown-name", hits)
        if library is not None and absent.kinds:
            best = hits[selection.best.hit].passage
            rules = rules_that_state(absent.kinds, best, selection.best.unit.text, library)
            if rules:
                known = {one.id for one in rules}
                kept += len(rules) - sum(hit.id in known for hit in hits[:kept])
                hits = [*map(_named_hit, rules), *(hit for hit in hits if hit.id not in known)]
                selection, absent = quote(hits, kept)
        text, citations, extract = write(question, hits, selection, absent, request.unsure)
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

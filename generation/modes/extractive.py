"""Mode `extractive`: the provisions that answer in their own words, without a model.

Units of the passages are scored, chosen, completed and written: `generation.extract`.
"""

from __future__ import annotations

from collections.abc import Sequence

from generation.extract.asked import compares
from generation.extract.choose import Selection, choose, merged
from generation.extract.complete import complete, hits_of, rules_that_state, with_conflicts
from generation.extract.margins import CHOOSE
from generation.extract.score import score
from generation.extract.silence import absent_kinds, absent_names, elsewhere, not_stated
from generation.extract.units import essence, rule_of
from generation.extract.write import write
from generation.filter import is_pinned
from generation.insufficient import refusal
from generation.library import Library
from generation.mode import Draft, Request, Steps
from generation.text.subject import subject
from search.records import Hit
from search.text.analyzer import tokens

LEAST_NAME = 3
"""Letters of a name that the index lacks which is a reason to refuse: ID, HR and PC are everyday
words."""

BEHIND_DEFINITIONS = 4
"""Hits that the filter left out and that are quoted as well where it kept definitions alone."""

MOST_READ = 10
"""Hits that are read for a statement that answers, those that the filter left out included."""

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
        hits = hits[:MOST_READ]
        selection = _selection(request, question, hits, kept)
        if library is not None and (stating := _stating(question, hits, selection, library)):
            ids = {hit.id for hit in stating}
            kept += len(stating) - sum(hit.id in ids for hit in hits[:kept])
            hits = [*stating, *(hit for hit in hits if hit.id not in ids)]
            selection = _selection(request, question, hits, kept)
        hits = [*hits, *hits_of(request.context.named)]
        names = (
            [] if library is None
            else absent_names(question, library.rarities(tokens(question)), library)
        )  # fmt: skip
        doubtful = request.is_doubtful and not request.unsure
        if (doubtful or selection.is_weak) and any(len(name) >= LEAST_NAME for name in names):
            reason = f"nothing in this index mentions {', '.join(names)}."
            return refusal(reason, "unknown-name", hits)
        if selection.unsure and not _near(selection, hits, subject(question)):
            return refusal(_NOTHING_NEAR, "answerable", hits)
        places = sorted({one.candidate.hit for one in selection.chosen})
        absent = not_stated(question, [hits[place] for place in places], hits[:kept], names)
        if absent.words or absent.kinds:
            _keep_nearest(selection, hits)
        hits = complete(hits, selection, library)
        conflicts = with_conflicts(request.conflicts, hits, selection)
        text, citations, extract = write(question, hits, selection, absent, conflicts)
        return Draft(text, citations, extract=extract)


def _selection(request: Request, question: str, hits: Sequence[Hit], kept: int) -> Selection:
    """Choose what to quote of hits, and of the rules that the question names in passing."""
    named = hits_of(request.context.named)
    units = score(question, [*hits, *named], request.context.library)
    units = merged(units, [essence(one.unit.text) for one in units])
    return choose(
        question, units, request.settings.words, kept,
        in_passing=range(len(hits), len(hits) + len(named)),
        documents=[hit.document_id for hit in (*hits, *named)] if compares(question) else (),
        unsure=request.unsure,
    )  # fmt: skip


def _keep_nearest(selection: Selection, hits: Sequence[Hit]) -> None:
    rules = [(hit.document_id, rule_of(hit.passage)) for hit in hits]
    nearest = rules[selection.best.hit]
    selection.chosen = [one for one in selection.chosen if rules[one.candidate.hit] == nearest]


def _stating(
    question: str, hits: Sequence[Hit], selection: Selection, library: Library
) -> list[Hit]:
    """Return the rules that state what is asked for, where the best unit only names them."""
    best = selection.best
    if best.hit >= len(hits):
        return []  # of a rule that the question names
    quoted = [hits[one.candidate.hit] for one in selection.chosen if one.candidate.hit < len(hits)]
    kinds = absent_kinds(question, quoted)
    return hits_of(rules_that_state(kinds, hits[best.hit].passage, best.unit.text, library))


def _near(selection: Selection, hits: Sequence[Hit], about: frozenset[str]) -> bool:
    """Return whether something quoted has a word of the question, or is near it in meaning."""
    if not any(hit.scores.dense for hit in hits):
        return True
    for one in (chosen.candidate for chosen in selection.chosen):
        dense = hits[one.hit].scores.dense
        is_like = dense is not None and dense.raw >= CHOOSE.like
        if is_like or about & (one.unit.terms | one.heading) or is_pinned(hits[one.hit]):
            return True
    return False


def _hits_to_read(request: Request) -> tuple[list[Hit], int]:
    """Return what may be quoted, and how many of these the filter kept."""
    ids = {passage.id for passage in request.context.named}
    kept = [hit for hit in request.hits if hit.id not in ids]
    reads_past = request.settings.filter.margin > 0
    others = [hit for hit in request.others if reads_past and hit.id not in ids]
    only_define = all(hit.passage.kind == "definition" and not is_pinned(hit) for hit in kept)
    # A definition that nobody asked for answers nothing alone.
    return [*kept, *others], len(kept) + (BEHIND_DEFINITIONS if only_define else 0)

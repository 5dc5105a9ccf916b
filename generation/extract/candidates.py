"""Everything in the passages that might be quoted, weighed against the question."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from generation.extract.brackets import fitting
from generation.extract.features import SEARCH_NAMES, Array, Placed, Subject, features_of
from generation.extract.passages import is_worth_reading, odds_of
from generation.extract.pointers import points_on
from generation.extract.repeats import essence
from generation.extract.selector import selector
from generation.text.obligations import DUTIES, StatementKind, kind_of
from generation.text.statements.clauses import Statement, fold, statements_of
from generation.text.statements.exceptions import takes_back
from generation.text.statements.tables import Piece
from generation.text.statements.units import Unit, units_of
from generation.text.subject import terms_of
from generation.text.values import ACRONYM, REFERENCE
from search.records import Hit
from search.text.analyzer import tokens

Similarities = Callable[[str, Sequence[str]], Sequence[float]]
"""Question and texts → how alike they are in meaning (`Library.similarities`)."""

MOST_PER_PASSAGE = 60
"""Units of one passage that are weighed, so that a schedule of 24,000 words is cheap."""

LONGEST_PIECE = 160
"""Words; longer pieces are unpunctuated forms, quoted only for want of others."""

MOST_COMPARED, MOST_WORDS = 8, 24
"""Units that are compared with the question in meaning, and how many of their words: to encode them
takes longer than all else."""

OPEN = 3.0
"""Log-odds by which a unit may be behind the likeliest by its words and still be compared."""

NAMED = 6.0
"""What it is worth that the question names the rule by number, or asks what a term means."""

FEW_WORDS = 4
"""Words up to which a question says only what it is about."""

SECOND = 1.0
"""What it costs there that a unit is guidance, or an exception: the rule itself comes first."""

BY_PASSAGE = 0.6
"""Part of the log-odds that a passage answers which goes to its units."""


ALL = 0.99
"""Part of the question's subject that is all of it."""

FITS = 3.0
"""What it is worth that a row or item is of the grade, or of the range, that the question names."""

POINTER = 5.0
"""What it costs that a unit only says what its document or another part of it is about."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A unit of a passage, with what speaks for quoting it."""

    hit: int
    """Index of its hit."""
    place: int
    """Index of its statement within the passage."""
    unit: Unit
    kind: StatementKind
    value: float
    """Log-odds that it answers the question."""
    share: float
    """Part of the question's subject that the unit and its headings speak of, 0 to 1."""
    is_named: bool = False
    """Whether the question names its rule by number, or the term that it defines."""
    is_whole_asked: bool = False
    """Whether the headings above it have all of the question's subject: it asks for the rule."""
    fits: bool = False
    """Whether it is what fits a value of the question, of several alike (`brackets.fitting`)."""
    twins: tuple[Candidate, ...] = ()
    """What other hits have that says the same."""

    @property
    def is_row(self) -> bool:
        """Whether it is about a row of a table."""
        return self.unit.statement.pieces[self.unit.core].role == "row"

    @property
    def is_duty(self) -> bool:
        """Whether it obliges, forbids or expects."""
        return self.kind in DUTIES


def candidates_of(
    question: str,
    hits: Sequence[Hit],
    kept: int,
    rarities: Mapping[str, float] | None = None,
    similarities: Similarities | None = None,
    every: bool = False,
) -> list[Candidate]:
    """Return what may be quoted, in the order of hits and text, repetitions merged.

    Args:
        question: as it was asked.
        hits: best first.
        kept: how many of them the filter kept; the others are less likely to answer.
        rarities: of the question's terms in the index; None: they are counted among the hits.
        similarities: how alike question and texts are in meaning; None: it is not known.
        every: whether passages are read that hardly answer beside the best one.
    """
    odds = odds_of(hits)
    best = max(odds, default=1.0)
    read = placed_units(hits, [
        index for index, hit in enumerate(hits)
        if every or is_worth_reading(odds[index], best) or _is_named(hit)
    ])  # fmt: skip
    placed = [one for _, one in read]
    about = Subject(question, rarities if rarities is not None else _rarities(question, placed))
    features = word_features(question, hits, placed, about, kept)
    answers = selector(meaning=False).log_odds(features)
    if similarities is not None:
        answers = _with_meaning(question, placed, features, answers, similarities)
    is_brief = len(question.split()) <= FEW_WORDS
    unnamed = ACRONYM.sub(" ", REFERENCE.sub(" ", question))
    beside_names = Subject(unnamed, about.weights)
    found = []
    fits = fitting(question, hits, [(one.hit, one.unit) for one in placed])
    for (place, one), own, fit in zip(read, answers.tolist(), fits, strict=True):
        if fit is False:
            continue  # another one of its family fits
        named = _is_named(hits[one.hit])
        value = own + BY_PASSAGE * math.log(odds[one.hit] / best) + NAMED * named
        value += FITS * bool(fit)
        value -= POINTER * points_on(one.unit.text)
        value -= SECOND * (is_brief and _is_second(one.unit, hits[one.hit]))
        share = about.share(one.unit.terms | one.heading)
        all_of_it = asks_whole(beside_names, one.heading, named)
        found.append(
            Candidate(one.hit, place, one.unit, one.kind, value, share, named, all_of_it, bool(fit))
        )
    return _merged(found)


def asks_whole(about: Subject, heading: frozenset[str], is_named: bool) -> bool:
    """Return whether headings have all of a subject; without one, whether the rule is named."""
    return about.share(heading) >= ALL if any(about.weights.values()) else is_named


def _is_named(hit: Hit) -> bool:
    """Return whether the question names its rule, or the term that it defines."""
    return hit.scores.number is not None or bool(hit.definition)


def _is_second(unit: Unit, hit: Hit) -> bool:
    """Return whether a unit is guidance on a rule, or an exception from one."""
    return hit.passage.kind in ("guidance", "footnote") or takes_back(unit.text)


def placed_units(hits: Sequence[Hit], read: Sequence[int]) -> list[tuple[int, Placed]]:
    """Return the units that may be quoted, each with the place of its statement in its passage.

    Args:
        hits: best first.
        read: indices of those whose passages are read.
    """
    return [one for index in read for one in _placed(index, hits[index])]


def word_features(
    question: str, hits: Sequence[Hit], placed: Sequence[Placed], about: Subject, kept: int
) -> Array:
    """Return what words and search say of units, shape (units, `NAMES` and `SEARCH_NAMES`)."""
    return np.hstack([features_of(question, placed, about), _search(hits, placed, kept)])


def meaning_features(
    question: str, units: Sequence[Placed], similarities: Similarities
) -> Array | None:
    """Return how alike units and question are, shape (units, `MEANING_NAMES`); None: not known."""
    texts = [_shortened(one.unit) for one in units]
    alike = np.asarray(similarities(question, texts), np.float64)
    if len(alike) != len(texts) or not texts:
        return None
    return np.column_stack([alike, alike.max() - alike])


def _shortened(unit: Unit) -> str:
    """Return the first words of a unit; of a long list item, half are its introduction's."""
    words, own = unit.text.split(), unit.own.split()
    half = MOST_WORDS // 2
    if len(words) > MOST_WORDS and len(words) - len(own) > half:
        words = [*words[:half], *own[:half]]
    return " ".join(words[:MOST_WORDS])


def likeliest_by_words(odds: Array) -> NDArray[np.intp]:
    """Return which units are compared in meaning, best first: those that words leave open."""
    best = np.argsort(-odds, kind="stable")[:MOST_COMPARED]
    return np.asarray(best[odds[best] >= odds.max(initial=-np.inf) - OPEN])


def _search(hits: Sequence[Hit], placed: Sequence[Placed], kept: int) -> Array:
    """Return what the search says of each unit's passage, shape (units, `SEARCH_NAMES`)."""
    best = max((hit.score for hit in hits), default=0.0)
    rows = [[best - hits[one.hit].score, math.log(one.hit + 1), one.hit >= kept] for one in placed]
    return np.asarray(rows, np.float64).reshape(len(placed), len(SEARCH_NAMES))


def _with_meaning(
    question: str,
    placed: Sequence[Placed],
    features: Array,
    odds: Array,
    similarities: Similarities,
) -> Array:
    """Return better log-odds of the likeliest units; the others keep their distance to these."""
    likeliest = likeliest_by_words(odds)
    if len(likeliest) < 2:
        return odds
    meaning = meaning_features(question, [placed[i] for i in likeliest], similarities)
    if meaning is None:
        return odds
    better = selector(meaning=True).log_odds(np.hstack([features[likeliest], meaning]))
    found = odds + (better - odds[likeliest]).mean()
    found[likeliest] = better
    return np.asarray(found)


def _placed(index: int, hit: Hit) -> list[tuple[int, Placed]]:
    """Return the units of a passage with the places of their statements."""
    heading = terms_of(" ".join((hit.document_title, *hit.breadcrumb, *_titles(hit.bearing))))
    units = [
        (place, unit) for place, statement in _quotable(hit.bearing) for unit in units_of(statement)
    ]
    short = [one for one in units if _longest_piece(one[1]) <= LONGEST_PIECE] or units
    last = max(1, len(short) - 1)
    return [
        (
            place,
            Placed(
                unit,
                "definition" if hit.definition else kind_of(unit.text),
                index,
                number / last,
                heading,
            ),
        )
        for number, (place, unit) in enumerate(short[:MOST_PER_PASSAGE])
    ]


def _titles(text: str) -> list[str]:
    """Return the question above what answers it, as in a list of questions and answers."""
    first = statements_of(text)[:1]
    return [one.text for one in first if one.heading and one.text.endswith("?")]


def _quotable(text: str) -> list[tuple[int, Statement]]:
    """Return place and statement of all but titles; of titles where there is nothing else."""
    statements = statements_of(text) or (Statement((Piece(fold(text), "lead"),)),)
    numbered = list(enumerate(statements))
    stating = [(place, s) for place, s in numbered if not s.heading]
    # What stands below a question is no title, however short it is.
    return stating or [(place, s) for place, s in numbered if not s.text.endswith("?")] or numbered


def _longest_piece(unit: Unit) -> int:
    pieces = unit.statement.pieces
    return max((pieces[i].words for i in unit.pieces if pieces[i].role != "row"), default=0)


def _rarities(question: str, placed: Sequence[Placed]) -> dict[str, float]:
    """Return the inverse document frequency of the question's terms among the units."""
    sets = [one.unit.terms | one.heading for one in placed]
    return {
        term: math.log(1 + (len(sets) + 1) / (1 + sum(term in terms for terms in sets)))
        for term in tokens(question)
    }


def _merged(found: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates without repetitions; the best of several knows the hits of others."""
    kept: dict[tuple[str, ...], Candidate] = {}
    for candidate in found:
        said = essence(candidate.unit.text)
        earlier = kept.setdefault(said, candidate)
        if candidate.hit not in (earlier.hit, *(twin.hit for twin in earlier.twins)):
            kept[said] = replace(earlier, twins=(*earlier.twins, candidate))
    return list(kept.values())

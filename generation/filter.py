"""The score filter: which of the ranked passages are good enough to answer from (RIRAG, 5.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from generation.text.subject import subject
from search.errors import InputError
from search.json_form import Record
from search.messages.arguments import number, several_hits, whole_number
from search.records import Hit
from search.text.analyzer import term_set
from search.trace import DOUBTFUL

EPSILON = 1e-6
"""Scores are float32 sums of normalised scores: two that print the same can differ in the seventh
digit, so both borders give way by this much. A drop of 0.2 and a score of 0.7 pass."""


SUBJECT_SHARE, SURE_SHARE = 0.6, 0.99
"""Part of the terms of a question's subject that the first hit must hold to be kept below the floor
on its score, and below the floor on the probability of an answer."""

NEAREST, NEAREST_SHARE = 5, 0.3
"""Passages that are read where none is good enough for the filter, and the part of the terms of the
question's subject that one of them must hold."""

LEAST_SHOWN = 0.03
"""Probability of an answer below which what is nearest is about something else: no passage is named
that does not hold that part of the subject."""

DOUBTFUL_FACTOR = 1.5
"""Times the least probability of an answer below which an answer is in doubt."""

MOST_DIGITS = 6
"""Decimals of a value that is shown beside the floor that it misses."""
FilterScore = Literal["score", "relevance"]
"""What the filter looks at: the score that decides the order, or the calibrated probability."""


@dataclass(frozen=True, slots=True)
class FilterSettings:
    """The numbers of the filter; the first three have the defaults of RIRAG, section 5.2."""

    max_passages: int = 10
    """Most passages used, where the question does not name a rule that has more."""
    max_drop: float = 0.2
    """A fall between neighbours above this ends the walk; 0 to 1."""
    min_score: float = 0.7
    """Passages below this are not used; 0 to 1."""
    score: FilterScore = "score"
    """What drop and floor are applied to. A hit without a relevance goes by its score."""
    min_answerable: float = DOUBTFUL
    """Nothing is used where the index has an answer with less probability, 0 to 1."""
    nearest_share: float | None = None
    """Below that probability the nearest passages are still shown, as not sure, if it is
    `LEAST_SHOWN` or one of the first holds this part of the terms of the question's subject, 0 to
    1; None: they are not."""
    margin: float = 5.0
    """A model also reads passages that the walk left out, among the first `max_passages`, whose
    best statement is at most this much less likely to answer than the best of all, in log-odds; 0:
    none, as in RIRAG."""

    def __post_init__(self) -> None:
        if self.score not in get_args(FilterScore):
            known = " or ".join(get_args(FilterScore))
            raise InputError(
                f"The filter's score is {self.score!r}; it must be {known}.",
                code="argument.invalid",
            )
        most = whole_number(self.max_passages, "The filter's max_passages", 1)
        object.__setattr__(self, "max_passages", most)
        shares = () if self.nearest_share is None else ("nearest_share",)
        for name in ("max_drop", "min_score", "min_answerable", "margin", *shares):
            most = 100 if name == "margin" else 1
            value = number(getattr(self, name), f"The filter's {name}", 0, most)
            object.__setattr__(self, name, value)


@dataclass(frozen=True, slots=True)
class FilterResult(Record):
    """The passages kept, best first, and why the filter stopped."""

    kept: tuple[Hit, ...]
    reason: str
    considered: int
    """How many passages with text were looked at."""
    settings: FilterSettings
    answerable: float | None = None
    """Probability that the index has an answer; None: it is not known."""
    found: tuple[str, ...] = ()
    """`ID` of every passage that the search found, best first."""
    nearest: tuple[Hit, ...] = ()
    """Where nothing is kept although the index may have an answer: what comes nearest."""
    behind: tuple[Hit, ...] = ()
    """Passages that were not kept and are read as well: one of another document that contradicts
    one that was, and, by a model, one with a statement that may answer."""

    json_form = (
        "settings.*(max_passages max_drop min_score score min_answerable margin) answerable "
        "considered kept=number_kept reason found"
    )

    @property
    def number_kept(self) -> int:
        """How many passages are kept."""
        return len(self.kept)

    @property
    def read(self) -> tuple[Hit, ...]:
        """The passages that an answer is made from: those kept and behind, or the nearest."""
        return (*self.kept, *self.behind) or self.nearest

    @property
    def is_unsure(self) -> bool:
        """Whether the passages read are below the numbers, and only the nearest."""
        return bool(self.nearest) and not self.kept

    @property
    def is_doubtful(self) -> bool:
        """Whether the probability of an answer is little above the least."""
        most = DOUBTFUL_FACTOR * self.settings.min_answerable
        return self.answerable is not None and self.answerable < most

    @property
    def is_unanswerable(self) -> bool:
        """Whether nothing was used because the index hardly has an answer."""
        return self.answerable is not None and self.answerable < self.settings.min_answerable


def filter_hits(
    hits: Sequence[Hit],
    settings: FilterSettings | None = None,
    answerable: float | None = None,
    question: str = "",
) -> FilterResult:
    """Keep the hits that are good enough to answer from.

    Walks the hits in the order of their ranks and applies the numbers to `hit.score`, the score
    that is shown, or to `hit.relevance`. Empty passages and bare headings are passed over: they
    hold nothing to quote, and the neighbours of the walk are the hits on either side of them.
    What the question names by number is kept whatever its score, and so is the first hit where it
    holds the question's subject.

    Args:
        hits: best first.
        settings: the numbers.
        answerable: probability that the index has an answer (`trace.answerable` of a search);
            None: not known.
        question: as it was asked; empty: nothing is known of its subject.

    Raises:
        InputError: these are not hits, or this is not a probability.
    """
    hits, settings = several_hits(hits), settings or FilterSettings()
    found = tuple(hit.id for hit in hits)
    if answerable is not None:
        answerable = number(answerable, "The probability of an answer", 0, 1)
    kept, reason, considered = _walk(hits, settings, question)
    least = settings.min_answerable
    if answerable is not None and answerable < least and not _is_sure(kept, question):
        reason = (
            "No passage answers this question: the probability is "
            f"{short_of(answerable, least)}, below the minimum of {least:g}."
        )
        share = settings.nearest_share
        nearest: tuple[Hit, ...] = ()
        if share is not None:
            nearest = _nearest(hits, question, share if answerable < LEAST_SHOWN else 0)
        return FilterResult((), reason, 0, settings, answerable, found, nearest)
    # With a probability above the minimum, the index may have an answer.
    nearest = () if kept else _nearest(hits, question, NEAREST_SHARE if answerable is None else 0)
    return FilterResult(tuple(kept), reason, considered, settings, answerable, found, nearest)


def short_of(value: float, floor: float) -> str:
    """Return a value below a floor with two decimals, or with as many as tell the two apart."""
    digits = 2
    while digits < MOST_DIGITS and round(value, digits) >= floor:
        digits += 1
    return f"{value:.{digits}f}"


def readable_hits(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits that the walk looks at: those that have text and are not bare headings."""
    return [hit for hit in hits if hit.text.strip() and hit.passage.kind != "heading"]


def is_pinned(hit: Hit) -> bool:
    """Return whether a question names the rule of a hit, or asks for what it defines."""
    return hit.scores.number is not None or bool(hit.definition)


def _is_sure(kept: Sequence[Hit], question: str) -> bool:
    return any(is_pinned(hit) or _holds_subject(hit, question, SURE_SHARE) for hit in kept[:1])


def _holds_subject(hit: Hit, question: str, share: float) -> bool:
    """Return whether a hit has so much of the question's subject, 0 to 1.

    A question without a subject is held by nothing.
    """
    about = subject(question)
    held = about & term_set(" ".join((hit.document_title, *hit.breadcrumb, hit.text)))
    return bool(about) and len(held) >= share * len(about)


def _nearest(hits: Sequence[Hit], question: str, share: float) -> tuple[Hit, ...]:
    """Return the hits to read where none is kept; none where none speaks of the subject."""
    nearest = readable_hits(hits)[:NEAREST]
    speaks = not share or any(_holds_subject(hit, question, share) for hit in nearest)
    return tuple(nearest) if speaks else ()


def _walk(
    hits: Sequence[Hit], settings: FilterSettings, question: str
) -> tuple[list[Hit], str, int]:
    readable = readable_hits(hits)
    kept: list[Hit] = []
    for hit in readable[: _most(readable, settings)]:
        stop = _reason_to_stop(kept[-1] if kept else None, hit, settings)
        speaks = not kept and _holds_subject(hit, question, SUBJECT_SHARE)
        if stop and not (is_pinned(hit) or speaks):
            return kept, stop, len(kept) + 1
        kept.append(hit)
    return kept, _end_of_walk(readable, settings), len(kept)


def _most(readable: Sequence[Hit], settings: FilterSettings) -> int:
    """Return how many are looked at: of a rule that was asked for by number, all its passages."""
    named = [place for place, hit in enumerate(readable, 1) if hit.scores.number is not None]
    return max([settings.max_passages, *named])


def _reason_to_stop(before: Hit | None, hit: Hit, settings: FilterSettings) -> str:
    name, score = _looked_at(hit, settings)
    if before is not None:
        last = _looked_at(before, settings)[1]
        if last - score > settings.max_drop + EPSILON:
            return (
                f"Stopped before rank {hit.rank}: the {name} drops from {last:.3f} to "
                f"{score:.3f}, by more than {settings.max_drop:g}."
            )
    if not score >= settings.min_score - EPSILON:
        return (
            f"Stopped before rank {hit.rank}: its {name} of {score:.3f} is below the "
            f"minimum of {settings.min_score:g}."
        )
    return ""


def _looked_at(hit: Hit, settings: FilterSettings) -> tuple[str, float]:
    if settings.score == "relevance" and hit.relevance is not None:
        return "relevance", hit.relevance
    return "score", hit.score


def _end_of_walk(readable: Sequence[Hit], settings: FilterSettings) -> str:
    if not readable:
        return "No passage with text was found."
    most = _most(readable, settings)
    if len(readable) > most:
        used = "1 passage" if most == 1 else f"{most} passages"
        return f"Stopped after {used}, the maximum."
    return "All passages found were used."

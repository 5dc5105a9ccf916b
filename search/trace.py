"""The trace of a search: what it found and did, printable and storable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from search.json_form import Record
from search.provisions.terms.abbreviations import Abbreviation

VOTERS_SHOWN = 5
"""Answered questions that a printed plan names."""

DOUBTFUL = 0.1
"""Probability below which a question is told to have no answer here. Of the validation questions of
ObliQA, which all have one, fewer than one in fifty stay below (docs/relevance.md)."""

DOUBTFUL_CALIBRATED = 0.2
"""The same where a calibration on these documents gives the probability: of 30 questions without an
answer it refuses 23 instead of 16, and of the validation questions one in a hundred."""

NEAR = 0.6
"""Probability by the nearest vector alone from which a calibrated one that is lower does not refuse
an answer. Of 2,788 development questions, 51 were refused for it alone, and 13 are now; of 280
questions without an answer, 3 fewer are."""

AnswerableBy = Literal["", "calibration", "nearness"]
"""What the probability of an answer rests on: a calibration on these documents, the nearest vector
alone, or nothing, where there is none."""

_BY: Mapping[AnswerableBy, str] = {
    "": "", "calibration": "", "nearness": ", by the nearest vector alone",
}  # fmt: skip

RuleFinding = Literal["found", "inside", "no-such-number", "no-such-document"]
"""What the index has of a rule that a question names: the rule; the text that holds it, where it
has no passage of its own; a document without such a number; no such document."""


@dataclass(frozen=True, slots=True)
class NamedRule:
    """A rule that the question names, and what the index has under that number."""

    text: str
    """As the question writes it."""
    found: tuple[str, ...]
    """Citations of the passages it resolved to; empty: none."""
    ids: tuple[str, ...] = ()
    """Their `ID`s; of a number that does not exist, those of the passages around it."""
    finding: RuleFinding = "found"
    document: str = ""
    """The document it is of by the question's words, where the index has none of that name."""
    around: tuple[str, ...] = ()
    """Citations of the passages around a number that does not exist."""

    def describe(self) -> str:
        """Return what was found, as a person reads it."""
        if self.finding == "no-such-document":
            return f"{self.text} → no document is named {self.document}"
        found = ", ".join(self.found) or "no passage has this number"
        if self.finding == "inside":
            found += " (it has no passage of its own; this one contains it)"
        nearest = f"; next to it: {', '.join(self.around)}" if self.around else ""
        return f"{self.text} → {found}{nearest}"


@dataclass(frozen=True, slots=True)
class DefinedTerm:
    """A term whose meaning the question asks for, and where the index defines it."""

    text: str
    """As the first of its definitions writes it."""
    found: tuple[str, ...]
    """Citations of the passages that define it, at least one."""


@dataclass(frozen=True, slots=True)
class SimilarQuestion:
    """An answered question that voted for the passages that answered it."""

    question_id: str
    question: str
    similarity: float
    """To the asked one, 0 to 1."""
    passages: tuple[str, ...]
    """Their `ID`s."""


@dataclass(frozen=True, slots=True)
class Synonyms(Record):
    """Words of a question, and what the tuning file says they mean, too."""

    words: str
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PinnedRule(Record):
    """A passage that the tuning file pins to questions like this one."""

    citation: str
    id: str
    condition: str
    """The words that the question has."""


@dataclass(frozen=True, slots=True)
class NearWord(Record):
    """A word of a question that no passage has."""

    word: str
    near: str
    """The word of passages that is one letter away."""


@dataclass(frozen=True, slots=True)
class SearchTrace(Record):
    """What happened in a search, beside what its plan says."""

    numbers: tuple[NamedRule, ...] = ()
    unfound: tuple[str, ...] = ()
    """Why none of the rules exists that the question asks for by number; empty: one does, or it
    asks for none."""
    term: DefinedTerm | None = None
    """The term whose meaning is asked for; None: none is, or the index does not define it."""
    law_of: tuple[str, ...] = ()
    """Codes of the states that the question names, such as `IE`: their law comes before that of
    others; empty: none, or the index does not hold the law of several."""
    abbreviations: tuple[Abbreviation, ...] = ()
    """Abbreviations of a short question whose other form the lexical retriever searched too."""
    spelled_out: tuple[Abbreviation, ...] = ()
    """Those that no passage has, and whose meaning, the heading with their initials, was searched
    instead."""
    near_words: tuple[NearWord, ...] = ()
    """Words that no passage has, and what was searched instead."""
    synonyms: tuple[Synonyms, ...] = ()
    """Words with synonyms that the lexical retriever searched, too."""
    pinned: tuple[PinnedRule, ...] = ()
    """Passages that come first, or in a certain place, because somebody pinned them."""
    candidates: Mapping[str, int] = field(default_factory=dict)
    """How many candidates each retriever proposed, and how many the fusion had."""
    votes_weight: float = 0.0
    """Weight of the votes of answered questions, after the best vote chose it."""
    similar_questions: tuple[SimilarQuestion, ...] = ()
    """The answered questions that are most like this one; empty: none was asked for."""
    learned: str = ""
    """What put the best candidates into their final order; empty: the weights above did."""
    answerable: float | None = None
    """Probability that the index answers the question, 0 to 1; None: it is not known."""
    answerable_by: AnswerableBy = ""
    """What `answerable` rests on."""
    nearness: float | None = None
    """The same probability by the nearest vector alone; None: it is not known."""
    stood_aside: tuple[str, ...] = ()
    """Why fitted models of the profile had no say, or less of it: a sentence each."""
    notes: tuple[str, ...] = ()
    milliseconds: Mapping[str, float] = field(default_factory=dict)
    """Time of each stage."""
    reranked: int = 0
    """How many candidates the reranker read."""

    def describe(self) -> str:
        """Return the trace as lines that a person can read."""
        lines = [f"learned     {self.learned}"] if self.learned else []
        if self.answerable is not None:
            lines.append(f"answerable  {self.answerable:.2f}{_BY[self.answerable_by]}")
        lines += [f"fitted      {reason}" for reason in self.stood_aside]
        lines += [f"named       {rule.describe()}" for rule in self.numbers]
        if self.term is not None:
            lines.append(f"defined     {self.term.text} → {', '.join(self.term.found)}")
        if self.law_of:
            lines.append(f"law of      {', '.join(self.law_of)}; that of other states comes after")
        short = (*self.spelled_out, *self.abbreviations)
        lines += [f"short for   {one.short} = {one.meaning}" for one in short]
        lines += [f"near word   {one.word} → {one.near}" for one in self.near_words]
        lines += [f"synonyms    {one.words} → {', '.join(one.others)}" for one in self.synonyms]
        lines += [f"pinned      {one.citation}, to {one.condition!r}" for one in self.pinned]
        lines += self._votes()
        lines.append(f"candidates  {_pairs(self.candidates, '{}')}")
        lines.append(f"time        {_pairs(self.milliseconds, '{:.1f} ms')}")
        lines += [f"note        {note}" for note in self.notes]
        return "\n".join(lines)

    def _votes(self) -> list[str]:
        if not self.similar_questions:
            return []
        voters = [
            f"similar     {one.similarity:.2f} {one.question}"
            for one in self.similar_questions[:VOTERS_SHOWN]
        ]
        return [f"votes       answered questions vote, weight {self.votes_weight:.2f}", *voters]

    def instead(self) -> dict[str, str]:
        """Return each word of the question that no passage has → what was searched instead."""
        spelled = {one.short: one.meaning for one in self.spelled_out}
        return spelled | {one.word: one.near for one in self.near_words}

    @property
    def doubtful_below(self) -> float:
        """Probability of an answer below which the question has none here."""
        return DOUBTFUL_CALIBRATED if self.answerable_by == "calibration" else DOUBTFUL

    def doubt(self) -> str:
        """Return a sentence where the index hardly answers the question, else nothing."""
        if self.answerable is None or self.answerable >= DOUBTFUL:
            return ""
        return (
            "no passage seems to answer this question (probability "
            f"{self.answerable:.2f}); the hits below are only the nearest"
        )


def _pairs(values: Mapping[str, Any], form: str) -> str:
    return ", ".join(f"{name} {form.format(value)}" for name, value in values.items())

"""Measures of a set of answers: a value for each answer, means, totals, and where things went."""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any

from rirag.progress import Progress
from rirag_workbench.evaluation.answers.nuggets import (
    Graded,
    Rarity,
    blame,
    grade,
    nuggets_of,
    share_in_vital,
    shares,
)
from rirag_workbench.evaluation.answers.repass import ANSWERS, Lines, RePASs, repass_lines
from rirag_workbench.evaluation.answers.said import Item, Supports, citation_quality, plain
from rirag_workbench.refusals import unusable

_SENTENCE = re.compile(r"\b[^.!?]+")
_PUNCTUATION = re.compile(r"[^\w\s']|'(?!(?:[tsd]|ve|ll|re)\b)")

FEWEST_WORDS = 3
"""Shorter runs of words between full stops, such as parts of a number, are not sentences."""


def reading_grade(text: str) -> float | None:
    """Return the years of school that an answer asks for; None where it has no words.

    0.39 words per sentence + 11.8 syllables per word − 15.59 (Kincaid et al., 1975). Sentences and
    words are counted as textstat counts them, with which the authors of RePASs report it: an item
    of a list that ends in a semicolon is not a sentence. Syllables are the points at which a word
    may be hyphenated, as textstat counts words that its dictionary of pronunciation lacks.
    """
    readable = plain(text)
    said = _words(readable)
    if not said:
        return None
    runs = (_words(one) for one in _SENTENCE.findall(readable))
    sentences = max(1, sum(len(run) >= FEWEST_WORDS for run in runs))
    syllables = sum(len(_hyphenation().positions(word)) + 1 for word in said)
    return 0.39 * len(said) / sentences + 11.8 * syllables / len(said) - 15.59


def _words(text: str) -> list[str]:
    return _PUNCTUATION.sub("", text).lower().split()


@cache
def _hyphenation() -> Any:
    import pyphen

    return pyphen.Pyphen(lang="en_US")


_TABLE = tomllib.loads(files(__package__).joinpath("measures.toml").read_text("utf-8"))

MEASURES: Mapping[str, str] = _TABLE["measures"]
"""Measure → what it is the mean of, in the order shown."""

OTHER_FIGURES: Mapping[str, str] = _TABLE["figures"]
"""Figure of all answers together → what it is."""

OF_OBLIGATIONS = frozenset(
    name for name in (*MEASURES, *OTHER_FIGURES) if "obligation" in name or "nugget" in name
) | {"blame"}
"""Figures beside which the number of obligations is shown."""

UNITS = frozenset({"words", "reading grade"})
"""Measures that are not shares from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Refusals:
    """How many answers refuse, rightly or not."""

    right: int = 0
    """No passage is relevant to the question, and the answer says that it is not answered."""
    wrong: int = 0
    """A passage is relevant, and the answer refuses."""
    missed: int = 0
    """No passage is relevant, and the answer answers."""
    unknown: int = 0
    """Refusals to questions of which it is not known whether a passage is relevant."""


@dataclass(frozen=True, slots=True)
class RePASsFigures:
    """RePASs of the answers, and of the lines to hold them against."""

    title: str
    """Names the models, if they are others than those of the reference."""
    lines: Lines


@dataclass(frozen=True, slots=True)
class Measured:
    """What was found of a set of answers."""

    answers: int
    values: Mapping[str, Mapping[str, float]]
    """measure → question → value; answers without a value are left out."""
    refusals: Refusals
    nuggets: int = 0
    """Obligations of the relevant passages."""
    vital: int = 0
    words_per_obligation: float | None = None
    """Words of all answers for each obligation that is covered whole; None: none is."""
    blame: Mapping[str, int] | None = None
    """Stage → obligations lost there; None: the relevant passages are not known."""
    blame_vital: Mapping[str, int] | None = None
    lost_citations: int = 0
    """Citations of passages that the index does not hold."""
    graded: Mapping[str, Sequence[Graded]] | None = None
    """question → its nuggets."""
    repass: RePASsFigures | None = None
    """None: it was not asked for."""
    classes: Mapping[str, str] = field(default_factory=dict)
    """question → whether one passage is relevant to it or several; others are left out."""
    names: frozenset[str] = frozenset()
    """Measures and other figures that are shown; empty: all."""

    @property
    def coverage(self) -> dict[str, int]:
        """How many obligations the answers cover whole, partly and not."""
        found = Counter(one.coverage for ours in (self.graded or {}).values() for one in ours)
        return {name: found[name] for name in ("whole", "partly", "not")}

    def shows(self, figure: str) -> bool:
        """Return whether one of `OTHER_FIGURES` is shown."""
        return not self.names or figure in self.names

    @property
    def shows_obligations(self) -> bool:
        """Return whether the number of obligations is shown."""
        return not self.names or bool(self.names & OF_OBLIGATIONS)

    def mean(self, measure: str) -> float | None:
        """Return the mean over the answers that have a value; None: none has."""
        values = self.values.get(measure)
        return math.fsum(values.values()) / len(values) if values else None


def named_measures(names: Iterable[str]) -> frozenset[str]:
    """Return the measures and other figures that some texts name, in whatever case."""
    known = {name.casefold(): name for name in (*MEASURES, *OTHER_FIGURES)}
    folded = [name.strip().casefold() for name in names]
    parts = [[name] if name in known else name.split(",") for name in folded]
    chosen = [part.strip() for several in parts for part in several]
    unknown = [name for name in chosen if name not in known]
    if unknown:
        raise unusable("option.invalid/measure", name=unknown[0], known="; ".join(known.values()))
    return frozenset(known[name] for name in chosen)


def only(measured: Measured, names: Collection[str]) -> Measured:
    """Return what was measured without figures that none of the names is of; all without names."""
    if not names:
        return measured
    repass = measured.repass
    titles = {repass.title} if repass is not None and "RePASs" in names else set()
    values = {name: found for name, found in measured.values.items() if name in titles.union(names)}
    return replace(
        measured, values=values, repass=repass if titles else None, names=frozenset(names)
    )


def measure(
    items: Sequence[Item],
    rarity: Rarity | None,
    supports: Supports,
    progress: Progress = lambda: None,
) -> Measured:
    """Measure answers one by one.

    Args:
        rarity: of the terms of the index; None: the relevant passages are not known.
    """
    values: dict[str, dict[str, float]] = defaultdict(dict)
    graded: dict[str, Sequence[Graded]] = {}
    for item in items:
        nuggets = () if rarity is None else nuggets_of(item.record.question, item.gold, rarity)
        graded[item.key] = grade(nuggets, item.said)
        for name, value in _values(item, graded[item.key], supports).items():
            if value is not None:
                values[name][item.key] = value
        progress()
    pairs = [(item, graded[item.key]) for item in items]
    known = rarity is not None
    every = [one for _, ours in pairs for one in ours]
    covered = sum(one.coverage == "whole" for one in every)
    words = sum(item.said.words for item, ours in pairs if ours)
    return Measured(
        answers=len(items),
        values={name: values[name] for name in MEASURES if name in values},
        refusals=_refusals(items),
        nuggets=len(every),
        vital=sum(one.nugget.vital for one in every),
        words_per_obligation=words / covered if covered else None,
        blame=blame(pairs, vital=False) if known else None,
        blame_vital=blame(pairs, vital=True) if known else None,
        graded=graded if known else None,
        classes={
            item.key: "one passage" if len(item.relevant) == 1 else "several passages"
            for item in items
            if item.relevant
        },
    )


def with_repass(
    measured: Measured,
    items: Sequence[Item],
    repass: RePASs,
    closed_book: Mapping[str, str] | None,
    progress: Progress = lambda: None,
) -> Measured:
    """Return what was measured with RePASs; arguments as those of `repass_lines`."""
    lines = repass_lines(items, repass, closed_book, progress)
    composite = {key: one.composite for key, one in lines.get(ANSWERS, {}).items()}
    values = {**measured.values, repass.title: composite} if composite else measured.values
    return replace(measured, values=values, repass=RePASsFigures(repass.title, lines))


def _values(item: Item, graded: Sequence[Graded], supports: Supports) -> dict[str, float | None]:
    said = item.said
    found: dict[str, float | None] = {"words": float(said.words)}
    if graded:
        found["obligations"], found["obligations, partly ½"] = _pair(graded, vital=False)
        found["vital nuggets"], found["vital nuggets, partly ½"] = _pair(graded, vital=True)
    if item.refuses:
        return found
    found["reading grade"] = reading_grade(said.record.text)
    quality = citation_quality(said, supports)
    if quality is not None:
        found["citation recall"], found["citation precision"] = quality
    if item.relevant:
        found["noise"] = _noise(item)
        found["words in relevant passages"] = _in_relevant(item)
        vital = [one.nugget for one in graded if one.nugget.vital]
        found["words in vital nuggets"] = share_in_vital(item, vital)
    return found


def _pair(graded: Sequence[Graded], *, vital: bool) -> tuple[float | None, float | None]:
    return shares(graded, vital=vital) or (None, None)


def _noise(item: Item) -> float | None:
    """Return the share of the statements that cite no relevant passage."""
    checked = item.said.checked
    if not checked or item.relevant is None:
        return None
    cited = [item.said.ids(one.spoken.citations) for one in checked]
    return sum(not ids & item.relevant for ids in cited) / len(cited)


def _in_relevant(item: Item) -> float | None:
    words = sum(one.words for one in item.said.quoted)
    if not words or item.relevant is None:
        return None
    right = (one.words for one in item.said.quoted if one.passages & item.relevant)
    return sum(right) / words


def _refusals(items: Sequence[Item]) -> Refusals:
    refused = [item for item in items if item.refuses]
    return Refusals(
        right=sum(item.relevant == frozenset() for item in refused),
        wrong=sum(bool(item.relevant) for item in refused),
        missed=sum(item.relevant == frozenset() and not item.refuses for item in items),
        unknown=sum(item.relevant is None for item in refused),
    )

"""The retriever of answered questions: those that resemble the asked one vote for their passages.

MST-R retrieves questions by questions in the same way. The similarity of an answered question is
its cosine c with the asked one, lowered where few words are shared: s = c·(1 - b + b·l), where l is
its BM25 score divided by the best one, and b `WORDS_SHARE`. Its strength is t = (s - f) / (1 - f)
above the floor f of `FLOORS`, and 0 below. The vote for a passage is 1 - Π(1 - t) over the answered
questions that it answered: near 1 as soon as one of them is nearly the asked one, or several are
close. Votes are not scaled by the best one, so that nothing changes without
similar questions.

The constants are the middle of a plateau on the validation fifth of the ObliQA development
questions, with 6,018 others as answered ones: docs/answered-questions.md has the table.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import TYPE_CHECKING

import numpy as np

from search.answered_questions.co_answers import NOTHING_ANSWERED, Answered
from search.answered_questions.questions import (
    AnsweredQuestion,
    folded,
    keeps_questions,
    unusable,
    url_beside,
)
from search.caches import Remembered
from search.candidates import NO_CANDIDATES, Candidate, Candidates
from search.engines.protocol import Backend, Engine, RetrievalRequest, RetrievalResults
from search.errors import IndexUnavailableError, RiragError
from search.records import Filters, Key
from search.versions.works import Works

if TYPE_CHECKING:
    from numpy.typing import NDArray

NEIGHBOURS = 50
"""Answered questions that may vote, and whose passages may speak for each other."""

WORDS_SHARE = 0.2
"""Share of a resemblance that shared words decide, 0 to 1."""

FLOORS: tuple[tuple[float, float], ...] = ((4, 0.3), (9, 0.35), (math.inf, 0.5))
"""Words of the asked question → similarity up to which an answered question is about something
else: a few words are never as near to a sentence as another sentence is."""

DEPTH = 100
"""Answered questions that each retriever proposes, before those left out are taken away."""


LEAST_SAME = 0.95
"""Similarity that a question has to one of the same words at least."""

REPLACED = "index.replaced"
"""Code of the error of an engine whose state is gone."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An answered question that is like the asked one."""

    question: AnsweredQuestion
    similarity: float
    """0 to 1."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """What the answered questions bring to a question."""

    neighbours: tuple[Neighbour, ...] = ()
    """Most similar first, all above the floor. Each votes, if only for passages that are gone."""
    candidates: Candidates = field(default_factory=lambda: NO_CANDIDATES)
    """Passages with their votes, 0 to 1, best first."""
    answered: Answered = field(default_factory=lambda: NOTHING_ANSWERED)
    """Passages of the nearest answered questions, whether these vote or not."""

    def answers_to(self, question: str) -> NDArray[np.int64]:
        """Return the keys of what answered this very question before; empty: it is new."""
        asked = folded(question)
        near = takewhile(lambda one: one.similarity >= LEAST_SAME, self.neighbours)
        same = [i for i, one in enumerate(near) if folded(one.question.text) == asked]
        return self.answered.keys[np.isin(self.answered.questions, same)]


NOTHING = Recalled()
"""Of a question for which no answered question was looked up."""


class AnsweredQuestionRetriever:
    """The answered questions of an index, open for search; threads may share them."""

    def __init__(self, engine: Engine, answers: Engine) -> None:
        """Begin with nothing remembered.

        Args:
            engine: of the index that keeps the questions.
            answers: of the index whose passages answer them.
        """
        self.engine = engine
        self._answers = answers
        self._works = Works(answers)
        self._questions = Remembered(self._read)
        self._passages = Remembered(self._find)

    def request(self, asked: RetrievalRequest, leave_out: Collection[str] = ()) -> RetrievalRequest:
        """Return what to ask of their engine for a question put to the other one."""
        depth = DEPTH + len(leave_out)
        return replace(asked, depth=depth, filters=Filters(), documents=False)

    def ask(self, request: RetrievalRequest) -> RetrievalResults | None:
        """Run a `request`; None: what was open of the questions was replaced or deleted."""
        try:
            return self.engine.run(request)
        except IndexUnavailableError as error:
            if error.code != REPLACED:
                raise
            return None

    def recall(
        self,
        results: RetrievalResults,
        words: int,
        filters: Filters,
        leave_out: Collection[str] = (),
    ) -> Recalled:
        """Let the neighbours vote, and tell what they were answered by.

        Args:
            results: what their engine found for a `request`.
            words: length of the asked question.
            filters: that the passages which are voted for must meet.
            leave_out: IDs of answered questions that must not vote.
        """
        found = similarities(self._without(results, leave_out) if leave_out else results)
        nearest = sorted(found.items(), key=lambda pair: -pair[1])[:NEIGHBOURS]
        kept = self._questions.of(key for key, _ in nearest)
        near = [Neighbour(kept[key], similarity) for key, similarity in nearest]
        floor = floor_for(words)
        voters = tuple(one for one in near if one.similarity > floor)
        there = self._passages_of(near, filters)
        return Recalled(voters, _candidates(votes(voters, floor), there), _answered(near, there))

    def questions(self) -> list[AnsweredQuestion]:
        """Return all answered questions, in the order of their index."""
        return [AnsweredQuestion.of(passage) for _, passage in self.engine.find(Filters())]

    def _without(self, results: RetrievalResults, leave_out: Collection[str]) -> RetrievalResults:
        """Return the retrievers as if some answered questions were not known."""
        keys = np.unique(np.concatenate([results.lexical.keys, results.dense.keys]))
        questions = self._questions.of(keys.tolist()).values()
        kept = keys[[question.id not in leave_out for question in questions]]
        return RetrievalResults(
            lexical=results.lexical.at(np.isin(results.lexical.keys, kept)),
            dense=results.dense.at(np.isin(results.dense.keys, kept)),
        )

    def _passages_of(self, near: Sequence[Neighbour], filters: Filters) -> dict[str, Candidate]:
        """Return ID → passage of those that the index has and that meet the filters."""
        named = dict.fromkeys(passage for one in near for passage in one.question.passages)
        if not (filters and named):
            return self._passages.of(named)
        found = self._find(tuple(named), filters)
        if filters.excluded and (gone := [one for one in named if one not in found]):
            found |= self._of_the_day(gone, filters)
        return found

    def _of_the_day(self, gone: Sequence[str], filters: Filters) -> dict[str, Candidate]:
        """Return ID → the wording on the asked day of the rule that had another one."""
        wordings: dict[str, str] = {}
        for _, passage in self._answers.find(Filters({"id": tuple(gone)})):
            wordings |= dict.fromkeys(self._works.rule_ids(passage), passage.id)
        found = self._find(tuple(wordings), filters) if wordings else {}
        return {wordings[name]: candidate for name, candidate in found.items()}

    def _find(self, ids: Sequence[str], filters: Filters | None = None) -> dict[str, Candidate]:
        found = self._answers.find((filters or Filters()).having(id=tuple(ids)))
        return {passage.id: candidate for candidate, passage in found}

    def _read(self, keys: Sequence[Key]) -> dict[Key, AnsweredQuestion]:
        passages = self.engine.passages(keys)
        return {
            key: AnsweredQuestion.of(passage) for key, passage in zip(keys, passages, strict=True)
        }


def open_answered_questions(
    backend: Backend, url: str, answers: Engine
) -> tuple[AnsweredQuestionRetriever | None, str]:
    """Open the answered questions of an index.

    Returns:
        The retriever and "", or None and why answered questions that are there do not count; None
        and "" where there are none.
    """
    beside = url_beside(url)
    try:
        if not backend.exists(beside):
            return None, ""
        engine = backend.open(beside)
    except RiragError as error:
        return None, f"answered questions are ignored: {error}"
    about = engine.describe()
    if about.passages and keeps_questions(engine) and about.encoder == answers.describe().encoder:
        return AnsweredQuestionRetriever(engine, answers), ""
    note = unusable(engine, url) if about.passages else ""
    engine.close()
    return None, note


def similarities(results: RetrievalResults) -> dict[Key, float]:
    """Return how similar each answered question is to the asked one, above 0 and up to 1.

    One that the dense retriever did not propose is taken to be as far as its last.
    """
    cosines = _by_key(results.dense.keys, results.dense.scores.clip(0.0, 1.0))
    words = _by_key(results.lexical.keys, results.lexical.scores)
    farthest = min(cosines.values(), default=0.0)
    best = max(words.values(), default=0.0) or 1.0
    found = {
        key: cosines.get(key, farthest) * (1 - WORDS_SHARE + WORDS_SHARE * words.get(key, 0) / best)
        for key in dict.fromkeys((*cosines, *words))
    }
    return {key: similarity for key, similarity in found.items() if similarity > 0}


def floor_for(words: int) -> float:
    """Return the floor for a question of so many words."""
    return next(floor for most, floor in FLOORS if words <= most)


def votes(neighbours: Iterable[Neighbour], floor: float) -> dict[str, float]:
    """Return passage ID → vote, 1 - Π(1 - t) over the neighbours that it answered, 0 to 1.

    Args:
        neighbours: all of them above the floor.
        floor: 0 to less than 1.
    """
    against: dict[str, float] = {}
    for neighbour in neighbours:
        doubt = 1 - (neighbour.similarity - floor) / (1 - floor)
        for passage in neighbour.question.passages:
            against[passage] = against.get(passage, 1.0) * doubt
    return {passage: 1 - doubt for passage, doubt in against.items()}


def _by_key(keys: NDArray[np.int64], scores: NDArray[np.float64]) -> dict[Key, float]:
    return dict(zip(keys.tolist(), scores.tolist(), strict=True))


def _candidates(cast: dict[str, float], there: Mapping[str, Candidate]) -> Candidates:
    """Return the passages that were voted for and are there, best first, ties in index order."""
    scored = [one._replace(score=cast[name]) for name, one in there.items() if name in cast]
    return Candidates.of(sorted(scored, key=lambda one: (-one.score, one.key)))


def _answered(near: Sequence[Neighbour], there: Mapping[str, Candidate]) -> Answered:
    """Return what the neighbours were answered by, of the passages that are there."""
    keys = [[there[name].key for name in one.question.passages if name in there] for one in near]
    return Answered.of([one.similarity for one in near], keys)

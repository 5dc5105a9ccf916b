"""Hard negatives: what our own hybrid ranking puts high although it does not answer."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rirag_workbench.training.data.examples import Example
from rirag_workbench.training.data.pairs import PassageTable
from search.models.encoders.protocol import Vectors
from search.ranking.fusion import min_max
from search.text.analyzer import tokens
from search.text.bm25 import BM25Index

DEPTH = 100
"""Candidates a retriever proposes, as in the default profile."""

Ranking = tuple[tuple[int, float], ...]
"""(passage, score), best first."""


def lexical_rankings(texts: Sequence[str], questions: Sequence[str]) -> list[Ranking]:
    """Return the best `DEPTH` passages of each question.

    Args:
        texts: of the passages; a passage's number is its place here.
    """
    index = BM25Index.of(enumerate(map(tokens, texts)))
    found = (index.search(tokens(question), DEPTH) for question in questions)
    return [tuple(zip(rows.tolist(), scores.tolist(), strict=True)) for rows, scores in found]


@dataclass(frozen=True, slots=True)
class Places:
    """Where in the ranking negatives are looked for, counted from 1.

    The first three are too often answers that nobody marked; far down nothing is hard any more. The
    places of the first recipe that gained on validation (docs/training.md).
    """

    margin: float
    """See `TrainingSettings.margin`; infinite: nothing is taken for an answer."""
    first: int = 4
    last: int = 25


TAUGHT = Places(math.inf, first=1)
"""If a teacher judges what answers: the first candidates, which search must sort."""
LEAST_MINED = 5
"""Where fewer candidates are far enough from being answers, the last places are mined instead."""
QUESTIONS_AT_ONCE = 256
LEXICAL_WEIGHT = 0.5
"""Of the ranking that is mined: near the best of trained encoders (docs/training.md)."""


def known_positives(examples: Iterable[Example]) -> dict[str, frozenset[int]]:
    """Return, for each question, the positives of all examples that ask it."""
    known: dict[str, set[int]] = defaultdict(set)
    for example in examples:
        known[_asked(example.question)].update(example.positives)
    return {question: frozenset(keys) for question, keys in known.items()}


def positives_of(example: Example, known: Mapping[str, frozenset[int]]) -> frozenset[int]:
    """Return every passage that is known to answer an example's question."""
    return known.get(_asked(example.question), frozenset(example.positives))


def dense_ranking(scores: NDArray[np.float32], keys: Sequence[int]) -> Ranking:
    """Return the best passages of one question by cosine.

    Args:
        scores: cosine of the question to each passage, shape (passages,).
    """
    count = min(DEPTH, len(scores))
    if not count:
        return ()
    top = np.argpartition(-scores, count - 1)[:count]
    best = top[np.argsort(-scores[top], kind="stable")]
    return tuple((keys[row], float(scores[row])) for row in best)


def cosines(questions: Vectors, passages: Vectors) -> Iterator[NDArray[np.float32]]:
    """Yield the cosines of each question to all passages, shape (passages,).

    Some questions are multiplied together, so that the passages are read from memory once.
    """
    for start in range(0, len(questions), QUESTIONS_AT_ONCE):
        yield from questions[start : start + QUESTIONS_AT_ONCE] @ passages.T


def hybrid_ranking(lexical: Ranking, dense: Ranking, alpha: float = LEXICAL_WEIGHT) -> list[int]:
    """Return the passages of both retrievers, best first."""
    fused = fused_scores(lexical, dense, alpha)
    return sorted(fused, key=lambda key: -fused[key])


def fused_scores(lexical: Ranking, dense: Ranking, alpha: float) -> dict[int, float]:
    """Return `alpha` lexical + (1 - `alpha`) dense of each passage, min-max scaled as in search."""
    fused: dict[int, float] = defaultdict(float)
    for retriever, weight in ((lexical, alpha), (dense, 1 - alpha)):
        normalised = min_max([score for _, score in retriever]).tolist()
        for (key, _), score in zip(retriever, normalised, strict=True):
            fused[key] += weight * score
    return dict(fused)


def hard_negatives(
    ranking: Sequence[int],
    positives: AbstractSet[int],
    places: Places,
    too_close: Callable[[int], bool] = lambda _: False,
) -> tuple[int, ...]:
    """Return what is at the mined places once known and likely answers are taken out."""
    others = [key for key in ranking if key not in positives][places.first - 1 :]
    wanted = places.last - places.first + 1
    far = [key for key in others if not too_close(key)][:wanted]
    return tuple(far if len(far) >= LEAST_MINED else others[-wanted:])


def mine(
    examples: Sequence[Example],
    lexical: Sequence[Ranking],
    questions: Vectors,
    passages: Vectors,
    keys: range,
    known: Mapping[str, frozenset[int]],
    places: Places,
) -> list[tuple[int, ...]]:
    """Return the hard negatives of each example, hardest first; its own come before all.

    Args:
        questions: their vectors, shape (examples, dimension).
        passages: vectors of the passages to mine among, shape (passages, dimension).
    """
    mined = []
    rows = cosines(questions, passages)
    for example, retriever, scores in zip(examples, lexical, rows, strict=True):
        ranking = hybrid_ranking(retriever, dense_ranking(scores, keys))
        positives = positives_of(example, known)
        too_close = _too_close(scores, positives, keys, places.margin)
        found = hard_negatives(ranking, positives, places, too_close)
        mined.append(tuple(dict.fromkeys((*example.negatives, *found))))
    return mined


def mine_pools(
    examples: Sequence[Example],
    table: PassageTable,
    vectors: Vectors,
    encode: Callable[[Sequence[str]], Vectors],
    known: Mapping[str, frozenset[int]],
    places: Places,
) -> list[tuple[int, ...]]:
    """Mine for questions about the index within it, and for all others among the rest.

    Args:
        vectors: of the passages, shape (passages, dimension).
    """
    found: list[tuple[int, ...]] = [()] * len(examples)
    for keys in (range(table.indexed), range(table.indexed, len(table.texts))):
        members = [n for n, one in enumerate(examples) if min(one.positives) in keys]
        if not members:
            continue
        asked = [examples[number] for number in members]
        questions = [example.question for example in asked]
        retrievers = lexical_rankings([table.texts[key] for key in keys], questions)
        named = [tuple((keys[row], score) for row, score in retriever) for retriever in retrievers]
        pool = vectors[keys.start : keys.stop]
        mined = mine(asked, named, encode(questions), pool, keys, known, places)
        for number, negatives in zip(members, mined, strict=True):
            found[number] = negatives
    return found


def draw(negatives: Sequence[int], count: int, generator: random.Random) -> list[int]:
    """Draw `count` different negatives, or with repetition where there are fewer."""
    if len(negatives) >= count:
        return generator.sample(list(negatives), count)
    return [generator.choice(negatives) for _ in range(count)] if negatives else []


def _too_close(
    scores: NDArray[np.float32], positives: AbstractSet[int], keys: range, margin: float
) -> Callable[[int], bool]:
    """Return what tells likely answers: they are nearly as near as the farthest known one."""
    if math.isinf(margin):
        return lambda _: False
    known = [scores[keys.index(key)] for key in positives if key in keys]
    limit = margin * min(known, default=np.float32(1.0))
    return lambda key: bool(scores[keys.index(key)] > limit)


def _asked(question: str) -> str:
    return question.casefold()

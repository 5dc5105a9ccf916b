"""Pairs of question and article for a cross-encoder, made as Licari et al. made theirs (2.2.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rirag_workbench.evaluation.articles.questions import LEFT_OUT, ArticleQuestion
from rirag_workbench.training.data.folds import hash_number
from search.articles.act import Act
from search.articles.features import named_articles
from search.errors import InputError
from search.models.encoders.protocol import Encoder


@dataclass(frozen=True, slots=True)
class PairSettings:
    """How negatives are drawn."""

    first_rank: int = 250
    """1-based rank by a bi-encoder from which negatives are drawn."""
    last_rank: int = 300
    negatives: int = 20
    """Of each question."""
    seed: int = 17


@dataclass(frozen=True, slots=True)
class ArticlePair:
    """A question beside an article."""

    qa_id: str
    question: str
    article: str
    """Its number."""
    relevant: bool


def positives_of(one: ArticleQuestion, act: Act, left_out: Sequence[str] = LEFT_OUT) -> set[str]:
    """Return the articles of a Q&A and those that question, background and answer name."""
    texts = (one.asked.text, one.answer)
    named = {n for text in texts for ref in named_articles(text, act) for n in ref.articles}
    return {n for n in named | set(one.articles) if n in act.places and n not in left_out}


def article_pairs(
    questions: Sequence[ArticleQuestion],
    act: Act,
    encoder: Encoder,
    settings: PairSettings,
    left_out: Sequence[str] = LEFT_OUT,
) -> Iterator[ArticlePair]:
    """Yield the pairs of each question: its positives, then negatives of a band of ranks.

    A question that is about an article left out and no other is left out with it.

    Raises:
        InputError: the act has fewer articles than the last rank.
    """
    numbers = list(act.articles)
    if len(numbers) < settings.last_rank:
        raise InputError(
            f"{act.title} has {len(numbers)} articles, but negatives come from the "
            f"ranks {settings.first_rank} to {settings.last_rank}; give a longer act, "
            "or fit the trees, which need no negatives.",
            code="training.data",
        )
    vectors = encoder.encode_passages([one.text for one in act.articles.values()]).vectors
    for one in questions:
        about = [number for number in one.articles if number not in left_out]
        positives = positives_of(one, act, left_out)
        if not about or not positives:
            continue
        cosines = vectors @ encoder.encode_questions([one.asked.text])[0]
        order = [numbers[place] for place in np.argsort(-cosines, kind="stable")]
        band = order[settings.first_rank - 1 : settings.last_rank]
        others = [n for n in band if n not in positives and n not in left_out]
        draw = np.random.default_rng([settings.seed, hash_number(one.qa_id) % 2**32])
        negatives = draw.permutation(others)[: settings.negatives]
        for number in sorted(positives, key=act.places.__getitem__):
            yield ArticlePair(one.qa_id, one.asked.text, number, relevant=True)
        for number in negatives:
            yield ArticlePair(one.qa_id, one.asked.text, str(number), relevant=False)

"""An act of twelve articles, and questions about them."""

from __future__ import annotations

import numpy as np

from rirag_workbench.evaluation.articles import ArticleQuestion
from search.articles.act import Act, act_of
from search.articles.features import AskedQuestion
from search.models.encoders.protocol import EncodedPassages, Vectors
from search.records import Passage

WORDS = (
    "capital", "loan", "bond", "deposit", "report", "fee", "audit", "margin", "pool", "swap",
    "clear", "lease",
)  # fmt: skip


def act() -> Act:
    """Article n is about the n-th word."""
    return act_of(
        Passage(f"a{n}", "act", f"Article {n}", f"{word.title()}\nA bank and its {word}.",
                "Act (Regulation (EU) No 12/2020)")
        for n, word in enumerate(WORDS, start=1)
    )  # fmt: skip


def questions(count: int = 60) -> list[ArticleQuestion]:
    """Each is about the article of its word; odd ones name an article that is not it."""
    made = []
    for n in range(count):
        word = n % len(WORDS)
        named = f" Article {(word + 3) % len(WORDS) + 1} was read." if n % 2 else ""
        text = f"What holds for a {WORDS[word]} in case {n}?{named}"
        made.append(
            ArticleQuestion(f"q{n}", AskedQuestion(text), (str(word + 1),), "See Article 2.")
        )
    return made


class WordCounts:
    """An encoder whose cosine falls with the place of an article's word."""

    name, dimension, revision = "counts", 2, "1"

    def encode_questions(self, texts: list[str]) -> Vectors:
        return np.tile(np.array([1.0, 0.0], dtype=np.float32), (len(texts), 1))

    def encode_passages(self, texts: list[str]) -> EncodedPassages:
        angles = np.linspace(0, 1.5, len(texts))
        vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
        return EncodedPassages(vectors, (False,) * len(texts))

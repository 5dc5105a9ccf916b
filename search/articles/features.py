"""What is known of each article of an act for one question, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from search.articles.act import Act
from search.articles.known import Known
from search.articles.lexical import ArticleTexts, question_terms
from search.articles.references import ArticleReference, article_references, with_articles

Array = NDArray[np.float64]

NAMES = (
    "named", "named share", "named in question", "named place", "named distinct",
    "window", "window rank", "whole", "whole rank", "question window", "question window rank",
    "heading", "heading rank",
    "likeness", "likeness rank", "about before", "named before", "about when named",
    "named when named", "about when itself named",
    "named by named", "names named", "named by share", "distance", "place beside", "divisions",
)  # fmt: skip
"""Columns of the table. `named …`: explicit references. `window`, `whole`, `heading`: BM25, as a
share of the best article's score. `… rank`: log of one plus the rank. `likeness` to `about when
itself named`: what answered questions teach (`search.articles.known`). The rest: where an article
is to those that are named."""

NEVER_NAMED = 30.0
"""`named place` of an article that is not named."""
FAR = 7.0
"""`distance` where nothing is named: more than the log of an act's longest."""
FURTHEST = 60.0
"""Articles from the nearest named one, at most, in `place beside`."""
CROWD = 4
"""A reference to more articles than this counts less for each: a range names a part of the act."""
MOST_DISTINCT = 15.0


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question while its articles are looked for."""

    question: str
    background: str = ""

    @property
    def text(self) -> str:
        """Question and background."""
        return f"{self.question}\n{self.background}"


def named_articles(text: str, act: Act) -> list[ArticleReference]:
    """Return the references of a text to articles that the act has, in its order."""
    found = with_articles(article_references(text, act.number), act.places)
    return [one for one in found if one.act == act.number]


@dataclass
class FeatureTables:
    """Makes the tables of one act."""

    act: Act
    texts: ArticleTexts

    def table(self, asked: AskedQuestion, known: Known) -> Array:
        """Return the features of all articles, shape (articles, len(NAMES))."""
        named = named_articles(asked.text, self.act)
        counts = self._counts(named)
        columns = {
            **self._named(asked, named, counts),
            **self._lexical(asked),
            **self._taught(asked, known, counts),
            **self._around(counts),
        }
        return np.stack([columns[name] for name in NAMES], axis=1)

    def _counts(self, references: Sequence[ArticleReference]) -> Array:
        counts = np.zeros(len(self.act.articles))
        for one in references:
            for number in one.articles:
                counts[self.act.places[number]] += 1 / max(1, len(one.articles) / CROWD)
        return counts

    def _named(
        self, asked: AskedQuestion, named: Sequence[ArticleReference], counts: Array
    ) -> dict[str, Array]:
        size = len(counts)
        order = dict.fromkeys(number for one in named for number in one.articles)
        place = np.full(size, NEVER_NAMED)
        for rank, number in enumerate(order):
            place[self.act.places[number]] = min(rank, NEVER_NAMED)
        in_question = self._counts(named_articles(asked.question, self.act))
        return {
            "named": np.log1p(counts),
            "named share": counts / max(counts.sum(), 1),
            "named in question": np.log1p(in_question),
            "named place": place,
            "named distinct": np.full(size, min(float((counts > 0).sum()), MOST_DISTINCT)),
        }

    def _lexical(self, asked: AskedQuestion) -> dict[str, Array]:
        terms, question = question_terms(asked.text), question_terms(asked.question)
        found = {
            "window": self.texts.windows(terms),
            "whole": self.texts.whole(terms),
            "question window": self.texts.windows(question),
            "heading": self.texts.headings(terms),
        }
        return _with_ranks({name: v / max(v.max(initial=0), 1e-9) for name, v in found.items()})

    def _taught(self, asked: AskedQuestion, known: Known, counts: Array) -> dict[str, Array]:
        likeness = self._column(known.likeness(asked.text))
        about = self._best_of(known.named_and_about, counts)
        itself = self._column({n: row.get(n, 0) for n, row in known.named_and_about.items()})
        return {
            **_with_ranks({"likeness": likeness}),
            "about before": np.log1p(self._column(known.about)),
            "named before": np.log1p(self._column(known.named)),
            "about when named": about,
            "named when named": self._best_of(known.named_together, counts),
            "about when itself named": np.where(counts > 0, itself, 0),
        }

    def _around(self, counts: Array) -> dict[str, Array]:
        size = len(counts)
        names = ("named by named", "names named", "named by share")
        columns = {name: np.zeros(size) for name in names}
        named = np.flatnonzero(counts)
        if not len(named):
            return columns | {
                "distance": np.full(size, FAR),
                "place beside": np.full(size, FURTHEST),
                "divisions": np.full(size, -1.0),
            }
        numbers = list(self.act.articles)
        for place in named.tolist():
            for number in self.act.links[numbers[place]]:
                linked = self.act.places[number]
                columns["named by named"][linked] = 1
                columns["named by share"][linked] += counts[place] / counts.sum()
        for place, number in enumerate(numbers):
            columns["names named"][place] = any(
                counts[self.act.places[other]] for other in self.act.links[number]
            )
        apart = np.arange(size)[:, None] - named[None]
        most = named[np.argmax(counts[named])]
        columns["distance"] = np.log1p(np.abs(apart).min(axis=1))
        columns["place beside"] = np.clip(np.arange(size) - most, -FURTHEST, FURTHEST)
        columns["divisions"] = self._shared_divisions(named)
        return columns

    def _shared_divisions(self, named: NDArray[np.int64]) -> Array:
        """Return in how many divisions each article is together with a named one."""
        paths = [article.divisions for article in self.act.articles.values()]
        wanted = {paths[place] for place in named}
        shared = {
            path: max(sum(a == b for a, b in zip(path, other, strict=False)) for other in wanted)
            for path in set(paths)
        }
        return np.array([shared[path] for path in paths], dtype=np.float64)

    def _column(self, values: Mapping[str, float]) -> Array:
        return np.array([values.get(number, 0) for number in self.act.articles], dtype=np.float64)

    def _best_of(self, table: Mapping[str, Mapping[str, float]], counts: Array) -> Array:
        """Return the largest value that an article has beside any of the named ones."""
        best = np.zeros(len(counts))
        numbers = list(self.act.articles)
        for place in np.flatnonzero(counts):
            best = np.maximum(best, self._column(table.get(numbers[place], {})))
        return best


def _with_ranks(columns: Mapping[str, Array]) -> dict[str, Array]:
    ranks = {}
    for name, values in columns.items():
        order = np.empty(len(values))
        order[np.argsort(-values, kind="stable")] = np.arange(len(values))
        ranks[f"{name} rank"] = np.log1p(order)
    return {**columns, **ranks}

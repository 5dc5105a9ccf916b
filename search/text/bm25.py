"""BM25 over analysed tokens, in tantivy (k1 = 1.2, b = 0.75, its and Lucene's constants)."""

from __future__ import annotations

import math
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self, cast

import numpy as np
import tantivy
from numpy.typing import NDArray

from search.caches import CAPACITY, LastUsed

Scored = tuple[NDArray[np.uint32], NDArray[np.float64]]
"""Rows and their scores, best first."""

_Counted = tuple[tuple[str, ...], str]
"""Facets that rows lack, and a term that they have; "" is any."""

MAX_QUERY_TERMS = 1024
"""Distinct terms of a question that are searched: Lucene's own limit on clauses."""

_HEAP_BYTES = 64 * 2**20

_K1, _B = 1.2, 0.75

Codes = NDArray[np.uint32]
"""The terms of a text in their order, each as its CRC-32."""


def codes_of(text: str) -> Codes:
    """Return the codes of terms that are parted by blanks."""
    return np.array([zlib.crc32(term.encode()) for term in text.split()], np.uint32)


@dataclass(frozen=True, slots=True)
class Counts:
    """How many texts there are, and how many of them have each term."""

    texts: int
    having: Mapping[str, int]

    def rarity(self, term: str) -> float:
        """Return the inverse document frequency of a term."""
        having = self.having.get(term, 0)
        return math.log(1 + (self.texts - having + 0.5) / (having + 0.5))

    def weights(self, asked: Mapping[str, float], whole: Counts) -> dict[str, float]:
        """Return what an index of more texts must multiply its scores of each term with.

        Args:
            asked: terms of the question with factors on their scores.
            whole: what that index counts.
        """
        return {
            term: factor * self.rarity(term) / whole.rarity(term)
            for term, factor in asked.items()
            if self.having.get(term)
        }

    def scores(
        self, asked: Mapping[str, float], texts: Sequence[Codes], average: float
    ) -> NDArray[np.float64]:
        """Return the BM25 scores of texts as an index of the counted texts alone gives them.

        Args:
            asked: terms of the question with factors on their scores.
            texts: codes of each.
            average: terms of a counted text.
        """
        lengths = np.array([len(one) for one in texts])
        places, codes = np.repeat(np.arange(len(texts)), lengths), np.concatenate(texts)
        long = _K1 * (1 - _B + _B * _stored(lengths) / average)
        scores = np.zeros(len(texts))
        for term, factor in asked.items():
            found = places[codes == zlib.crc32(term.encode())]
            counts = np.bincount(found, minlength=len(texts))
            scores += factor * self.rarity(term) * (_K1 + 1) * counts / (counts + long)
        return scores


def _stored(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return lengths as indexes keep them: what is above 24 with the four highest bits."""
    above = np.maximum(lengths - 24, 1)
    shift = np.maximum(np.log2(above).astype(np.int64) - 3, 0)
    return np.where(lengths < 24, lengths, 24 + (lengths - 24 >> shift << shift))


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("tokens", tokenizer_name="whitespace", index_option="freq")
    builder.add_text_field("facets", tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("row", fast=True)
    return builder.build()


def build(folder: Path, rows: Iterable[tuple[int, str, Sequence[str]]]) -> None:
    """Write an index of (row, tokens joined by spaces, facets) into an empty folder."""
    folder.mkdir()
    _write(tantivy.Index(_schema(), path=str(folder)), rows)
    for path in folder.iterdir():  # tantivy gives some of its files to their owner alone
        path.chmod(path.stat().st_mode | (folder.stat().st_mode & 0o444))


def _write(index: tantivy.Index, rows: Iterable[tuple[int, str, Sequence[str]]]) -> None:
    writer = index.writer(heap_size=_HEAP_BYTES, num_threads=1)
    for row, tokens, facets in rows:
        document = tantivy.Document(tokens=[tokens], facets=list(facets))
        document.add_unsigned("row", row)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()


class BM25Index:
    """An opened index; safe to search from several threads."""

    def __init__(self, folder: Path | tantivy.Index) -> None:
        self._index = _open(folder) if isinstance(folder, Path) else folder
        self._searcher = self._index.searcher()
        self._counted = LastUsed[_Counted, int](CAPACITY)

    @classmethod
    def of(
        cls,
        rows: Iterable[tuple[int, Iterable[str]]],
        facets: Callable[[int], Sequence[str]] = lambda _: (),
    ) -> Self:
        """Return an index in memory of rows with their terms, and with facets."""
        index = tantivy.Index(_schema())
        _write(index, ((row, " ".join(terms), facets(row)) for row, terms in rows))
        index.reload()
        return cls(index)

    def search(
        self,
        tokens: Iterable[str] | Mapping[str, float],
        depth: int,
        facets: Sequence[Sequence[str]] = (),
        without: Sequence[str] = (),
        *,
        weighed: bool = False,
    ) -> Scored:
        """Return the best rows and their BM25 scores, best first, ties in row order.

        Args:
            tokens: analysed words of the question; a repeated word counts as often as it occurs;
                or the words with factors on their scores.
            depth: how many rows at most.
            facets: groups of facets; a row must have one of each group.
            without: facets of which a row must have none.
            weighed: whether words are as rare as they are in the rows that have none of these.
        """
        weights: Mapping[str, float] = Counter(tokens)
        if weighed and without:
            weights = self.counts(weights, without).weights(weights, self.counts(weights))
        hits = self._hits(self._query(weights, facets, without), depth) if weights else []
        found = self._searcher.fast_field_values("row", [address for _, address in hits])
        rows = np.array(found, np.uint32)
        scores = np.array([score for score, _ in hits], np.float64)
        order = np.lexsort((rows, -scores))[:depth]
        return rows[order], scores[order]

    def rescored(
        self,
        tokens: Mapping[str, float],
        without: Sequence[str],
        found: NDArray[np.uint32],
        texts: Sequence[Codes],
        average: float,
    ) -> Scored:
        """Return rows with the scores of an index of only those rows that have none of some facets.

        Args:
            tokens, without: as in `search`.
            found: the rows.
            texts: codes of the terms of each.
            average: terms of a row that has none of the facets.
        """
        if not len(found):
            return found, np.zeros(0)
        scores = self.counts(tokens, without).scores(tokens, texts, average)
        order = np.lexsort((found, -scores))
        return found[order], scores[order]

    def _hits(self, query: tantivy.Query, depth: int) -> list[tuple[float, tantivy.DocAddress]]:
        """Return the best hits and all that tie with the last of them.

        tantivy breaks ties by its segments, which are not in row order.
        """
        limit = depth + 1
        while True:
            hits = self._searcher.search(query, limit=limit, count=False).hits
            if len(hits) < limit or hits[-1][0] < hits[depth - 1][0]:
                return cast("list[tuple[float, tantivy.DocAddress]]", hits)
            limit *= 4

    def _query(
        self,
        weights: Mapping[str, float],
        facets: Sequence[Sequence[str]],
        without: Sequence[str],
    ) -> tantivy.Query:
        schema = self._index.schema
        clauses = [
            (tantivy.Occur.Should, _term(schema, token, weight))
            for token, weight in list(weights.items())[:MAX_QUERY_TERMS]
        ]
        text = tantivy.Query.boolean_query(clauses)
        if not facets and not without:
            return text
        must = [(tantivy.Occur.Must, self._none_of(without, text))]
        for group in facets:
            allowed = self._having(group)
            must.append((tantivy.Occur.Must, tantivy.Query.const_score_query(allowed, 0.0)))
        return tantivy.Query.boolean_query(must)

    def counts(self, tokens: Iterable[str], without: Sequence[str] = ()) -> Counts:
        """Count the rows that have none of some facets, and those among them that have a term."""
        left_out = tuple(without)
        asked = [(left_out, one) for one in ("", *tokens)]
        found = self._counted.known(asked)
        if missing := [one for one in asked if one not in found]:
            counted = self._count(missing)
            self._counted.keep(counted)
            found |= counted
        texts = found.pop((left_out, ""), 0)
        return Counts(texts, {term: rows for (_, term), rows in found.items()})

    def _count(self, asked: Sequence[_Counted]) -> dict[_Counted, int]:
        rows = {"rows": {"value_count": {"field": "row"}}}
        found: dict[_Counted, int] = {}
        for without, term in asked:
            having = _term(self._index.schema, term) if term else tantivy.Query.all_query()
            counted = self._searcher.aggregate(self._none_of(without, having), rows)
            found[without, term] = int(counted["rows"]["value"])
        return found

    def _none_of(self, without: Sequence[str], query: tantivy.Query) -> tantivy.Query:
        if not without:
            return query
        none = (tantivy.Occur.MustNot, self._having(without))
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, query), none])

    def _having(self, facets: Sequence[str]) -> tantivy.Query:
        return tantivy.Query.term_set_query(self._index.schema, "facets", list(facets))


def _open(folder: Path) -> tantivy.Index:
    """Open an index; tantivy wants to write a lock, so a read-only one is opened through links."""
    try:
        return tantivy.Index.open(str(folder))
    except ValueError as error:
        if "Lockfile" not in str(error):
            raise
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as links:
        for path in folder.iterdir():
            if path.suffix != ".lock":
                (Path(links) / path.name).symlink_to(path.resolve())
        return tantivy.Index.open(links)


def _term(schema: tantivy.Schema, token: str, weight: float = 1) -> tantivy.Query:
    query = tantivy.Query.term_query(schema, "tokens", token, index_option="freq")
    return query if weight == 1 else tantivy.Query.boost_query(query, float(weight))

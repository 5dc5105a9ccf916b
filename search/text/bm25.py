"""BM25 over analysed tokens, in tantivy (k1 = 1.2, b = 0.75, its and Lucene's constants)."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Self, cast

import numpy as np
import tantivy
from numpy.typing import NDArray

Scored = tuple[NDArray[np.uint32], NDArray[np.float64]]
"""Rows and their scores, best first."""

MAX_QUERY_TERMS = 1024
"""Distinct terms of a question that are searched: Lucene's own limit on clauses."""

_HEAP_BYTES = 64 * 2**20


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

    @classmethod
    def of(cls, rows: Iterable[tuple[int, Iterable[str]]]) -> Self:
        """Return an index in memory of rows with their terms."""
        index = tantivy.Index(_schema())
        _write(index, ((row, " ".join(terms), ()) for row, terms in rows))
        index.reload()
        return cls(index)

    def search(
        self,
        tokens: Sequence[str],
        depth: int,
        facets: Sequence[Sequence[str]] = (),
        without: Sequence[str] = (),
        weights: Mapping[str, float] | None = None,
    ) -> Scored:
        """Return the best rows and their BM25 scores, best first, ties in row order.

        Args:
            tokens: analysed words of the question; a repeated word counts as often as it occurs.
            depth: how many rows at most.
            facets: groups of facets; a row must have one of each group.
            without: facets of which a row must have none.
            weights: factors on the scores of some tokens.
        """
        counts = {one: n * (weights or {}).get(one, 1) for one, n in Counter(tokens).items()}
        hits = self._hits(self._query(counts, facets, without), depth) if tokens else []
        found = self._searcher.fast_field_values("row", [address for _, address in hits])
        rows = np.array(found, np.uint32)
        scores = np.array([score for score, _ in hits], np.float64)
        order = np.lexsort((rows, -scores))[:depth]
        return rows[order], scores[order]

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
        self, counts: Mapping[str, float], facets: Sequence[Sequence[str]], without: Sequence[str]
    ) -> tantivy.Query:
        schema = self._index.schema
        clauses = [
            (tantivy.Occur.Should, _term(schema, token, count))
            for token, count in list(counts.items())[:MAX_QUERY_TERMS]
        ]
        text = tantivy.Query.boolean_query(clauses)
        if not facets and not without:
            return text
        must = [(tantivy.Occur.Must, text)]
        for group in facets:
            allowed = self._having(group)
            must.append((tantivy.Occur.Must, tantivy.Query.const_score_query(allowed, 0.0)))
        if without:
            must.append((tantivy.Occur.MustNot, self._having(without)))
        return tantivy.Query.boolean_query(must)

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


def _term(schema: tantivy.Schema, token: str, count: float) -> tantivy.Query:
    query = tantivy.Query.term_query(schema, "tokens", token, index_option="freq")
    return query if count == 1 else tantivy.Query.boost_query(query, float(count))

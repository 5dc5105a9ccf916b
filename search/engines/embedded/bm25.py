"""BM25 over analysed tokens, in tantivy (k1 = 1.2, b = 0.75, its and Lucene's constants)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import cast

import tantivy

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
    index = tantivy.Index(_schema(), path=str(folder))
    writer = index.writer(heap_size=_HEAP_BYTES, num_threads=1)
    for row, tokens, facets in rows:
        document = tantivy.Document(tokens=[tokens], facets=list(facets))
        document.add_unsigned("row", row)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()


class BM25Index:
    """An opened index; safe to search from several threads."""

    def __init__(self, folder: Path) -> None:
        self._index = tantivy.Index.open(str(folder))
        self._searcher = self._index.searcher()

    def search(
        self,
        tokens: Sequence[str],
        depth: int,
        facets: Sequence[Sequence[str]] = (),
    ) -> list[tuple[int, float]]:
        """Return the best (row, BM25 score), ties in row order.

        Args:
            tokens: analysed words of the question; a repeated word counts as often as it occurs.
            depth: how many rows at most.
            facets: groups of facets; a row must have one of each group.
        """
        if not tokens:
            return []
        result = self._searcher.search(self._query(tokens, facets), limit=depth, count=False)
        found = self._searcher.fast_field_values("row", [address for _, address in result.hits])
        rows = cast("list[int]", found)
        scored = [(row, score) for row, (score, _) in zip(rows, result.hits, strict=True)]
        return sorted(scored, key=lambda pair: (-pair[1], pair[0]))

    def _query(self, tokens: Sequence[str], facets: Sequence[Sequence[str]]) -> tantivy.Query:
        schema = self._index.schema
        clauses = [
            (tantivy.Occur.Should, _term(schema, token, count))
            for token, count in list(Counter(tokens).items())[:MAX_QUERY_TERMS]
        ]
        text = tantivy.Query.boolean_query(clauses)
        if not facets:
            return text
        must = [(tantivy.Occur.Must, text)]
        for group in facets:
            allowed = tantivy.Query.term_set_query(schema, "facets", list(group))
            must.append((tantivy.Occur.Must, tantivy.Query.const_score_query(allowed, 0.0)))
        return tantivy.Query.boolean_query(must)


def _term(schema: tantivy.Schema, token: str, count: int) -> tantivy.Query:
    query = tantivy.Query.term_query(schema, "tokens", token, index_option="freq")
    return query if count == 1 else tantivy.Query.boost_query(query, float(count))

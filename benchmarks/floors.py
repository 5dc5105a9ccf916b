"""What a search cannot do without, each measured alone: the encoder, tantivy, a dot product."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import tantivy

from search.engines.embedded import layout
from search.errors import InputError
from search.models.encoders.protocol import Encoder
from search.text.analyzer import tokens

DEPTH = 100

Work = Callable[[str], object]


def floors(index: str, encoder: Encoder, questions: list[str]) -> dict[str, Work]:
    """Return the three floors of an embedded index, by name.

    Queries are built and questions encoded beforehand, so that a floor is one call of its library.

    Raises:
        InputError: the index is not a folder.
    """
    if "://" in index:
        raise InputError(f"{index} is not a folder: floors are known for the embedded engine only")
    generation = layout.current_generation(Path(index))
    vectors = dict(zip(questions, encoder.encode_questions(questions), strict=True))
    matrix = _float32(generation, encoder.dimension)
    return {
        "query encoding": lambda question: encoder.encode_questions([question]),
        "tantivy": _tantivy(generation / layout.LEXICAL, questions),
        "numpy dot product": lambda question: matrix @ vectors[question],
    }


def _float32(generation: Path, dimension: int) -> np.ndarray:
    stored = np.fromfile(generation / layout.VECTORS_F16, np.float16)
    return stored.reshape(-1, dimension).astype(np.float32)


def _tantivy(folder: Path, questions: list[str]) -> Work:
    index = tantivy.Index.open(str(folder))
    searcher = index.searcher()
    queries = {question: _query(index.schema, question) for question in questions}
    return lambda question: searcher.search(queries[question], limit=DEPTH, count=False)


def _query(schema: tantivy.Schema, question: str) -> tantivy.Query:
    clauses = []
    for token, count in Counter(tokens(question)).items():
        term = tantivy.Query.term_query(schema, "tokens", token, index_option="freq")
        boosted = term if count == 1 else tantivy.Query.boost_query(term, float(count))
        clauses.append((tantivy.Occur.Should, boosted))
    return tantivy.Query.boolean_query(clauses)

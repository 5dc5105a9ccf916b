"""Corpora of any size, made from a real one by moving its words about.

Each copy of a document has the same numbers, the same length of every passage and the same words,
but the words of all its passages are shuffled together. So every word is as frequent as in the
real corpus, no two passages are alike, and questions of real words find much to score.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import count, groupby

from search.engines.stored_rows import Record
from search.provisions.numbering import lookup_keys
from search.records import Passage
from search.text.analyzer import tokens


def copied_documents(real: Sequence[Passage], size: int) -> Iterator[list[Record]]:
    """Yield documents of made passages, `size` passages in all.

    Args:
        real: passages of a real corpus, document by document; those without text are left out.
        size: how many passages to make; the last document may be cut short.
    """
    with_text = [passage for passage in real if passage.text.strip()]
    documents = [list(group) for _, group in groupby(with_text, lambda p: p.document_id)]
    made = 0
    for number in count():
        for document in documents:
            if made >= size:
                return
            records = list(_copy(document[: size - made], number))
            made += len(records)
            yield records


def _copy(document: Sequence[Passage], number: int) -> Iterator[Record]:
    texts = [passage.text.split() for passage in document]
    pool = [word for text in texts for word in text]
    random.Random(f"{document[0].document_id} {number}").shuffle(pool)
    used = 0
    for passage, text in zip(document, texts, strict=True):
        words = pool[used : used + len(text)]
        used += len(text)
        yield _record(passage, words, number)


def _record(passage: Passage, words: Sequence[str], number: int) -> Record:
    made = replace(
        passage,
        id=f"{passage.id}-{number}",
        document_id=f"{passage.document_id}-{number}",
        document_title=f"{passage.document_title} {number}",
        parent=passage.parent and f"{passage.parent}-{number}",
        text=" ".join(words),
    )
    return Record(
        passage=made,
        tokens=tuple(term for word in words for term in _terms(word)),
        numbers=_numbers(passage.passage_id),
        vector_hash=hashlib.sha256(made.id.encode()).hexdigest(),
    )


@cache
def _terms(word: str) -> tuple[str, ...]:
    # No term spans white space, so the terms of a text are those of its words.
    return tuple(tokens(word))


@cache
def _numbers(passage_id: str) -> tuple[str, ...]:
    return lookup_keys(passage_id)

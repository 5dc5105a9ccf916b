"""Pairs from Q&As that name the articles they are about, such as those of the EBA on the CRR."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from rirag.inputs.json_records import json_lines, read_records, refuse_half_characters
from rirag_workbench.evaluation.articles.numbers import article_numbers
from rirag_workbench.training.data.pairs import Pair, PassageReference
from search.records import Passage

_OWN_NUMBER = re.compile(r"(?:art(?:icle)?\.?\s*)?(\d+[a-z]{0,3})(?![\w])", re.IGNORECASE)


def answer_pairs(path: Path, passages: Iterable[Passage]) -> Iterator[Pair]:
    """Yield a pair for each Q&A, with no positives where the index holds none of its articles.

    Args:
        path: lines of `{"qa_id", "question", "article"}`; more fields may follow.
        passages: of the index; those of an article have its number at the front of theirs.

    Raises:
        InputError: the file cannot be used; the message lists all bad lines.
    """
    articles: dict[str, list[Passage]] = defaultdict(list)
    for passage in passages:
        number = _OWN_NUMBER.match(passage.passage_id)
        if number and passage.text.strip() and passage.kind != "heading":
            articles[number[1].lower()].append(passage)
    for identity, question, named in read_records(path, _record, json_lines):
        positives = tuple(
            PassageReference(passage.id, passage.text)
            for number in article_numbers(named.lower())
            for passage in articles.get(number, ())
        )
        yield Pair(question, positives, question_id=identity, source="answers")


def _record(record: object, _line: int) -> tuple[str, str, str]:
    """Check one record; a ValueError says what is wrong with it."""
    fields = record if isinstance(record, dict) else {}
    known = [fields.get(name) for name in ("qa_id", "question", "article")]
    texts = [field for field in known if isinstance(field, str)]
    if len(texts) != len(known):
        raise ValueError("a Q&A must be an object with qa_id, question and article as texts.")
    refuse_half_characters("".join(texts), "the Q&A")
    return texts[0], texts[1], texts[2]

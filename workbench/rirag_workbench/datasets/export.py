"""Data sets in the forms of others: ObliQA's JSON, and BEIR's folder."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from rirag.files import write_text
from rirag_workbench.datasets.records import Question
from search.errors import InputError
from search.records import Passage


def to_obliqa(questions: Sequence[Question]) -> str:
    """Return ObliQA's JSON; questions that nothing answers have no passages."""
    records = [
        {
            "QuestionID": one.question_id, "Question": one.question, "class": one.kind,
            "Passages": [
                {"DocumentID": p.document_id, "PassageID": p.passage_id, "Passage": p.text}
                for p in one.relevant
            ],
        }
        for one in questions
    ]  # fmt: skip
    return json.dumps(records, ensure_ascii=False, indent=1) + "\n"


def write_beir(questions: Sequence[Question], passages: Iterable[Passage], folder: Path) -> None:
    """Write corpus.jsonl, queries.jsonl and qrels/test.tsv.

    Args:
        questions: those that nothing answers are left out, as BEIR has no place for them.
        passages: the whole corpus that is searched.
        folder: made if it is not there.

    Raises:
        InputError: the corpus lacks a passage that answers a question.
    """
    answered = [one for one in questions if one.relevant]
    corpus = [
        {"_id": one.id, "title": one.citation(), "text": one.text} for one in passages
    ]  # fmt: skip
    known = {one["_id"] for one in corpus}
    lacking = [p.id for one in answered for p in one.relevant if p.id not in known]
    if lacking:
        raise InputError(
            f"the index lacks {len(set(lacking)):,} of the passages that answer the questions, "
            f"such as {lacking[0]!r}; give the index from which the data set was built (--index).",
            code="dataset.invalid",
        )
    queries = [{"_id": one.question_id, "text": one.question} for one in answered]
    qrels = [(one.question_id, p.id) for one in answered for p in one.relevant]
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    for name, records in (("corpus", corpus), ("queries", queries)):
        lines = (json.dumps(one, ensure_ascii=False) + "\n" for one in records)
        write_text(folder / f"{name}.jsonl", "".join(lines), "the data set")
    rows = "".join(f"{question}\t{passage}\t1\n" for question, passage in qrels)
    head = "query-id\tcorpus-id\tscore\n"
    write_text(folder / "qrels" / "test.tsv", head + rows, "the data set")

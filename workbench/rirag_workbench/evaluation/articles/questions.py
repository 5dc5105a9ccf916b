"""Q&As about the articles of an act, such as those of the EBA: one JSON object a line.

    {"qa_id": "2013_105", "article": "63, 490", "question": "…", "background": "…", "answer": "…"}

`background`, `answer` and `topic` may be missing or null. `article` says what the Q&A is about, in
the words of whoever filled in the form: `Art. 430 (1)`, `467-478`, `N/A`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from rirag.inputs.json_records import json_lines, read_records, refuse_half_characters
from rirag_workbench.evaluation.articles.numbers import article_numbers
from search.articles.act import Act
from search.articles.features import AskedQuestion
from search.errors import InputError

LEFT_OUT = ("99",)
"""Articles that are not targets: questions on reporting name Article 99 whatever they are about
(Licari et al., section 2.2.1)."""


@dataclass(frozen=True, slots=True)
class ArticleQuestion:
    """One Q&A."""

    qa_id: str
    asked: AskedQuestion
    articles: tuple[str, ...]
    """Numbers in small letters, as the field names them, whether or not the act has them."""
    answer: str = ""
    topic: str = ""
    line: int = 0
    """1-based, in its file."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Q&As with at least one article of an act, and what was left out."""

    questions: tuple[ArticleQuestion, ...]
    """Their `articles` are those of the act alone, without those left out."""
    notes: tuple[str, ...]
    """One sentence for each article that the act does not have."""


def read_article_questions(path: Path) -> tuple[ArticleQuestion, ...]:
    """Read a file of Q&As.

    Raises:
        InputError: the file cannot be used; the message lists all bad lines.
    """
    first: dict[str, int] = {}

    def question(record: object, line: int) -> ArticleQuestion:
        found = _question(record, line)
        if found.qa_id in first:
            used = f"the qa_id {found.qa_id!r} is already used on line {first[found.qa_id]}."
            raise ValueError(used)
        first[found.qa_id] = line
        return found

    return tuple(read_records(path, question, json_lines))


def judged(questions: tuple[ArticleQuestion, ...], act: Act, path: Path) -> Judged:
    """Return the Q&As whose articles an act has.

    Raises:
        InputError: there is none.
    """
    kept, notes = [], []
    for one in questions:
        known = tuple(n for n in one.articles if n in act.places and n not in LEFT_OUT)
        notes += [
            f"{path}:{one.line}: {act.title} has no Article {n}, which {one.qa_id} names; it is "
            "not counted."
            for n in one.articles
            if n not in act.places
        ]
        if known:
            kept.append(replace(one, articles=known))
    if not kept:
        raise InputError(
            f"no Q&A is about an article of {act.title or 'the act'}; give the act "
            "that the Q&As are about.",
            path,
            code="evaluation.invalid",
        )
    return Judged(tuple(kept), tuple(notes))


def _question(record: object, line: int) -> ArticleQuestion:
    """Check one record; a ValueError says what is wrong with it."""
    if not isinstance(record, dict):
        raise ValueError("a Q&A must be a JSON object.")
    for name in ("qa_id", "question"):
        value = record.get(name)
        if not isinstance(value, str) or not value.strip():
            raise ValueError(f"a Q&A needs {name!r}, a non-empty text.")
    for name in ("article", "background", "answer", "topic"):
        if not isinstance(record.get(name) or "", str):
            raise ValueError(f"{name!r} of a Q&A must be a text.")
    for name in ("qa_id", "question", "article", "background", "answer", "topic"):
        refuse_half_characters(record.get(name) or "", f"{name!r} of a Q&A")
    if len(record["qa_id"].split()) != 1:
        raise ValueError(f"the qa_id {record['qa_id']!r} contains white space.")
    return ArticleQuestion(
        qa_id=record["qa_id"],
        asked=AskedQuestion(record["question"], record.get("background") or ""),
        articles=article_numbers((record.get("article") or "").lower()),
        answer=record.get("answer") or "",
        topic=record.get("topic") or "",
        line=line,
    )

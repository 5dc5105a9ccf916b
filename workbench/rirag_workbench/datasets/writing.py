"""What a language model is asked about passages, and what a question must look like.

Topics with keywords, and the passages that have them, are those of RIRAG, section 3.1.1 and
appendix A.3.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Literal

from generation.advisor.shares import cut_to
from generation.llm.protocol import Message, Prompt, prompt_tokens_estimate
from generation.prompts import render
from generation.text.fence import Fence
from rirag.files import read_text, write_text
from rirag_workbench.datasets.records import Question
from rirag_workbench.refusals import unusable
from search.records import Passage

Topics = Mapping[str, Sequence[str]]
"""Topic → keywords, of which a passage must have one."""


def read_topics(path: Path) -> Topics:
    """Read a JSON object of topics."""
    try:
        found = json.loads(read_text(path))
        topics = {str(name): [str(word) for word in words] for name, words in found.items()}
    except (ValueError, AttributeError, TypeError):
        raise unusable("dataset.invalid/topics", path) from None
    if not topics or not all(topics.values()):
        raise unusable("dataset.invalid/topic", path)
    return topics


def groups_of(
    passages: Sequence[Passage], topics: Topics, size: int, count: int, random: Random
) -> list[tuple[str, tuple[Passage, ...]]]:
    """Draw groups of passages that share a topic, topic by topic in turns."""
    waiting: dict[str, list[Passage]] = {}
    for topic, words in topics.items():
        pattern = re.compile("|".join(rf"\b{re.escape(word)}\b" for word in words), re.IGNORECASE)
        having = [passage for passage in passages if pattern.search(passage.text)]
        waiting[topic] = random.sample(having, len(having))
    groups: list[tuple[str, tuple[Passage, ...]]] = []
    while len(groups) < count and any(len(one) >= size for one in waiting.values()):
        for topic, left in waiting.items():
            if len(left) >= size and len(groups) < count:
                groups.append((topic, tuple(left[:size])))
                del left[:size]
    return groups


LEAST_PASSAGE_WORDS = 12
"""Shorter passages leave nothing to ask that their number would not answer."""
LEAST_WORDS, MOST_WORDS = 4, 60
"""Of a question: fewer do not make a question, and more are an essay."""
COPIED_WORDS = 9
"""A question with so many words in a row from its passage was copied, not asked."""
TOKENS_A_QUESTION = 60

_LIST_MARK = re.compile(r"^\s*(?:[-*•–]|\(?\d{1,2}[.):]|Q(?:uestion)? ?\d*[.:])\s*")
_OF_A_PASSAGE = re.compile(r"\b(?:the|this|that|above) (?:passages?|excerpt)\b(?! of)", re.I)
"""Only who sees the passage understands such a question."""


def choose_passages(passages: Iterable[Passage], count: int, seed: int) -> list[Passage]:
    """Draw passages that can be asked about; equal seeds draw the same ones."""
    speaking = [
        passage
        for passage in passages
        if passage.kind != "heading" and len(passage.text.split()) >= LEAST_PASSAGE_WORDS
    ]
    chooser = random.Random(seed)  # noqa: S311 - a draw, not a secret
    return chooser.sample(speaking, min(count, len(speaking)))


def questions_in(reply: str) -> Iterator[str]:
    """Yield the lines of a reply, without list marks and quotation marks, each once."""
    lines = (_LIST_MARK.sub("", line).strip().strip('"“”').strip() for line in reply.splitlines())
    yield from dict.fromkeys(line for line in lines if line)


def questions_prompt(
    passages: Sequence[Passage], each: int, own: Mapping[str, str] | None, context: int,
    name: str = "questions-user",
) -> Prompt:  # fmt: skip
    """Return what the model is asked; passages that its context cannot hold are cut off."""
    fence = Fence()

    def of(texts: Sequence[str]) -> Prompt:
        shown = "\n".join(
            fence.passage(number, _name(passage), text)
            for number, (passage, text) in enumerate(zip(passages, texts, strict=True), 1)
        )
        messages = (
            Message("system", render("questions-system", own, code=fence.code)),
            Message("user", render(name, own, passage=shown, count=str(each))),
        )
        return Prompt(messages, TOKENS_A_QUESTION * each)

    empty = prompt_tokens_estimate(of([""] * len(passages)))
    room = max(context - empty - TOKENS_A_QUESTION * each, 0) // len(passages)
    return of([cut_to(passage.text, room) for passage in passages])


def _name(passage: Passage) -> str:
    crumbs = " › ".join((passage.document_title, *passage.breadcrumb)).strip(" ›")
    return crumbs or passage.document_id


def form_problem(question: str, texts: Iterable[str]) -> Literal["malformed", "copied"] | None:
    """Return what is wrong with the form of a question about some passages; None: nothing."""
    words = question.split()
    formed = question.endswith("?") and LEAST_WORDS <= len(words) <= MOST_WORDS
    if not formed or _OF_A_PASSAGE.search(question):
        return "malformed"
    return "copied" if any(_is_copied(words, text) for text in texts) else None


def _is_copied(words: Sequence[str], text: str) -> bool:
    folded = " " + " ".join(text.lower().split()) + " "
    runs = (
        " ".join(words[start : start + COPIED_WORDS]).lower()
        for start in range(len(words) - COPIED_WORDS + 1)
    )
    return any(run in folded for run in runs)


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
    """Write corpus.jsonl, queries.jsonl and qrels/test.tsv."""
    answered = [one for one in questions if one.relevant]
    corpus = [
        {"_id": one.id, "title": one.citation(), "text": one.text} for one in passages
    ]  # fmt: skip
    known = {one["_id"] for one in corpus}
    lacking = [p.id for one in answered for p in one.relevant if p.id not in known]
    if lacking:
        raise unusable("dataset.invalid/corpus", count=len(set(lacking)), first=lacking[0])
    queries = [{"_id": one.question_id, "text": one.question} for one in answered]
    qrels = [(one.question_id, p.id) for one in answered for p in one.relevant]
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    for name, records in (("corpus", corpus), ("queries", queries)):
        lines = (json.dumps(one, ensure_ascii=False) + "\n" for one in records)
        write_text(folder / f"{name}.jsonl", "".join(lines), "the data set")
    rows = "".join(f"{question}\t{passage}\t1\n" for question, passage in qrels)
    head = "query-id\tcorpus-id\tscore\n"
    write_text(folder / "qrels" / "test.tsv", head + rows, "the data set")

"""Question files as answered questions: from what a file names to passages of an index."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from rirag.inputs.gold import Resolve, name_of, resolver
from rirag.inputs.questions import Question, read_questions
from search.answered_questions.questions import AnsweredQuestion
from search.engines import locate
from search.errors import InputError
from search.records import Filters

if TYPE_CHECKING:
    from search.engines.servers import ServerOptions


def read_answered_questions(
    files: Sequence[Path], index_url: str, server: ServerOptions | None = None
) -> list[AnsweredQuestion]:
    """Read question files, as `rirag evaluate` reads them.

    Args:
        files: each question of them must name a passage; one that is in several files must
            be the same in all.
        index_url: of the index that holds the passages; looked into for those that a file names
            by document and number.
        server: how to reach an index on a server; None: the environment's `RIRAG_SERVER_*`.

    Raises:
        InputError: a file cannot be used; the message lists all bad records with their lines.
    """
    read = {file: read_questions(file) for file in files}
    resolve = resolver_of(index_url, server)
    known: dict[str, AnsweredQuestion] = {}
    first: dict[str, Path] = {}
    for file, questions in read.items():
        for question in questions:
            one = _known(question, resolve)
            if known.setdefault(one.id, one) != one:
                raise InputError(
                    f"question {one.id!r} has another text in {first[one.id]}; give "
                    "one of them another ID.",
                    file,
                    code="answered-question.duplicate",
                )
            first.setdefault(one.id, file)
    return list(known.values())


def _known(question: Question, resolve: Resolve) -> AnsweredQuestion:
    passages = (resolve(gold) or name_of(gold) for gold in question.gold)
    text = " ".join(question.text.split())
    return AnsweredQuestion(question.question_id, text, tuple(dict.fromkeys(passages)))


def resolver_of(index_url: str, server: ServerOptions | None = None) -> Resolve:
    """Return what takes IDs as they are, and looks for documents and numbers in an index.

    The index is opened for the first passage that is named by document and number.
    """

    @cache
    def by_number() -> Resolve:
        with closing(locate(index_url, server).open(index_url)) as engine:
            return resolver(passage for _, passage in engine.find(Filters()))

    return lambda gold: gold.id if gold.id is not None else by_number()(gold)

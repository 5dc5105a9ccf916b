"""Answers to a file of questions: one JSON line each, and a file that can be taken up again."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from rirag.cli.options import json_text
from rirag.cli.output.progress import Progress
from rirag.refusals import unusable
from search.errors import InputError, StorageError

if TYPE_CHECKING:
    from rirag.inputs.questions import Question

BEGINNING = b'{"QuestionID": '
"""Of every line: a last line that begins otherwise is not one that was cut."""

AnswerOne = Callable[["Question"], dict[str, Any]]
"""Returns the answer to a question as JSON."""


def answer_file(questions: Path, output: Path | None, answer: AnswerOne) -> None:
    """Answer the questions of a file that the output does not answer yet.

    Args:
        questions: ObliQA JSON or JSONL.
        output: where to append; None: standard output, from the first question on.
        answer: answers one question.
    """
    from rirag.inputs.questions import read_questions

    asked = read_questions(questions, judged=False)
    if output is not None and output.exists() and output.samefile(questions):
        raise unusable("output.is-input", output)
    done = set() if output is None else _answered(output)
    remaining = [one for one in asked if one.question_id not in done]
    with _opened(output) as file, Progress() as progress:
        answered = progress.begin("answering", len(remaining))
        for one in remaining:
            try:
                line = json_text(answer(one))
            except InputError as error:
                raise InputError(
                    f"question {one.question_id!r}: {error}", questions, code=error.code
                ) from error
            _write(file, line, output)
            answered()
    if output is not None:
        click.echo(f"{len(remaining)} answered, {len(done)} were already in {output}")


def _answered(output: Path) -> set[str]:
    """Return the questions that a file answers; a line cut by a crash is removed from it."""
    if not output.exists():
        return set()
    try:
        *lines, rest = output.read_bytes().split(b"\n")
        answered = [_question_id(line) for line in lines]
        if None in answered:
            raise unusable("output.foreign", output, answered.index(None) + 1)
        if not (rest.startswith(BEGINNING) or BEGINNING.startswith(rest)):
            raise unusable("output.foreign", output, len(lines) + 1)
        if rest:
            os.truncate(output, output.stat().st_size - len(rest))
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror}", output, code="file.unreadable"
        ) from error
    return {one for one in answered if one is not None}


def _question_id(line: bytes) -> str | None:
    """Return the question that a line answers; None: it is not an answer."""
    try:
        answered = json.loads(line)["QuestionID"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return answered if isinstance(answered, str) else None


def _write(file: TextIO, line: str, output: Path | None) -> None:
    try:
        file.write(line + "\n")
        file.flush()
    except OSError as error:
        if output is None:  # a closed pipe is told apart where the command ends
            raise
        raise _unwritable(output, error) from error


def _unwritable(output: Path, error: OSError) -> StorageError:
    return StorageError(f"{output}: cannot be written: {error.strerror}")


@contextmanager
def _opened(output: Path | None) -> Iterator[TextIO]:
    if output is None:
        yield sys.stdout
        return
    try:
        file = output.open("a", encoding="utf-8")
    except OSError as error:
        raise _unwritable(output, error) from error
    with file:
        yield file

"""Implement `rirag train pairs`: make a pair file from a rulebook or existing data."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rirag.cli.options import FILE
from rirag.files import refuse_output
from rirag_workbench.cli.options import options
from rirag_workbench.cli.training.options import (
    indexed_passages,
)
from search.errors import InputError

if TYPE_CHECKING:
    from rirag_workbench.training.data.pairs import Pair
    from search.records import Passage

KINDS = ("questions", "keywords", "headings", "parents", "definitions", "answers")
FROM_INDEX_ALONE = ("headings", "parents", "definitions")


@click.command()
@click.argument("kind", type=click.Choice(KINDS), metavar="KIND")
@click.argument("source", required=False, type=FILE)
@options("train-pairs")
def pairs(kind: str, source: Path | None, output: Path, index: str | None) -> None:
    """Make a file of questions and passages, of one KIND.

    \b
    questions    from a question file (SOURCE), with the passages of an index
    keywords     from a question file: its questions as somebody types them in a hurry
    headings     from an index: each heading with the passages below it
    parents      from an index: each passage with those below it
    definitions  from an index: each defined term with its definition
    answers      from Q&As that name articles (SOURCE, JSONL), with the articles of an index
    """
    refuse_output(output, "the pair file", [source])
    unknown: set[str] = set()
    made = list(_made(kind, source, index, unknown))
    kept = [one for one in made if one.positives]
    if not kept:
        what = f"{source} and the index" if source else "the index"
        raise InputError(
            f"no pair of the kind {kind!r} can be made of {what}: the index has none "
            "of the passages.",
            code="option.invalid",
        )
    from rirag_workbench.training.data.pairs import write_pairs

    count = write_pairs(kept, output)
    click.echo(f"{output}: {count:,} pairs{_left_out(len(made) - count, len(unknown))}")


def _left_out(pairs: int, passages: int) -> str:
    parts = []
    if passages:
        parts.append(f"{passages:,} passages that the index does not hold")
    if pairs:
        parts.append(f"{pairs:,} pairs of which the index holds no passage")
    return f"; left out: {', and '.join(parts)}" if parts else ""


def _made(kind: str, source: Path | None, index: str | None, unknown: set[str]) -> Iterable[Pair]:
    """Return the pairs of a kind; those without positives are of no use.

    Args:
        kind: one of `KINDS`.
        source: file to make them from.
        index: where the passages are.
        unknown: takes the names of passages that the index does not hold.

    Raises:
        InputError: the file cannot be used, is missing, or there should be none.
    """
    if kind in FROM_INDEX_ALONE:
        if source is not None:
            raise InputError(
                f"pairs of the kind {kind!r} are made from the index alone: leave out "
                f"{source}, and give the index with --index.",
                code="option.invalid",
            )
        return _from_index(kind, indexed_passages(index))
    if source is None:
        raise InputError(
            f"pairs of the kind {kind!r} are made from a file: give it after the kind.",
            code="option.invalid",
        )
    return _from_file(kind, source, index, unknown)


def _from_index(kind: str, passages: list[Passage]) -> Iterable[Pair]:
    from rirag_workbench.training.data.pair_sources import (
        definition_pairs,
        heading_pairs,
        parent_pairs,
    )

    makers = {"headings": heading_pairs, "parents": parent_pairs, "definitions": definition_pairs}
    return makers[kind](passages)


def _from_file(kind: str, source: Path, index: str | None, unknown: set[str]) -> Iterable[Pair]:
    from rirag.inputs.gold import noting_unknown, resolver
    from rirag.inputs.questions import read_questions
    from rirag_workbench.training.data.examples import pair_of
    from rirag_workbench.training.data.pair_sources import keyword_pairs
    from rirag_workbench.training.data.pairs import answer_pairs

    passages = indexed_passages(index)
    if kind == "answers":
        return answer_pairs(source, passages)
    resolve = noting_unknown(resolver(passages), unknown)
    questions = read_questions(source)
    if kind == "keywords":
        return keyword_pairs(questions, resolve)
    return [pair_of(question, resolve) for question in questions]

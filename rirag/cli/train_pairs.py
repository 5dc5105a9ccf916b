"""`rirag train pairs`: make a pair file from what a rulebook or a team holds already."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rirag.cli.options import index_option, make_settings, open_index
from search.errors import InputError, StorageError

if TYPE_CHECKING:
    from rirag.training.data.pairs import Pair

KINDS = ("questions", "keywords", "headings", "parents", "definitions", "references", "answers",
         "flagembedding")  # fmt: skip


@click.command()
@click.argument("kind", type=click.Choice(KINDS), metavar="KIND")
@click.argument("source", required=False, type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), metavar="FILE",
              help="Pair file to write (JSONL).")  # fmt: skip
@index_option
def pairs(kind: str, source: Path | None, output: Path, index: str | None) -> None:
    """Make a file of questions and passages, of one KIND.

    \b
    questions      from a question file (SOURCE); the index finds passages named by number
    keywords       from a question file: its questions as somebody types them in a hurry
    headings       from an index: each heading with the passages below it
    parents        from an index: each passage with those below it
    definitions    from an index: each defined term with its definition
    references     from a table of cross-references (SOURCE, CSV)
    answers        from Q&As that name articles (SOURCE, JSONL), with the articles of an index
    flagembedding  from a pair file (SOURCE): the form that FlagEmbedding is fine-tuned with
    """
    made = [one for one in _made(kind, source, index) if one.positives]
    if not made:
        what = f"{source} and the index" if source else "the index"
        raise InputError(
            f"no pair of the kind {kind!r} can be made of {what}: none of the passages is there."
        )
    from rirag.training.data.flagembedding import write_flagembedding
    from rirag.training.data.pairs import write_pairs

    write = write_flagembedding if kind == "flagembedding" else write_pairs
    try:
        count = write(made, output)
    except OSError as error:
        raise StorageError(f"{output} cannot be written: {error.strerror}.") from error
    click.echo(f"{output}: {count:,} pairs")


def _made(kind: str, source: Path | None, index: str | None) -> Iterable[Pair]:
    from rirag.evaluation.gold import resolver
    from rirag.evaluation.questions import read_questions
    from rirag.question_files import resolver_of
    from rirag.server_settings import server_options
    from rirag.training.data import pair_sources
    from rirag.training.data.examples import read_examples
    from rirag.training.data.pairs import with_texts

    if kind in ("headings", "parents", "definitions"):
        with open_index(make_settings(index=index), reranking=False) as opened:
            passages = opened.passages()
        makers = {
            "headings": pair_sources.heading_pairs,
            "parents": pair_sources.parent_pairs,
            "definitions": pair_sources.definition_pairs,
        }
        return makers[kind](passages)
    if source is None:
        raise InputError(
            f"pairs of the kind {kind!r} are made from a file: name it after the kind."
        )
    if kind == "references":
        return pair_sources.reference_pairs(source)
    settings = make_settings(index=index)
    resolve = resolver_of(settings.index, server_options(settings))
    if kind == "questions":
        return read_examples(source, resolve)
    if kind == "keywords":
        return pair_sources.keyword_pairs(read_questions(source), resolve)
    with open_index(settings, reranking=False) as opened:
        passages = opened.passages()
    if kind == "answers":
        from rirag.training.data.named_articles import answer_pairs

        return answer_pairs(source, passages)
    return with_texts(read_examples(source, resolver(passages)), passages)

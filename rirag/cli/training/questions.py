"""Implement `rirag train questions`: let a language model write questions for passages."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rirag.cli.asking.language_model import llm_options
from rirag.cli.asking.taken_up import lines_so_far
from rirag.cli.options import (
    json_option,
    parse_filters,
    print_json,
    ranking_options,
    search_settings,
)
from rirag.cli.output.progress import Progress
from rirag.files import read_text, refuse_output
from search.errors import InputError, StorageError

if TYPE_CHECKING:
    from rirag.service import Service
    from rirag.training.data.written_questions import Rank, Written
    from search.records import Passage


@click.command(short_help="Let a language model write questions for passages.")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), metavar="FILE",
              help="Pair file to write (JSONL); the command continues an earlier one.")  # fmt: skip
@click.option("--passages", "count", type=click.IntRange(1), default=1000, show_default=True,
              metavar="N", help="Number of passages to ask about.")  # fmt: skip
@click.option("--each", type=click.IntRange(1, 20), default=2, show_default=True, metavar="N",
              help="Questions per passage.")  # fmt: skip
@click.option("--best", type=click.IntRange(1), default=3, show_default=True, metavar="N",
              help="Keep a question if its passage is among this many first hits.")  # fmt: skip
@click.option("--seed", type=int, default=17, show_default=True, metavar="N",
              help="Random seed; the same seed draws the same passages.")  # fmt: skip
@click.option("--requests", type=click.IntRange(1, 64), default=4, show_default=True, metavar="N",
              help="Concurrent requests to the language model.")  # fmt: skip
@llm_options
@ranking_options
@json_option
def questions(
    output: Path,
    count: int,
    each: int,
    best: int,
    seed: int,
    requests: int,
    as_json: bool,
    **options: Any,
) -> None:
    """Let a language model write questions for passages drawn from an index.

    A question is kept if search, with its reranker, finds its passage among the first hits. The
    file is input for `rirag train encoder`. The same command continues an interrupted run: passages
    that FILE.done lists are not asked about again.
    """
    refuse_output(output, "the pair file")
    settings = search_settings(options, "llm_url", "llm_model")
    from rirag.inputs.own_prompts import read_prompts
    from rirag.service import Service
    from rirag.service.language_models import language_model
    from rirag.training.data.written_questions import (
        LEAST_PASSAGE_WORDS,
        choose_passages,
        write_questions,
    )

    llm = language_model(settings)
    prompts = read_prompts(settings.prompts)
    done = output.with_name(output.name + ".done")
    _check(output)
    with Service.open(settings) as service:
        filters = parse_filters(options["filters"])
        chosen = choose_passages(service.passages(filters), count, seed)
        if not chosen:
            raise InputError(
                "no passage of "
                f"{settings.index}{' that meets the filters' if filters else ''} has "
                f"the {LEAST_PASSAGE_WORDS} words that a question needs.",
                code="training.no-passages",
            )
        waiting = _without_done(chosen, done)
        rank = _ranker(service, filters, best)
        written = write_questions(
            waiting, llm, rank, each=each, best=best, workers=requests, prompts=prompts
        )
        fates = _stored(_watched(written, len(waiting)), output, done)
    _report(output, fates, len(waiting), len(chosen) - len(waiting), as_json)


def _check(output: Path) -> None:
    """Refuse to continue a file of another kind; rewrite a line that was cut off at its end."""
    lines_so_far(
        output,
        b'{"question_id": "written-',
        _is_written,
        "this line was not written by rirag train questions; choose another file with --output",
    )


def _is_written(line: bytes) -> bool:
    from rirag.training.data.written_questions import SOURCE

    try:
        return bool(json.loads(line)["source"] == SOURCE)
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


def _ranker(service: Service, filters: Mapping[str, Collection[str]], best: int) -> Rank:
    from rirag.service import Query

    def rank(question: str, passage_id: str) -> int | None:
        hits = service.search(Query(question, best, filters)).hits
        return next((hit.rank for hit in hits if hit.id == passage_id), None)

    return rank


def _without_done(passages: list[Passage], done: Path) -> list[Passage]:
    known = set(read_text(done, may_be_empty=True).splitlines()) if done.exists() else set()
    return [passage for passage in passages if passage.id not in known]


def _watched(written: Iterator[Written], total: int) -> Iterator[Written]:
    with Progress() as progress:
        asked_about = progress.begin("writing questions", total, "passage")
        for one in written:
            yield one
            asked_about()


def _stored(written: Iterator[Written], output: Path, done: Path) -> Counter[str]:
    """Append the questions that were kept, passage by passage, and count all outcomes."""
    fates: Counter[str] = Counter()
    try:
        with output.open("a", encoding="utf-8") as pairs, done.open("a", encoding="utf-8") as ids:
            for one in written:
                for pair in one.pairs():
                    pairs.write(json.dumps(pair.to_json(), ensure_ascii=False) + "\n")
                pairs.flush()
                ids.write(one.passage.id + "\n")
                ids.flush()
                fates.update(fate for _, fate in one.fates)
    except OSError as error:
        raise StorageError(f"{output} cannot be written: {error.strerror}.") from error
    return fates


def _report(output: Path, fates: Counter[str], asked: int, known: int, as_json: bool) -> None:
    if as_json:
        print_json({"output": str(output), "passages": asked, "done_before": known,
                    "questions": dict(fates)})  # fmt: skip
        return
    lost = ", ".join(f"{number:,} {fate}" for fate, number in sorted(fates.items())
                     if fate != "kept")  # fmt: skip
    before = f" ({known:,} were done before)" if known else ""
    click.echo(f"{output}: {fates['kept']:,} questions for {asked:,} passages{before}; "
               f"left out: {lost or 'none'}")  # fmt: skip

"""`rirag ask`: answer a question, or a file of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rirag.cli.language_model import language_model, llm_options
from rirag.cli.options import (
    json_option,
    k_option,
    open_index,
    print_json,
    ranking_options,
    run_search,
    search_settings,
)
from search.errors import InputError

if TYPE_CHECKING:
    from generation import LLM, Answer
    from rirag.settings import Settings
    from search import Index

OnText = Callable[[str], None]
_ANSWER_FLAGS = (
    "k", "mode", "llm_url", "llm_model", "filter_limit", "filter_drop", "filter_floor",
    "filter_score", "filter_answerable",
)  # fmt: skip


@click.command()
@click.argument("question", required=False)
@click.option("--questions", type=click.Path(path_type=Path), metavar="FILE",
              help="Answer every question of a file instead (ObliQA JSON or JSONL).")  # fmt: skip
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE",
              help="With --questions: append here, and skip what it answers already.")  # fmt: skip
@click.option("--mode", metavar="NAME", help="extractive or rag.  [default: rag with an LLM]")
@click.option("--stream/--no-stream", default=True, help="Show the answer as it is written.")
@llm_options
@click.option("--filter-limit", type=int, metavar="N", help="Most passages.  [default: 10]")
@click.option("--filter-drop", type=float, metavar="X",
              help="Stop before a larger drop of the score.  [default: 0.2]")  # fmt: skip
@click.option("--filter-floor", type=float, metavar="X", help="Lowest score.  [default: 0.7]")
@click.option("--filter-score", metavar="NAME", help="What drop and floor look at: score, or "
              "relevance (docs/relevance.md).  [default: score]")  # fmt: skip
@click.option("--filter-answerable", type=float, metavar="X", help="Lowest probability that the "
              "index has an answer.  [default: 0.1]")  # fmt: skip
@click.option("--trace", is_flag=True, help="Print what was asked of the language model.")
@k_option
@ranking_options
@json_option
def command(
    question: str | None,
    questions: Path | None,
    output: Path | None,
    stream: bool,
    trace: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Answer a QUESTION; every statement cites its rule.

    Without a language model the obligations of the best passages are quoted word for word
    (extractive); with --llm-url and --llm-model a model writes the answer from them (rag).
    """
    settings = search_settings(options, *_ANSWER_FLAGS)
    if (question is None) == (questions is None):
        raise InputError("give one QUESTION, or a file of them with --questions")
    if output is not None and questions is None:
        raise InputError("--output goes with --questions; for one question use --json > FILE")
    llm = _language_model(settings)
    with open_index(settings) as index:
        desk = _Desk(index, settings, options["filters"], llm)
        if questions is not None:
            from rirag.cli.answer_file import answer_file

            answer_file(questions, output, desk.answer_json)
        elif question is not None and as_json:
            print_json(desk.answer_json(question))
        elif question is not None:
            _show(desk, question, stream, trace)


def _show(desk: _Desk, question: str, stream: bool, trace: bool) -> None:
    from generation import printable, sources_text, warnings_text

    def show(text: str) -> None:
        click.echo(text, nl=False)

    answer, notes = desk.answer(question, on_text=show if stream else None)
    click.echo("" if stream else printable(answer.text))
    for part in (sources_text(answer), warnings_text(answer)):
        if part:
            click.echo("\n" + part)
    for note in notes:
        click.echo(f"note: {printable(note)}", err=True)
    if trace and answer.trace is not None:
        click.echo("\n" + printable(answer.trace.to_text()))


@dataclass(frozen=True, slots=True)
class _Desk:
    """Where questions are answered: an opened index and everything that stays the same."""

    index: Index
    settings: Settings
    filters: tuple[str, ...]
    llm: LLM | None

    def answer(
        self, question: str, question_id: str | None = None, on_text: OnText | None = None
    ) -> tuple[Answer, tuple[str, ...]]:
        """Search and answer; return the answer and the notes of the search."""
        import generation

        settings = self.settings
        limits = generation.FilterSettings(
            max_passages=settings.filter_limit,
            max_drop=settings.filter_drop,
            min_score=settings.filter_floor,
            score=settings.filter_score,
            min_answerable=settings.filter_answerable,
        )
        deep = max(settings.k, settings.filter_limit)
        result = run_search(self.index, settings, question, self.filters, deep)
        answer = generation.answer(
            question,
            result.hits,
            mode=settings.answer_mode,
            settings=generation.AnswerSettings(filter=limits),
            llm=self.llm,
            question_id=question_id,
            on_text=on_text,
            answerable=result.plan.answerable,
        )
        return answer, result.plan.notes

    def answer_json(self, question: str, question_id: str | None = None) -> dict[str, Any]:
        """Return the stable JSON form of an answer, with the notes of its search."""
        answer, notes = self.answer(question, question_id)
        return {**answer.to_json(), "notes": list(notes)}


def _language_model(settings: Settings) -> LLM | None:
    """Return the model that answers; None where none is wanted."""
    named = settings.llm_url or settings.llm_model
    if settings.answer_mode != "rag" and not (settings.mode is None and named):
        return None
    return language_model(settings, "; without one use --mode extractive")

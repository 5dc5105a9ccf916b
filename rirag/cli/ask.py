"""`rirag ask`: answer a question, or a file of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

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
    from generation import Answer
    from rirag.settings import Settings
    from search import Index

_ANSWER_FLAGS = ("k", "mode", "llm_url", "llm_model", "filter_limit", "filter_drop", "filter_floor")


@click.command()
@click.argument("question", required=False)
@click.option("--questions", type=click.Path(path_type=Path), metavar="FILE",
              help="Answer every question of a file instead (ObliQA JSON or JSONL).")  # fmt: skip
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE",
              help="With --questions: append here, and skip what it answers already.")  # fmt: skip
@click.option("--mode", metavar="NAME", help="extractive or rag.  [default: rag with an LLM]")
@click.option("--stream/--no-stream", default=True, help="Show the answer as it is written.")
@click.option("--llm-url", metavar="URL", help="OpenAI-compatible server (key: RIRAG_LLM_API_KEY).")
@click.option("--llm-model", metavar="NAME", help="Model of that server.")
@click.option("--filter-limit", type=int, metavar="N", help="Most passages.  [default: 10]")
@click.option("--filter-drop", type=float, metavar="X",
              help="Stop before a larger drop of the score.  [default: 0.2]")  # fmt: skip
@click.option("--filter-floor", type=float, metavar="X", help="Lowest score.  [default: 0.7]")
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
    with open_index(settings) as index:
        if questions is not None:
            from rirag.cli.answer_file import answer_file

            def answer(text: str, question_id: str) -> Answer:
                return _answer(index, settings, options["filters"], text, question_id)

            answer_file(questions, output, answer)
        elif question is not None:
            _answer_one(index, settings, question, options["filters"], stream, trace, as_json)


def _answer_one(
    index: Index,
    settings: Settings,
    question: str,
    filters: tuple[str, ...],
    stream: bool,
    trace: bool,
    as_json: bool,
) -> None:
    if as_json:
        print_json(_answer(index, settings, filters, question).to_json())
        return
    from generation import printable, sources_text, warnings_text

    def show(text: str) -> None:
        click.echo(text, nl=False)

    answer = _answer(index, settings, filters, question, on_text=show if stream else None)
    click.echo("" if stream else printable(answer.text))
    for part in (sources_text(answer), warnings_text(answer)):
        if part:
            click.echo("\n" + part)
    if trace and answer.trace is not None:
        click.echo("\n" + printable(answer.trace.to_text()))


def _answer(
    index: Index,
    settings: Settings,
    filters: tuple[str, ...],
    question: str,
    question_id: str | None = None,
    on_text: Any = None,
) -> Answer:
    import generation

    limits = generation.FilterSettings(
        max_passages=settings.filter_limit,
        max_drop=settings.filter_drop,
        min_score=settings.filter_floor,
    )
    result = run_search(
        index, settings, question, filters, k=max(settings.k, settings.filter_limit)
    )
    return generation.answer(
        question,
        result.hits,
        mode=settings.answer_mode,
        settings=generation.AnswerSettings(filter=limits),
        llm=_language_model(settings),
        question_id=question_id,
        on_text=on_text,
    )


def _language_model(settings: Settings) -> Any:
    if not (settings.llm_url and settings.llm_model):
        return None
    from generation import LLMSettings, OpenAILLM

    return OpenAILLM(
        LLMSettings(
            url=settings.llm_url,
            model=settings.llm_model,
            api_key=settings.llm_api_key,
            timeout_s=settings.llm_timeout_s,
            max_tokens=settings.llm_max_tokens,
            context_tokens=settings.llm_context_tokens,
        )
    )

"""Implement `rirag ask`: answer one question, or a file of questions."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rirag.cli.options import options, parse_filters, print_json, search_settings
from rirag.refusals import unusable
from search.errors import LLMError

if TYPE_CHECKING:
    from generation import AnswerContext
    from rirag.inputs.questions import Question
    from rirag.service import Query, Service


_ANSWER_FLAGS = (
    "k", "mode", "llm_url", "llm_model", "filter_limit", "filter_drop", "filter_floor",
    "filter_score", "filter_answerable", "filter_margin", "regime", "examples", "prompts", "judge",
    "search_order",
)  # fmt: skip


@click.command()
@click.argument("question", required=False)
@options("ask")
def command(
    question: str | None,
    questions: Path | None,
    output: Path | None,
    stream: bool,
    trace: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Answer a QUESTION and cite the rule behind every statement.

    Without a language model, the answer quotes the obligations of the best passages word for word
    (mode extractive). With --llm-url and --llm-model, a model writes the answer from those passages
    (rag, advisor), from the relevant articles of an act (multi-step), from whole documents that it
    chooses to read (delegate), or, for comparison, without any passages (zero-shot, few-shot).
    """
    strict = {"require_supported": True} if options.pop("require_supported") else {}
    settings = search_settings(options, *_ANSWER_FLAGS, **strict)
    check_mode(options, settings.answer_mode)
    context = context_of(options)
    if (question is None) == (questions is None):
        raise unusable("option.invalid/question")
    if output is not None and question is not None and as_json:
        raise unusable("option.invalid/document")
    from rirag.service import Query, Service
    from search.law_in_time import as_of as on_day

    with Service.open(settings, answers=True) as service:
        filters = parse_filters(options["filters"])
        named = [service.document(name) for name in options["documents"]]
        context = replace(context, documents=tuple(one.document_id for one in named))

        day = {name: options[name] for name in ("as_of", "version")}
        query = Query(question or "", filters=filters, **day)
        if questions is not None:
            from rirag.cli.answer_file import answer_file

            def answer_one(asked: Question) -> dict[str, Any]:
                answered = service.answer(
                    replace(query, question=asked.text),
                    context=_with_its_own(context, asked),
                    question_id=asked.question_id,
                )
                return answered.to_json()

            answer_file(questions, output, answer_one)
            return
        with _told(trace), on_day(query.day):
            if output is not None:
                _write(service, query, context, output)
            elif as_json:
                print_json(service.answer(query, context=context).to_json())
            else:
                _show(service, query, context, stream, trace)


def _write(service: Service, query: Query, context: AnswerContext, output: Path) -> None:
    """Write the answer as a document; refuse an output that cannot be written before searching."""
    from datetime import UTC, datetime

    from indexer.load.report import count
    from rirag.reports.sheets.files import check_file, write_sheet
    from rirag.reports.sheets.sheet import sheet_of

    check_file(output)
    answered, index = service.answer(query, context=context), service.describe()
    cited = answered.answer.sources().values()
    sheet = sheet_of(
        answered.to_json(),
        {passage.id: passage.to_json() for passage in cited},
        index=f"{index.url}, generation {index.generation}: {index.passages:,} passages of "
        f"{index.documents:,} documents",
        given=datetime.now(UTC).astimezone().strftime("%Y-%m-%d %H:%M %Z"),
    )
    write_sheet(sheet, output)
    click.echo(f"{output}: {answered.answer.state}, {count(len(sheet.sources), 'source')}")


def _with_its_own(context: AnswerContext, asked: Question) -> AnswerContext:
    """Return the context of a question of a file; what it brings goes before the options."""
    return replace(
        context,
        background=asked.background or context.background,
        topic=asked.topic or context.topic,
        article=asked.article or context.article,
    )


def _show(
    service: Service, query: Query, context: AnswerContext, stream: bool, trace: bool
) -> None:
    from generation import printable, remarks, sources_text

    def show(text: str) -> None:
        click.echo(text, nl=False)

    # What no model writes comes at once, so that it can be wrapped.
    streams = stream and service.settings.answer_mode != "extractive"
    answered = service.answer(query, context=context, on_text=show if streams else None)
    answer = answered.answer
    click.echo("" if streams else for_terminal(printable(answer.text)))
    body = answer.to_json()
    for part in filter(None, (sources_text(body), *remarks(body))):
        click.echo("\n" + for_terminal(part))
    for note in answered.search.trace.notes:
        click.echo(f"note: {printable(note)}", err=True)
    if trace and answer.trace is not None:
        click.echo("\n" + printable(answer.trace.to_text()))


@contextmanager
def _told(trace: bool) -> Iterator[None]:
    """Print the trace if it was requested, also when the answer fails."""
    try:
        yield
    except LLMError as error:
        from generation import Trace, printable

        if trace and isinstance(error.trace, Trace):
            click.echo(printable(error.trace.to_text()), err=True)
        raise


_ONLY_FOR = {
    "background": ("multi-step",),
    "topic": ("multi-step",),
    "article": ("multi-step",),
    "ranker": ("multi-step",),
    "documents": ("delegate", "multi-step"),
    "regime": ("advisor",),
    "examples": ("few-shot", "multi-step"),
}
"""Option → the modes that use it."""


def check_mode(options: dict[str, Any], mode: str) -> None:
    """Refuse an option that the mode would ignore.

    Args:
        options: of the command line, by name; those that were not given are empty.
        mode: that answers.
    """
    for name, modes in _ONLY_FOR.items():
        if options[name] and mode not in modes:
            flag = name.removesuffix("s") if name == "documents" else name
            named = " or ".join(modes)
            raise unusable("option.other-mode", flag=flag, modes=named, mode=mode, first=modes[0])


def context_of(options: dict[str, Any]) -> AnswerContext:
    """Return what comes with the question, and take its options away."""
    from generation import AnswerContext
    from rirag.files import read_text

    background = options.pop("background") or ""
    if background.startswith("@"):
        background = read_text(Path(background[1:]))
    return AnswerContext(
        background=background,
        topic=options.pop("topic") or "",
        article=options.pop("article") or "",
        ranker=options.pop("ranker"),
    )


WIDEST = 100
"""Characters of a line: longer ones are hard to read on the widest terminal."""

_BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
_INDENT = re.compile(r"\s*(?:[-•]\s+)?")


def for_terminal(text: str, width: int | None = None, is_terminal: bool | None = None) -> str:
    """Return a text as standard output shows it: in a file or pipe it stays as it is.

    Args:
        text: safe to print.
        width: of a line; that of the terminal, at most `WIDEST`, if None.
        is_terminal: whether it is for a person; None: whether standard output is a terminal.
    """
    if not (sys.stdout.isatty() if is_terminal is None else is_terminal):
        return text
    width = width or min(shutil.get_terminal_size().columns, WIDEST)
    wrapped = "\n".join(_wrapped(line, width) for line in text.split("\n"))
    return _BOLD.sub(lambda found: _styled(found[1]), wrapped)


def _wrapped(line: str, width: int) -> str:
    found = _INDENT.match(line)
    indent = len(found[0]) if found else 0
    if len(_BOLD.sub(r"\1", line)) <= width or line.lstrip().startswith("|"):
        return line
    return textwrap.fill(
        line, width, subsequent_indent=" " * indent, break_long_words=False,
        break_on_hyphens=False, drop_whitespace=True,
    )  # fmt: skip


def _styled(text: str) -> str:
    return "\n".join(click.style(part, bold=True) for part in text.split("\n"))

"""What a question may come with on the command line: its background, topic and article."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypedDict, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


class Case(TypedDict):
    """Fields of `generation.Given`."""

    background: str
    topic: str
    article: str
    ranker: Path | None


def case_options(command: F) -> F:
    """Add the options of a case."""
    options = [
        click.option("--background", metavar="TEXT", help="For multi-step: the facts behind the "
                     "question; @FILE reads them from a file."),
        click.option("--topic", metavar="TEXT",
                     help="For multi-step: topic of the examples to show."),
        click.option("--article", metavar="TEXT",
                     help="For multi-step: articles that the asker names, such as 92 or 129b."),
        click.option("--ranker", type=click.Path(path_type=Path), metavar="FILE",
                     help="For multi-step: ranker made by rirag train ranker.  [default: the one "
                     "that ships, for the CRR]"),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def case_of(options: dict[str, Any]) -> Case:
    """Return the case, and take its options away.

    Raises:
        InputError: the file of the background cannot be read, or is empty.
    """
    from rirag.evaluation.problems import read_text

    background = options.pop("background") or ""
    if background.startswith("@"):
        background = read_text(Path(background[1:]))
    return {
        "background": background,
        "topic": options.pop("topic") or "",
        "article": options.pop("article") or "",
        "ranker": options.pop("ranker"),
    }

"""Define the options that describe a case: documents, background, topic, articles, ranker."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rirag.cli.options import FILE, F, with_options
from search.errors import InputError

if TYPE_CHECKING:
    from generation import AnswerContext


def case_options(command: F) -> F:
    """Add the options."""
    return with_options(
        command,
        click.option(
            "--document",
            "documents",
            multiple=True,
            metavar="NAME",
            help="Modes delegate and multi-step: DocumentID, short code or title of a document to "
            "read; may be repeated.  [default for delegate: those of the best hits]",
        ),
        click.option(
            "--background",
            metavar="TEXT",
            help="Mode multi-step: the facts behind the question; @FILE reads them from a file.",
        ),
        click.option(
            "--topic", metavar="TEXT", help="Mode multi-step: topic of the examples to show."
        ),
        click.option(
            "--article",
            metavar="TEXT",
            help="Mode multi-step: articles to read, such as 92 or 129b.",
        ),
        click.option(
            "--ranker",
            type=FILE,
            metavar="FILE",
            help="Mode multi-step: ranker written by rirag train ranker.  "
            "[default: the built-in one, for the CRR]",
        ),
    )


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

    Raises:
        InputError: there is such an option.
    """
    for name, modes in _ONLY_FOR.items():
        if options[name] and mode not in modes:
            flag = name.removesuffix("s") if name == "documents" else name
            raise InputError(
                f"--{flag} is for mode {' or '.join(modes)}, but the mode is {mode}; "
                f"leave it out, or add --mode {modes[0]}",
                code="option.other-mode",
            )


def context_of(options: dict[str, Any]) -> AnswerContext:
    """Return what comes with the question, and take its options away.

    Raises:
        InputError: the file of the background cannot be read, or is empty.
    """
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

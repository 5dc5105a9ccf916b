"""Check the options that describe a case, and turn them into the context of a question."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from search.errors import InputError

if TYPE_CHECKING:
    from generation import AnswerContext


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

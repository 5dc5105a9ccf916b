"""What the commands share: options, questions, and one sentence where something is refused."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from rirag.inputs.questions import read_questions
from rirag_workbench.evaluation.statistics import spread
from search.errors import RiragError


def parser(description: str | None) -> argparse.ArgumentParser:
    """Return a parser with the options that every benchmark has."""
    made = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--json", type=Path, metavar="FILE", help="write the figures here as well")
    return made


def positive(text: str) -> int:
    """Read a whole number above 0."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"it must be a whole number above 0, not {text}")
    return value


def question_texts(path: Path, limit: int | None) -> list[str]:
    """Return the different questions of a file; at most `limit`, spread evenly over it."""
    texts = dict.fromkeys(question.text for question in read_questions(path, judged=False))
    return spread(list(texts), limit)


def start(main: Callable[[], None]) -> None:
    """Run a command; what rirag refuses is one sentence on stderr and a non-zero exit code."""
    try:
        main()
    except RiragError as error:
        print(error, file=sys.stderr)
        sys.exit(error.exit_code)

"""Define the option that names a judge for the verifier."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def judge_option(default: str) -> Callable[[F], F]:
    """Return the option; the default is shown, and is used where no setting says otherwise."""
    return click.option(
        "--judge",
        metavar="NAME",
        help=(
            "Judge for statements that the comparison of words leaves in doubt: none, "
            "cross-encoder, a reranker, nli:MODEL, or llm (docs/verification.md).  "
            f"[default: {default}]"
        ),
    )

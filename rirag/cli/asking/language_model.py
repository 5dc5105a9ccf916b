"""Define the options that name a language model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def llm_options(command: F) -> F:
    """Add the options that name a language model."""
    model = click.option("--llm-model", metavar="NAME", help="Name of the model on that server.")
    url = click.option(
        "--llm-url",
        metavar="URL",
        help="URL of an OpenAI-compatible server (key: RIRAG_LLM_API_KEY).",
    )
    return url(model(command))

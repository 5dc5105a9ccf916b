"""The language model that the settings name, and the options that name it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from search.errors import InputError

if TYPE_CHECKING:
    from generation import LLM
    from rirag.settings import Settings

F = TypeVar("F", bound=Callable[..., Any])


def llm_options(command: F) -> F:
    """Add the options that name a language model."""
    model = click.option("--llm-model", metavar="NAME", help="Model of that server.")
    url = click.option(
        "--llm-url", metavar="URL", help="OpenAI-compatible server (key: RIRAG_LLM_API_KEY)."
    )
    return url(model(command))


def language_model(settings: Settings, otherwise: str = "") -> LLM:
    """Return the language model of the settings.

    Args:
        settings: with its URL and name.
        otherwise: what else a user can do, said where it is not named.

    Raises:
        InputError: URL or name is missing.
    """
    url, model = settings.llm_url, settings.llm_model
    if not (url and model):
        raise InputError(
            "a language model needs both --llm-url and --llm-model (or RIRAG_LLM_URL and "
            f"RIRAG_LLM_MODEL){otherwise}"
        )
    from generation import LLMSettings, OpenAILLM

    return OpenAILLM(
        LLMSettings(
            url=url,
            model=model,
            api_key=settings.llm_api_key,
            timeout_s=settings.llm_timeout_s,
            max_tokens=settings.llm_max_tokens,
            context_tokens=settings.llm_context_tokens,
        )
    )

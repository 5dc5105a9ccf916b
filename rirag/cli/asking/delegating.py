"""What `rirag ask --mode delegate` needs: the documents to read, and its limits."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from generation.delegate.settings import DelegateSettings
    from rirag.settings import Settings

F = TypeVar("F", bound=Callable[..., Any])


def document_option(command: F) -> F:
    """Add the option that names the documents to read as a whole."""
    named = click.option(
        "--document", "documents", multiple=True, metavar="NAME",
        help="For delegate and multi-step: DocumentID, short code or title of a document to read; "
        "may be given several times.  [default for delegate: those of the best hits]",
    )  # fmt: skip
    return named(command)


def delegate_settings(settings: Settings) -> DelegateSettings:
    """Return the limits of mode `delegate`."""
    from generation.delegate.settings import DelegateSettings

    return DelegateSettings(
        max_steps=settings.delegate_steps,
        max_tokens=settings.delegate_tokens,
        max_cost=settings.delegate_cost,
        max_seconds=settings.delegate_seconds,
    )

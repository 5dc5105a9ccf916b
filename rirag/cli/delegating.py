"""What `rirag ask --mode delegate` needs: the documents to read, and its limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from search.errors import InputError

if TYPE_CHECKING:
    from generation.delegate.settings import DelegateSettings
    from rirag.settings import Settings
    from search import Index

F = TypeVar("F", bound=Callable[..., Any])


def document_option(command: F) -> F:
    """Add the option that names the documents to read as a whole."""
    named = click.option(
        "--document", "documents", multiple=True, metavar="NAME",
        help="For delegate: DocumentID, short code or title of a document to read; may be given "
        "several times.  [default: those of the best hits]",
    )  # fmt: skip
    return named(command)


def document_ids(index: Index, names: Iterable[str]) -> tuple[str, ...]:
    """Return the `document_id` of each document named.

    Raises:
        InputError: the index has none of a name.
    """
    return tuple(_document_id(index, name) for name in names)


def delegate_settings(settings: Settings) -> DelegateSettings:
    """Return the limits of mode `delegate`."""
    from generation.delegate.settings import DelegateSettings

    return DelegateSettings(
        max_steps=settings.delegate_steps,
        max_tokens=settings.delegate_tokens,
        max_cost=settings.delegate_cost,
        max_seconds=settings.delegate_seconds,
    )


def _document_id(index: Index, name: str) -> str:
    found = index.document_ids(name)
    if not found:
        raise InputError(
            f"there is no document {name!r} in {index.url}; `rirag documents list` has them"
        )
    return found[0]

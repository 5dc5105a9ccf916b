"""Define the option of `rirag ask` that names documents to read in full."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def document_option(command: F) -> F:
    """Add the option that names the documents to read in full."""
    named = click.option(
        "--document", "documents", multiple=True, metavar="NAME",
        help=("Modes delegate and multi-step: DocumentID, short code or title of a "
"document to read; may be repeated.  [default for delegate: those of the "
"best hits]"),
    )  # fmt: skip
    return named(command)

"""The functions of `import rirag`."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from generation.records import Answer
from generation.verification import Verification
from indexer.load.report import IngestReport
from rirag.inputs.answer_records import answer_of
from rirag.service import Service, loading
from rirag.service.verifying import Verifier
from rirag.settings import Settings
from search.errors import InputError
from search.messages.arguments import text_or_path
from search.pipeline import SearchResult

Location = str | os.PathLike[str]
"""Folder or URL of an index."""


def load(
    sources: Location | Iterable[Location],
    index: Location | None = None,
    encoder: str | None = None,
    **options: Any,
) -> IngestReport:
    """Load files and folders into an index.

    Args:
        sources: files and folders.
        index: where to load; None: as the settings say.
        encoder: name of an encoder; None: as the settings say.
        options: others of `indexer.ingest`, such as `format`, `metadata` and `strict`.
    """
    names = {one.name for one in fields(loading.Reading)} & options.keys()
    reading = loading.Reading(**{name: options.pop(name) for name in names})
    return loading.load(_settings(index, encoder=encoder), sources, reading, **options)


def open(index: Location | None = None, **settings: Any) -> Service:  # noqa: A001
    """Open an index for searches and answers.

    Args:
        index: which one; None: as the settings say.
        settings: other settings by name (docs/settings.md).
    """
    return Service.open(_settings(index, **settings))


def search(
    question: str,
    k: int | None = None,
    filters: Mapping[str, Collection[str]] | None = None,
    index: Location | None = None,
    **settings: Any,
) -> SearchResult:
    """Find the passages that answer a question; for several questions, `open` the index once.

    Args:
        question: in words, or the number of a rule.
        k: number of hits; None: as the settings say.
        filters: field → values of which any may match.
        index: which one; None: as the settings say.
        settings: other settings by name (docs/settings.md).
    """
    with open(index, **settings) as service:
        return service.search(question, k=k, filters=filters or {})


def ask(
    question: str,
    filters: Mapping[str, Collection[str]] | None = None,
    index: Location | None = None,
    **settings: Any,
) -> Answer:
    """Answer a question; for several questions, `open` the index once.

    Args:
        question: in words, or the number of a rule.
        filters: field → values of which any may match.
        index: which one; None: as the settings say.
        settings: other settings by name, such as `mode` (docs/settings.md).
    """
    with open(index, **settings) as service:
        return service.ask(question, filters=filters or {})


def verify(answer: Answer | Mapping[str, Any], **settings: Any) -> Verification:
    """Check each statement of an answer against the passages that it cites.

    Args:
        answer: an answer, or its JSON form, which may come from another program.
        settings: settings by name, such as `judge` (docs/settings.md).

    Raises:
        InputError: it is not an answer, or lacks the text of a passage that it cites.
    """
    form = answer.to_json() if isinstance(answer, Answer) else answer
    try:
        record = answer_of(form, Path("answer"), 1)
    except ValueError as error:
        raise InputError(str(error), code="argument.invalid") from None
    return Verifier(_settings(None, **settings)).verify(record)


def _settings(index: Location | None, **settings: Any) -> Settings:
    named = None if index is None else text_or_path(index, "the index")
    return Settings(index=named, **settings)

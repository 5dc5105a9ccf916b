"""The question form: question, filters and mode, as addresses write them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, get_args
from urllib.parse import urlencode

from fastapi import Request
from starlette.datastructures import QueryParams

from rirag.server.api.calls import ElsewhereError
from rirag.server.problems import refusal
from rirag.server.strings import WORDS
from rirag.settings import Mode

if TYPE_CHECKING:
    from rirag.server.state import ServerState
    from rirag.service import Service
    from search import DocumentSummary

PREFIX = "f."
MOST_OPTIONS = 200
FIRST = ("document_id", "regime", "jurisdiction", "probable_jurisdiction", "kind")
"""Fields shown first."""

COMMON = 0.25
"""Part of the documents from which on a field that they have is shown at once."""

HIDDEN = ("part",)
MODES: tuple[Mode, ...] = get_args(Mode)


class Option(NamedTuple):
    """One value of a filter."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class FilterField:
    """A filter as the form shows it; without options it is a text field."""

    name: str
    label: str
    options: tuple[Option, ...]
    chosen: tuple[str, ...]
    is_common: bool = True
    """Whether many documents have it; the others are shown on demand."""


@dataclass(frozen=True, slots=True)
class Form:
    """What was asked, and what can be chosen."""

    question: str = ""
    filters: Mapping[str, list[str]] = field(default_factory=dict)
    mode: str = ""
    own_words: bool = False
    """Whether a language model is not asked for other words."""
    fields: tuple[FilterField, ...] = ()
    modes: tuple[str, ...] = ()


def asked(request: Request) -> Form:
    """Return what an address asks."""
    parameters = request.query_params
    mode = parameters.get("mode", "")
    if mode and mode not in MODES:
        raise refusal("request.invalid/mode", name=mode[:40], names=", ".join(MODES))
    return Form(
        parameters.get("q", ""), _filters(parameters), mode, bool(parameters.get("own_words"))
    )


def to_search(request: Request) -> Form:
    """Return what an address asks; without a question it leads to the first page.

    Addresses are shared: they hold what was chosen, and fields that were left empty are taken out.
    """
    form, pairs = asked(request), request.query_params.multi_items()
    if not form.question.strip():
        raise ElsewhereError("/")
    chosen = [(name, value) for name, value in pairs if value.strip() or name == "q"]
    if chosen != pairs:
        raise ElsewhereError(f"{request.url.path}?{urlencode(chosen)}")
    return form


def _filters(parameters: QueryParams) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in parameters.multi_items():
        if name.startswith(PREFIX) and len(name) > len(PREFIX) and value.strip():
            found.setdefault(name[len(PREFIX) :], []).append(value.strip())
    return found


def with_choices(form: Form, service: Service, state: ServerState) -> Form:
    """Return the form with the filters and modes that can be chosen."""
    documents = service.documents()
    names = service.describe().filter_fields
    shown = [name for name in names if name not in HIDDEN]
    shown.sort(key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name))
    fields = tuple(
        FilterField(
            name, WORDS.field(name), _options(name, documents), tuple(form.filters.get(name, ())),
            name in FIRST or name in form.filters or _is_common(name, documents),
        )
        for name in shown
    )  # fmt: skip
    settings = state.settings
    modes = MODES if settings.llm_url and settings.llm_model else ()
    return replace(form, fields=fields, modes=modes)


def _is_common(name: str, documents: Sequence[DocumentSummary]) -> bool:
    """Return whether at least two documents and a quarter of all have a field, and two of them
    with the same value: one that parts each from all others says no more than their titles.
    """
    values = [document.metadata[name] for document in documents if name in document.metadata]
    is_held = len(values) >= max(2, len(documents) * COMMON)
    return is_held and len(set(values)) < len(values)


def _options(name: str, documents: Sequence[DocumentSummary]) -> tuple[Option, ...]:
    from search.law_in_time import STATUS, STATUSES
    from search.records import KINDS

    if name == "document_id":
        if len(documents) > MOST_OPTIONS:
            return ()
        return tuple(Option(one.document_id, one.title or one.document_id) for one in documents)
    if name in ("kind", STATUS):
        return tuple(
            Option(one, WORDS(f"{name}.{one}")) for one in (KINDS if name == "kind" else STATUSES)
        )
    from search.provisions.jurisdictions import named_states
    from search.records import JURISDICTION, PROBABLE_JURISDICTION, filter_text

    values: Counter[str] = Counter()
    for document in documents:
        value = document.metadata.get(name)
        for one in value if isinstance(value, tuple) else () if value is None else (value,):
            values[filter_text(one)] += 1
    if len(values) > MOST_OPTIONS:
        return ()
    named = named_states(values) if name in {JURISDICTION, PROBABLE_JURISDICTION} else {}
    options = [Option(value, named.get(value, value)) for value in values]
    return tuple(sorted(options, key=lambda option: option.label))

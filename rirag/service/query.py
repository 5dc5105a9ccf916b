"""What is asked of a service, and what comes back."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from search.json_form import Record

if TYPE_CHECKING:
    from generation import Answer
    from search import SearchResult


@dataclass(frozen=True, slots=True)
class Query:
    """A question and how to search for it; None: as the settings say."""

    question: str
    k: int | None = None
    """How many hits. For an answer None means enough for the passages that it may use."""
    filters: Mapping[str, Collection[str]] = field(default_factory=dict)
    """Field → values of which any will do; all fields must be met."""
    profile: str | None = None
    rerank: bool | None = None
    answered_questions: bool | None = None
    """Whether answered questions vote."""
    leave_out: Collection[str] = ()
    """IDs of answered questions that must not vote."""
    search_help: bool | None = None
    """Whether the language model writes other words to search for; None: for answers as the
    settings say, for searches not."""
    formulations: Collection[str] = ()
    """Other words for the question that are searched too."""


def query_of(asked: Query | str, **changed: Any) -> Query:
    """Return a query, or that of a question, with some of its fields changed."""
    return replace(Query(asked) if isinstance(asked, str) else asked, **changed)


@dataclass(frozen=True, slots=True)
class Answered(Record):
    """An answer, and the search that it rests on."""

    answer: Answer
    search: SearchResult

    json_form = "answer.* search.trace.notes"

    def __str__(self) -> str:
        return str(self.answer)

"""What is asked of a service, and what comes back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from search.json_form import Record, to_json

if TYPE_CHECKING:
    from generation import Answer
    from search import Passage, SearchResult
    from search.lookup.links import Links
    from search.why import Why


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
    as_of: str = ""
    """Day whose law is asked for, as `2026-12-31`, or `all`; empty: today."""
    version: str = ""
    """Name of the versions that are searched; empty: those of the day."""
    others: bool = False
    """Whether a search brings all other passages that it found, too, to count them."""

    @property
    def day(self) -> str | None:
        """What `search.as_of` takes; None: today.

        Raises:
            InputError: `as_of` is no day, or both it and `version` are given.
        """
        from search.law_in_time import day_of

        return day_of(self.question, asked_day_of(self.as_of, self.version))


def asked_day_of(as_of: str, version: str) -> str | None:
    """Return what `search.as_of` takes for a day or the name of a version; None: today.

    Raises:
        InputError: the day is none, or both are given.
    """
    from search.errors import InputError
    from search.law_in_time import ALL, NAMED
    from search.versions.history import is_day

    if as_of and version:
        raise InputError(
            "give either a day (as_of) or the name of a version, not both", code="version.interval"
        )
    if as_of and as_of != ALL and not is_day(as_of):
        raise InputError(
            f"the day (as_of) must be a day such as 2026-12-31, or all, not {as_of!r:.40}",
            code="version.interval",
        )
    return as_of or (version if is_day(version) else version and f"{NAMED}{version}") or None


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


def search_to_json(
    result: SearchResult,
    neighbours: Mapping[str, Sequence[Passage]] | None = None,
    links: Sequence[Links] = (),
    why: Why | None = None,
) -> dict[str, Any]:
    """Return a search as `rirag search --json` prints it.

    Args:
        result: of a search.
        neighbours: `ID` of each hit → the passages around it; None: they were not asked for.
        links: of each hit; empty: they were not asked for.
        why: of the passage that was asked about; None: none was.
    """
    data = result.to_json()
    if why is not None:
        data["why"] = why.to_json()
    for hit, found in zip(data["hits"], links, strict=False):
        hit["links"] = found.to_json()
    if neighbours is not None:
        for hit in data["hits"]:
            hit["neighbours"] = to_json(neighbours[hit["id"]])
    return data

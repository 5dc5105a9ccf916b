"""What an answer cites, number by number, as every exported form lists it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rirag.server.marking import Span, locate

if TYPE_CHECKING:
    from rirag.server.storage.answers import StoredAnswer


@dataclass(slots=True)
class Source:
    """One numbered source."""

    number: int
    id: str
    document_id: str
    passage_id: str
    document_title: str
    breadcrumb: tuple[str, ...]
    text: str
    """The whole passage, as it was when the answer was given."""
    lead: tuple[str, ...] = ()
    """The text of the rules that enclose the passage, outermost first."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    quotes: list[str] = field(default_factory=list)
    marks: list[Span] = field(default_factory=list)
    """Where the quotes stand in the text."""
    unfound: int = 0
    """How many quotes cannot be found in it."""

    @property
    def citation(self) -> str:
        """The way a person cites it."""
        return f"{self.document_title} {self.passage_id}".strip()


def sources_of(answer: StoredAnswer) -> list[Source]:
    """Return the sources of an answer in the order of their numbers."""
    found: dict[int, Source] = {}
    for one in answer.body["citations"]:
        number = int(str(one["marker"]).strip("[]"))
        passage = answer.passages.get(one["id"], {})
        source = found.setdefault(
            number,
            Source(
                number, one["id"], one["document_id"], one["passage_id"], one["document_title"],
                tuple(one["breadcrumb"]), str(passage.get("passage", "")),
                tuple(passage.get("lead", ())), passage.get("metadata", {}),
            ),
        )  # fmt: skip
        quote = str(one["quote"])
        if quote and quote not in source.quotes:
            source.quotes.append(quote)
            spans = locate(quote, source.text)
            source.marks += spans
            source.unfound += not spans
    return [found[number] for number in sorted(found)]


def facts_of(answer: StoredAnswer) -> list[tuple[str, str]]:
    """Return name and value of what an auditor wants to know of an answer."""
    index = answer.body["index"]
    filters = [f"{name} = {' or '.join(values)}" for name, values in answer.body["filters"].items()]
    verification = answer.body.get("verification")
    facts = [
        ("Question", answer.question),
        ("Answer ID", answer.id),
        ("Given", answer.created),
        ("Index", f"{index['url']}, state {index['generation']}"),
        ("Mode", str(answer.body["mode"])),
        ("Filters", "; ".join(filters) or "none"),
    ]
    if verification is not None:
        statements = verification["statements"]
        supported = sum(one["verdict"] == "supported" for one in statements)
        facts.append(("Checked", f"{supported} of {len(statements)} statements supported"))
    return facts

"""Two small acts, as readers make them, and a library that holds them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from search.records import DocumentSummary, Passage

T = TypeVar("T")
Row = tuple[str, str, str]
"""Number, kind, text; what encloses a row is found by its number."""

SERVICES: Sequence[Row] = (
    ("Chapter I", "heading", "GENERAL PROVISIONS"),
    ("Article 1", "rule", "Scope\nThis Act applies to intermediary services."),
    ("Article 2", "heading", "Definitions"),
    ("Article 2(1)", "definition",
     "‘intermediary service’ means a mere conduit, a caching service, or a hosting service;"),
    ("Article 2(2)", "definition",
     "‘hosting service’ means the storage of information provided by a recipient;"),
    ("Article 2(3)", "definition",
     "‘online platform’ means a hosting service that has at least 50 million users;"),
    ("Chapter II", "heading", "DUTIES"),
    ("Article 3", "heading", "Points of contact"),
    ("Article 3(1)", "rule", "A provider of an intermediary service must name a point of contact."),
    ("Article 3(2)", "rule", "The point of contact must be published within 30 days."),
    ("Article 4", "rule", "Audits\nAn online platform must be audited once a year."),
    ("Annex I", "schedule", "Forms\nThe form of the notice."),
)  # fmt: skip
FEES: Sequence[Row] = (
    ("Article 1", "rule", "Fee\nA provider must pay an annual fee of EUR 500."),
    ("Article 2", "rule", "Waiver\nThe authority may waive the fee."),
)


def act(document_id: str, title: str, rows: Sequence[Row]) -> list[Passage]:
    """The passages of an act; articles stand below the chapter before them."""
    passages: list[Passage] = []
    chapter: Passage | None = None
    article: Passage | None = None
    for order, (number, kind, text) in enumerate(rows):
        inside = article if "(" in number else None if number[:2] in ("Ch", "An") else chapter
        passage = Passage(
            f"{document_id}/{number}", document_id, number, text, title, kind, order,  # type: ignore[arg-type]
            depth=2 if "(" in number else 1, parent=inside.id if inside else None,
        )  # fmt: skip
        passages.append(passage)
        if number.startswith("Chapter"):
            chapter = passage
        elif "(" not in number:
            article = passage
    return passages


@dataclass
class Shelves:
    """A library of acts."""

    acts: dict[str, list[Passage]] = field(
        default_factory=lambda: {
            "isa": act("isa", "Internet Services Act", SERVICES),
            "fees": act("fees", "FEES", FEES),
        }
    )

    def documents(self) -> list[DocumentSummary]:
        return [
            DocumentSummary(key, passages[0].document_title, len(passages))
            for key, passages in self.acts.items()
        ]

    def passages(self, document_id: str) -> list[Passage]:
        return self.acts.get(document_id, [])

    def rarities(self, terms: Collection[str]) -> dict[str, float]:
        return dict.fromkeys(terms, 5.0)

    def similarities(self, question: str, texts: Sequence[str]) -> list[float]:
        return []

    def cited(self, passages: Sequence[Passage]) -> list[Passage]:
        return []

    def numbered(self, document_id: str, numbers: Collection[str]) -> list[Passage]:
        return [one for one in self.passages(document_id) if one.passage_id in numbers]

    def worked_out(self, document_id: str, work: Callable[[Sequence[Passage]], T]) -> T:
        return work(self.passages(document_id))

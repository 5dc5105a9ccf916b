"""What an answer cites, number by number, with the quoted words marked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from generation.text.markup import without_frames
from rirag.reports.marking import locate
from search.records import InTime, cited_as
from search.text.spans import Span

_PAGED = re.compile(r"^(?P<file>.+\.pdf):(?P<page>\d+)$", re.IGNORECASE)
_LINED = re.compile(r"^(?P<file>.+):\d+(?:-\d+)?$")


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
    place: str = ""
    """File and page."""
    quotes: list[str] = field(default_factory=list)
    marks: list[Span] = field(default_factory=list)
    """Where the quotes are in the text."""
    in_time: InTime = field(default_factory=InTime)
    """On the day of the answer."""
    unfound: int = 0
    """How many quotes cannot be found in it."""

    @property
    def citation(self) -> str:
        """The way a person cites it."""
        cited = cited_as(self.document_title, self.passage_id)
        return f"{cited} ({self.status})" if self.status else cited

    @property
    def status(self) -> str:
        """`past` or `future`; empty: it was in force."""
        return status if (status := self.in_time.status) in ("past", "future") else ""

    @property
    def where(self) -> str:
        """The headings above it, its version and days, and file and page."""
        told = (" › ".join(self.breadcrumb), self.in_time.days(), self.place)
        return " · ".join(filter(None, told))


def sources_of(body: Mapping[str, Any], passages: Mapping[str, Mapping[str, Any]]) -> list[Source]:
    """Return the sources of an answer in the order of their numbers.

    Args:
        body: the JSON form of the answer.
        passages: `ID` → JSON form of each cited passage; of others the text is not known.
    """
    found: dict[int, Source] = {}
    for one in body["citations"]:
        number = int(str(one["marker"]).strip("[]"))
        passage = passages.get(one["id"], {})
        source = found.setdefault(
            number,
            Source(
                number, one["id"], one["document_id"], one["passage_id"], one["document_title"],
                tuple(one["breadcrumb"]), without_frames(str(passage.get("passage", ""))),
                place_of(str(passage.get("source", ""))),
                in_time=InTime.from_json(one),
            ),
        )  # fmt: skip
        quote = str(one["quote"])
        is_whole = " ".join(quote.split()) == " ".join(source.text.split())
        is_written = body.get("mode") != "extractive"
        if (
            is_written
            and is_whole
            and " ".join(quote.split()) not in " ".join(str(body["Answer"]).split())
        ):
            continue  # a paraphrase: the passage bears it out, and no words of it are quoted
        if quote and quote not in source.quotes:
            source.quotes.append(quote)
            spans = locate(quote, source.text)
            source.marks += spans
            source.unfound += not spans
    return [found[number] for number in sorted(found)]


def place_of(source: str) -> str:
    """Return file and page of a passage's source, or the file alone where it has no pages."""
    paged, lined = _PAGED.match(source), _LINED.match(source)
    if paged:
        return f"{paged['file']}, page {paged['page']}"
    return lined["file"] if lined else source

"""The records that travel through rirag: passages, filters and hits."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, NamedTuple, Self, get_args

from search.json_form import Record
from search.text.shortening import shortened

Kind = Literal[
    "rule", "guidance", "heading", "definition", "table", "figure", "footnote", "schedule"
]
"""What a passage is, as its reader understood it."""

KINDS: tuple[Kind, ...] = get_args(Kind)

_HEADING = re.compile(r"(?=[^\d\n]*\Z)(?=.*[a-z]{3})[^\W\d_]")

UNSURE_NUMBERS = "unsure_numbers"
"""Metadata field of passages whose numbers may be wrong, since their text lost its order."""

JURISDICTION = "jurisdiction"
"""Metadata field that says whose law a document is: a code such as `IE`, or a name."""

PROBABLE_JURISDICTION = "probable_jurisdiction"
"""The same where the source does not say it, and its words suggest it."""

LANGUAGE = "language"
"""Metadata field with the code of a document's language: `de`."""

PART = "part"
"""Metadata field of a passage that is a part of a longer one."""

MetadataValue = str | int | float | bool | tuple[str, ...]
"""A metadata field: a scalar, or several strings of which any may match a filter."""

Key = int
"""How an engine names a passage internally: unique within one opened index, in the order of the
index, and one more than the key before it within a document."""


@dataclass(frozen=True, slots=True)
class Passage(Record):
    """One numbered part of a regulation.

    `id` is unique in an index; (`document_id`, `passage_id`) usually is, but not always.
    """

    id: str
    document_id: str
    passage_id: str
    """The number as the source writes it, such as `3.5.8.(b)` or `APP2.A2.1.2`."""
    text: str
    document_title: str = ""
    kind: Kind = "rule"
    order: int = 0
    """0-based place in its document."""
    depth: int = 0
    """How many segments its number has."""
    parent: str | None = None
    """`id` of the nearest enclosing passage that exists."""
    breadcrumb: tuple[str, ...] = ()
    """Number and heading of each enclosing passage, outermost first."""
    metadata: Mapping[str, MetadataValue] = field(default_factory=dict)
    source: str = ""
    """Where it was read: `file:line`."""

    json_form = (
        "id document_id passage_id document_title breadcrumb passage=text kind parent metadata "
        "source"
    )

    def __str__(self) -> str:
        return f"{self.citation()}: {snippet(self.text)}"

    @property
    def part(self) -> str:
        """Which part of a passage that was cut for its length, such as `2 of 5`; empty: whole."""
        return str(self.metadata.get(PART, ""))

    def citation(self) -> str:
        """Return the way a person cites this passage: document title and number."""
        return cited_as(self.document_title or self.document_id, self.passage_id)

    def content_hash(self) -> str:
        """Return the SHA-256 of everything a search result shows of this passage."""
        shown = [
            self.id, self.document_id, self.passage_id, self.text, self.document_title, self.kind,
            self.order, self.parent, self.breadcrumb, sorted(self.metadata.items()), self.source,
        ]  # fmt: skip
        return hashlib.sha256(json.dumps(shown, ensure_ascii=False).encode()).hexdigest()


def snippet(text: str, longest: int = 200) -> str:
    """Return the first words of a text, white space folded."""
    return shortened(" ".join(text[: 4 * longest].split()), longest)


def cited_as(document: str, number: str) -> str:
    """Return a document and a number in it: `COBS 3.5.8`; `Gifts policy, Limits` for a heading."""
    if document in ("", number):
        return number
    return f"{document}, {number}" if is_unnumbered(number) else f"{document} {number}"


def is_unnumbered(number: str) -> bool:
    """Return whether a heading stands for the number of a passage that has none."""
    return _HEADING.match(number) is not None


@dataclass(frozen=True, slots=True)
class EncoderIdentity:
    """The encoder that made the vectors of an index."""

    name: str
    dimension: int
    revision: str

    def __str__(self) -> str:
        """Return what messages call it."""
        return f"{self.name} (revision {self.revision}, {self.dimension} dimensions)"


@dataclass(frozen=True, slots=True)
class DocumentSummary(Record):
    """One document of an index, as `rirag documents list` shows it."""

    document_id: str
    title: str
    passages: int
    metadata: Mapping[str, MetadataValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that a passage must meet: every field, with any of its values.

    Fields are `document_id`, `document` (the document's short code or title), `kind`, and every
    metadata field of the index. Values compare as strings.
    """

    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    excluded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Fields, and values of which a passage must have none."""

    def __bool__(self) -> bool:
        return bool(self.fields or self.excluded)

    def having(self, **fields: tuple[str, ...]) -> Filters:
        """Return these conditions with others, which replace those on the same fields."""
        return Filters({**self.fields, **fields}, self.excluded)


def filter_text(value: str | int | float | bool) -> str:
    """Return a metadata value as filters write it: booleans as in JSON."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class RetrieverScore(NamedTuple):
    """A retriever's score of a hit."""

    raw: float
    """The original score: BM25, cosine, or the reranker's logit."""
    normalised: float
    """The same after per-query min-max, 0 to 1."""
    rank: int
    """1-based rank within the retriever."""


@dataclass(frozen=True, slots=True)
class LearnedScore:
    """The score of learned ranking for a hit."""

    raw: float
    """Log-odds that the passage is among those that answer."""
    normalised: float
    """The same after min-max over the ordered candidates, 0 to 1."""
    rank: int
    """1-based rank by `raw`."""
    score: float
    """`normalised` mixed with the fused score, 0 to 1: the score before a reranker."""
    because: Mapping[str, float] = field(default_factory=dict)
    """Group of features → its contribution to `raw`; the sum includes `base`."""


@dataclass(frozen=True, slots=True)
class Scores(Record):
    """Every score behind a hit; None for a retriever that did not propose the passage."""

    fused: RetrieverScore
    lexical: RetrieverScore | None = None
    dense: RetrieverScore | None = None
    document: RetrieverScore | None = None
    votes: RetrieverScore | None = None
    help: RetrieverScore | None = None
    """Of the formulations that were searched beside the question."""
    rerank: RetrieverScore | None = None
    learned: LearnedScore | None = None
    number: float | None = None
    """1 for a passage that the question names by number, less for those below it."""

    json_form = "lexical dense document votes help fused rerank learned number"


Status = Literal["in-force", "past", "future", "unknown"]
"""Whether a text is law on a day."""


@dataclass(frozen=True, slots=True)
class Later(Record):
    """What a later version does to a rule."""

    version_id: str
    valid_from: str | None
    change: Literal["changed", "repealed", "moved"]
    number: str = ""
    """Where a moved rule is then."""


@dataclass(frozen=True, slots=True)
class NamesDay(Record):
    """A day from which, or until which, the words of a passage say that something is law."""

    day: str
    words: str
    """As the passage has them: `From 10 January 2028`."""
    is_end: bool = False

    json_form = "day words"


@dataclass(frozen=True, slots=True)
class InTime(Record):
    """When a passage is law, on the day of the search or answer that found it."""

    version_id: str | None = None
    """The version of its document on that day; None: the document has none."""
    valid_from: str | None = None
    """First day on which its document says this; None: it is not known."""
    valid_to: str | None = None
    """Last day; None: it is not known, or to come."""
    status: Status = "unknown"
    standing: str = ""
    """What the source says of the legal force of its version."""
    names_days: tuple[NamesDay, ...] = ()
    """Never turned into an interval: they may be of a part of the text alone."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return what the JSON form of a hit or citation says of its time."""
        given = {one.name: data[one.name] for one in fields(cls) if data.get(one.name)}
        named = given.pop("names_days", ())
        return cls(**given, names_days=tuple(NamesDay(**one) for one in named))

    def days(self) -> str:
        """Return the version and its days, for people; empty: the document has no versions."""
        if self.version_id is None:
            return ""
        first = f"from {self.valid_from}" if self.valid_from else "from the first version on"
        last = f" to {self.valid_to}" if self.valid_to else ""
        return f"version {self.version_id}; this text {first}{last}"


@dataclass(frozen=True, slots=True)
class Hit(Record):
    """One search result."""

    rank: int
    """1-based."""
    score: float
    """The score that decides the order, 0 to 1."""
    scores: Scores
    passage: Passage
    relevance: float | None = None
    """Probability that it answers the question, 0 to 1; None: no calibration fits."""
    definition: str = ""
    """The passage's definition of the term in the question; otherwise empty."""
    spans: tuple[tuple[int, int], ...] = ()
    """Start and end in its text, in characters, of each word with an index term of the question."""
    in_time: InTime = field(default_factory=InTime)

    json_form = "rank passage.* in_time.* score relevance definition spans scores"

    def __str__(self) -> str:
        return f"{self.citation()}: {snippet(self.bearing)}"

    @property
    def id(self) -> str:
        """The passage's `ID`."""
        return self.passage.id

    @property
    def document_id(self) -> str:
        """The document's `DocumentID`."""
        return self.passage.document_id

    @property
    def passage_id(self) -> str:
        """The passage's number."""
        return self.passage.passage_id

    @property
    def document_title(self) -> str:
        """The document's title."""
        return self.passage.document_title

    @property
    def breadcrumb(self) -> tuple[str, ...]:
        """Number and heading of each enclosing passage, outermost first."""
        return self.passage.breadcrumb

    @property
    def text(self) -> str:
        """The passage's text."""
        return self.passage.text

    @property
    def bearing(self) -> str:
        """Return the relevant part of the text: its `definition`, or all of it."""
        return self.definition or self.passage.text

    def citation(self) -> str:
        """Return the way a person cites this passage: document title and number."""
        return self.passage.citation()

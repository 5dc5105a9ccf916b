"""From the tree of an act to its passages: their IDs, texts and kinds."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from indexer.hierarchy.passage_ids import make_id
from indexer.structuring.acts.granularity import Granularity, apart, is_definition
from indexer.structuring.acts.provisions import Act, Level, Provision, flat_lines
from indexer.structuring.acts.set_apart import set_dotted_apart, set_quoted_apart
from indexer.tables import START
from search.records import Kind, Passage

KIND_OF_LEVEL: dict[Level, Kind] = {
    "footnote": "footnote",
    "recital": "guidance",
}
"""Kinds that the level alone decides. Recitals explain an act and bind nobody."""

NUMBER_CHARACTERS = 300
"""Longest ID: the longest of the AI Act has 23 characters, a heading in place of a number 100."""

HEADING_CHARACTERS = 100
"""Of a heading that stands in for a number, the ID keeps this much."""


def passages_of(act: Act, granularity: Granularity, source: str) -> Iterator[Passage]:
    """Yield the passages of an act in its order; each names its parent.

    Args:
        act: the tree.
        granularity: how much of it is one passage.
        source: the file's name as passages show it; the line is added where it is known.
    """
    for provision in act.provisions:
        set_quoted_apart(provision)
        set_dotted_apart(provision)
    numbers = Counter(number for one in act.provisions for number in _numbers(one, _Place()))
    repeated = frozenset(number for number, count in numbers.items() if count > 1)
    writer = _Writer(act, granularity, source, repeated)
    for provision in act.provisions:
        yield from writer.write(provision, _Place())


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in the act the writer is."""

    number: str = ""
    """The number that a child's own is added to."""
    above: str = ""
    """The whole number of what encloses a child, for one whose number would repeat."""
    parent: str | None = None
    annex: bool = False
    line: int = 0


@dataclass(slots=True)
class _Writer:
    act: Act
    granularity: Granularity
    source: str
    _repeated: frozenset[str]
    """Numbers that several provisions would have."""
    _seen: Counter[str] = field(default_factory=Counter)

    def write(self, provision: Provision, place: _Place) -> Iterator[Passage]:
        """Yield a provision as a passage, then those below it that stand apart."""
        number = _one_line(_number(provision, place)) or provision.level
        counts_below = provision.level == "section" and number.isdigit()
        if place.above and (counts_below or number in self._repeated):
            number = _one_line(_number(provision, replace(place, number=place.above)))
        own_passage = apart(provision, self.granularity)
        lines = [provision.heading] if provision.heading else []
        below: list[Provision] = []
        for part, is_own in zip(provision.parts, own_passage, strict=True):
            if isinstance(part, str):
                lines.append(part)
            elif is_own:
                below.append(part)
            else:
                flat = flat_lines(part)
                lines += [line for line in flat if isinstance(line, str)]
                below += [note for note in flat if isinstance(note, Provision)]
        in_annex = place.annex or provision.level == "annex"
        line = provision.place or place.line
        passage = self._passage(
            provision,
            number,
            "\n".join(lines),
            _Place(number, place.above, place.parent, in_annex, line),
        )
        if not lines and below and provision.level == "frame":
            inner = place
        else:
            yield passage
            joined = number if provision.number else place.number
            inner = _Place(joined, number, passage.id, in_annex, line)
        for child in below:
            yield from self.write(child, inner)

    def _passage(self, provision: Provision, number: str, text: str, place: _Place) -> Passage:
        self._seen[number] += 1
        return Passage(
            id=make_id(self.act.document_id, number, self._seen[number]),
            document_id=self.act.document_id,
            passage_id=number,
            text=text,
            document_title=self.act.title,
            kind=_kind(provision, text, place.annex),
            parent=place.parent,
            metadata={**self.act.metadata, **provision.metadata},
            source=f"{self.source}:{place.line}" if place.line else self.source,
        )


def _numbers(provision: Provision, place: _Place) -> Iterator[str]:
    """Yield the numbers of a provision and of those below it whose own is a part of the number."""
    number = _one_line(_number(provision, place))
    relative = not provision.number or provision.number[0] == "."
    if provision.level in {"section", "division", "article"} and relative:
        yield number
    inner = replace(place, number=number if provision.number else place.number)
    for child in provision.children():
        yield from _numbers(child, inner)


def _number(provision: Provision, place: _Place) -> str:
    """Return the whole number of a provision: articles and recitals start again in the act."""
    if provision.level in {"footnote", "recital", "frame"}:
        return provision.number
    if provision.level in {"article", "annex"} and not place.annex:
        return provision.number
    own = provision.number or f".{_short(provision.heading) or provision.level}"
    if not place.number:
        return own.removeprefix(".")
    joint = "" if own[0] in "(." else "."
    return f"{place.number}{joint}{own}"


def _one_line(number: str) -> str:
    """Return a number that can be an ID: short, on one line, without control characters."""
    visible = "".join(" " if unicodedata.category(c) == "Cc" else c for c in number)
    return " ".join(visible.split())[:NUMBER_CHARACTERS]


def _short(heading: str) -> str:
    plain = " ".join(heading.replace(".", " ").split())
    if len(plain) <= HEADING_CHARACTERS:
        return plain
    return plain[:HEADING_CHARACTERS].rpartition(" ")[0]


def _kind(provision: Provision, text: str, in_annex: bool) -> Kind:
    """Return the kind of a passage; "rule" leaves it to `indexer.hierarchy.kinds`."""
    if provision.metadata.get("editorial"):
        return "guidance"
    if provision.level in KIND_OF_LEVEL:
        return KIND_OF_LEVEL[provision.level]
    if text == provision.heading and (text or provision.level == "division"):
        return "heading"
    if START in text:
        return "table"
    if is_definition(provision):
        return "definition"
    return "schedule" if in_annex and text else "rule"

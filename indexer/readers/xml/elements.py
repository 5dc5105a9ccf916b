"""What the elements of a format are, and where it has the names and dates of an act: two tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.readers.columns import day_of
from indexer.readers.xml.parsing import look_up
from indexer.structuring.acts.provisions import Act, Level
from indexer.titles import first_title
from search.records import MetadataValue

if TYPE_CHECKING:
    from lxml.etree import _Element

Words = Mapping[str, str]
"""Names of elements → a word."""


def words(*names: str) -> dict[str, str]:
    """Return elements whose own name is the word before their number: `chapter` → `Chapter`."""
    return {name: name.capitalize() for name in names}


@dataclass(frozen=True, slots=True)
class Elements:
    """The elements of one XML format by what they are; all others pass their content on."""

    divisions: Words = field(default_factory=dict)
    """Groups of units → the word before a number that the source prints without one."""
    units: Words = field(default_factory=dict)
    """Articles, sections, rules → the word before a bare number; empty: the number stands alone."""
    items: Mapping[str, Level | None] = field(default_factory=dict)
    """Parts of units → what they are; None: a digit makes a paragraph, anything else a point."""
    annexes: Words = field(default_factory=dict)
    frames: Words = field(default_factory=dict)
    """Blocks around the units → what they are called."""
    recitals: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    """Elements that hold one unit and its heading."""
    sections: frozenset[str] = frozenset()
    """Headed parts of annexes, whose titles begin with their number."""
    cross_headings: frozenset[str] = frozenset()
    """Headings beside the units that they are above."""
    heads: frozenset[str] = frozenset()
    """Elements that hold number and heading together."""
    numbers: frozenset[str] = frozenset({"num"})
    headings: frozenset[str] = frozenset({"heading"})
    inline: frozenset[str] = frozenset()
    """Elements within a line; empty: what is in mixed content."""
    texts: frozenset[str] = frozenset({"p"})
    """Elements that are one paragraph of text."""
    tables: frozenset[str] = frozenset({"table"})
    rows: frozenset[str] = frozenset({"tr", "row"})
    cells: frozenset[str] = frozenset({"td", "th", "entry"})
    captions: frozenset[str] = frozenset({"caption", "title"})
    quotations: frozenset[str] = frozenset()
    """Provisions of another act, quoted in order to insert them."""
    notes: frozenset[str] = frozenset()
    """Footnotes where they are."""
    note_references: Words = field(default_factory=dict)
    """Elements that refer to a footnote → the attribute that names it."""
    remarks: Words = field(default_factory=dict)
    """Notes of the editors below a provision → what they are called."""
    breaks: frozenset[str] = frozenset({"br"})
    figures: Words = field(default_factory=lambda: {"img": "alt"})
    """Elements that are pictures → the attribute that describes or names them."""
    left_out: Words = field(default_factory=dict)
    """Elements that are not text of the act → why."""
    identifiers: tuple[str, ...] = ("id",)
    """Attributes that name an element, the best first."""
    metadata: Words = field(default_factory=dict)
    """Attributes of provisions → the metadata that they are: `valid_from`."""
    labelled_texts: bool = False
    """Whether paragraphs of text begin with their number: `(1) The bank …`."""
    bare_in_annexes: bool = False
    """Whether units of an annex are its numbered paragraphs."""


LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
"""The attribute that every XML format may have."""

Places = tuple[str, ...]
"""Where a text may be, the best first, as `look_up` takes them."""


@dataclass(frozen=True, slots=True)
class About:
    """Where the names and dates of an act are."""

    known: Words = field(default_factory=dict)
    """Metadata that is the same for all acts of the format, unless an act says otherwise."""
    name: Places = ()
    """What the document is called; without any, as its file."""
    title: Places = ()
    metadata: Mapping[str, Places] = field(default_factory=dict)

    def act(self, document: _Element, path: Path) -> Act:
        """Return an act with its names and dates, still without provisions."""
        metadata: dict[str, MetadataValue] = dict(self.known)
        for name, places in self.metadata.items():
            value = look_up(document, *places)
            day = day_of(value)
            if value := value if day is None else day:
                metadata[name] = value[:2].lower() if name == "language" else value
        name = look_up(document, *self.name)
        titles = (look_up(document, place) for place in self.title)
        return Act(name or path.stem, first_title(titles), metadata)

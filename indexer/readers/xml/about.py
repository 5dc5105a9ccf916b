"""Where a format has the names and dates of an act: a table that one function reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.acts.provisions import Act
from indexer.readers.xml.elements import Words
from indexer.readers.xml.finding import look_up
from indexer.titles import first_title
from search.records import MetadataValue

if TYPE_CHECKING:
    from lxml.etree import _Element

LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
"""The attribute that every XML format may have."""

Places = tuple[str, ...]
"""Where a text may be, the best first, as `look_up` takes them."""

_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T+Z].*)?")
_OPEN_ENDS = frozenset({"2999-01-01", "9999-12-31"})
"""Last days of acts whose end nobody knows."""


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
            if moment := _MOMENT.fullmatch(value):
                value = "" if moment[1] in _OPEN_ENDS else moment[1]
            if value:
                metadata[name] = value[:2].lower() if name == "language" else value
        name = look_up(document, *self.name)
        titles = (look_up(document, place) for place in self.title)
        return Act(name or path.stem, first_title(titles), metadata)

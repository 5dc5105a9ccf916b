"""One builder for acts whose elements say what they are: the table is the format's, the rest not.

Numbers are made here for all formats alike: `Section 5`, `§ 5`, `Article 12(1)(a)`, `Schedule 1.2`,
`Recital 3`, `Footnote 7`; quoted provisions of other acts are text.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from indexer.readers.xml.elements import Elements
from indexer.readers.xml.parsing import detach, local_name
from indexer.readers.xml.text import ActText
from indexer.structuring.acts.building import footnote, number_of_item, number_of_recital
from indexer.structuring.acts.clause import UnitLines
from indexer.structuring.acts.provisions import Act, Level, Provision, flat_lines, receiver
from indexer.structuring.acts.set_apart import dotted_heading
from indexer.structuring.labels.eu_numbers import (
    annex_number,
    division_number,
    item_number,
    section_number,
)
from indexer.structuring.labels.units import unit_number
from indexer.structuring.pages.forms import AMENDED
from indexer.structuring.units.restarts import restarted
from indexer.tables import table_text

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    from lxml.etree import _Element

    from indexer.structuring.acts.provisions import Provision

_BARE_DIVISION = re.compile(r"\d+[\w.-]*|[IVXLC]+[A-Z]?|[A-Za-z]", re.IGNORECASE)
ITEM_WORD = re.compile(r"^[^\W\d_]{2,12}\.?\s+(?=\d)")
"""The word before the number of a paragraph: `Stk. 2`, `Abs. 2`."""
_ATTACHED_NUMBER = 5
"""Characters of a number behind the word of an annex; a longer text is its heading."""


class Walker(ABC):
    """Reads elements from top to bottom; a format says which of them are in a line of text."""

    def fill(self, element: _Element, target: Provision) -> None:
        """Add what an element holds: runs of inline text as paragraphs, blocks one by one."""
        run = [element.text or ""]
        notes: list[_Element] = []
        for child in element:
            if self.is_inline(child):
                run.append(self.inline(child, notes))
            else:
                self.paragraph("".join(run), notes, target)
                run, notes = [], []
                self.block(child, target)
            run.append(child.tail or "")
        self.paragraph("".join(run), notes, target)

    @abstractmethod
    def is_inline(self, element: _Element) -> bool:
        """Return whether an element is in a line of text."""

    @abstractmethod
    def inline(self, element: _Element, notes: list[_Element]) -> str:
        """Return the text of an inline element without its tail; `notes` receives its footnotes."""

    @abstractmethod
    def block(self, element: _Element, target: Provision) -> None:
        """Add one block."""

    @abstractmethod
    def paragraph(self, text: str, notes: list[_Element], target: Provision) -> None:
        """Add a run of text, which may be blank, and the footnotes in it."""


class ElementTree(Walker):
    """Fills an act with the provisions of a document."""

    texts: ClassVar[type[ActText]] = ActText

    def __init__(self, act: Act, elements: Elements) -> None:
        self.act = act
        self.elements = elements
        self.text = self.texts(act, elements)
        self._annex = False
        self._noted: set[_Element] = set()
        self._restarted: frozenset[_Element] = frozenset()
        self._lines: dict[int, UnitLines] = {}
        self._grouped = ""
        self._roles: dict[str, Callable[[_Element, Provision], None]] = {
            **dict.fromkeys(elements.notes, self._footnote),
            **dict.fromkeys(elements.remarks, self._remark),
            **dict.fromkeys(elements.groups, self._group),
            **dict.fromkeys(elements.sections, self._section),
            **dict.fromkeys(elements.cross_headings, self._cross_heading),
            **dict.fromkeys(elements.quotations, self._quotation),
            **dict.fromkeys(elements.tables, self._table),
            **dict.fromkeys(elements.recitals, self._recital),
            **dict.fromkeys(elements.frames, self._frame),
            **dict.fromkeys(elements.annexes, self._attachment),
        }

    # What a format may say about its elements beyond the table.

    def name_of(self, element: _Element) -> str:
        """Return the name by which an element is looked up in the table."""
        return local_name(element)

    def word_of(self, element: _Element) -> str:
        """Return the word before the number of a unit that the source prints without one."""
        return self.elements.units[self.name_of(element)]

    def annex_word(self, element: _Element) -> str:
        """Return what an annex is called that has a number alone, or no number."""
        return self.elements.annexes[self.name_of(element)]

    def label_of(self, element: _Element) -> str:  # noqa: ARG002 - for formats that need it
        """Return the number of a provision that no element below it prints, or ""."""
        return ""

    def number_of_item(self, element: _Element, label: str) -> str:  # noqa: ARG002 - as above
        """Return the number of a part of a unit as it follows the number of what encloses it."""
        return number_of_item(ITEM_WORD.sub("", label), self._annex)

    def number_unit(self, unit: Provision, element: _Element) -> None:
        """Give a unit its number by its label."""
        unit.number = unit_number(self.word_of(element), unit.label)

    def number_division(self, division: Provision, word: str) -> None:
        """Give a division its number: `Part 2`, `Erster Titel`; what follows it is heading."""
        bare = division.label.strip(" .:—–-")
        if named := division_number(division.label):
            division.number = named[0]
            division.heading = " ".join(filter(None, [named[2], division.heading]))
        elif bare and _BARE_DIVISION.fullmatch(bare):
            division.number = f"{word} {bare}".strip()
        else:
            division.number = bare.replace(".", "")

    def place_item(self, item: Provision, level: Level | None, holder: Provision) -> None:
        """Decide what a part of a unit is, by the table and by what encloses it."""
        plain = item.number.strip(".()")
        if holder.level in {"article", "annex", "section", "division", "frame"} and (
            level == "paragraph" or plain[:1].isdigit() or holder.level != "article"
        ):
            item.level = level or ("paragraph" if plain else "point")
        if holder.level in {"division", "frame"} and not self._annex:
            item.level, item.number = "section", plain

    def rank_of(self, element: _Element) -> int:  # noqa: ARG002 - as above
        """Return how deep a cross-heading is, 0 for the outermost."""
        return 0

    # The walk.

    def build(self, document: _Element) -> None:
        """Put the provisions of the document into the act."""
        self.text.know(document)
        annexes = self.elements.annexes
        self._restarted = restarted(
            (unit, unit_number(self.word_of(unit), self._printed_number(unit)))
            for unit in document.iter()
            if self._is_unit(unit) and not self._is_any(unit.iterancestors(), annexes)
        )
        whole = Provision("frame")
        table = self.elements
        named = self.name_of(document) in {**table.divisions, **table.units, **table.annexes}
        (self.block if named else self.fill)(document, whole)
        self.act.take(whole)

    def is_inline(self, element: _Element) -> bool:
        """Return whether an element is in a line of text."""
        name = self.name_of(element)
        return not name or (
            self.text.is_inline(element, name)
            and not self._is_any(element.iterdescendants(), self.elements.quotations)
        )

    def inline(self, element: _Element, notes: list[_Element]) -> str:
        """Return the text of an inline element."""
        return self.text.read(element, notes) if local_name(element) else ""

    def paragraph(self, text: str, notes: list[_Element], target: Provision) -> None:
        """Add a run of text and its footnotes."""
        text = " ".join(text.replace("\xad", "").split())
        home = receiver(target)
        lines = self._lines.get(id(home))
        if text and lines is not None:
            lines.add(text)
        elif text:
            home.parts.append(text)
        for note in notes:
            self._footnote(note, target)

    def block(self, element: _Element, target: Provision) -> None:
        """Add one block by what the table says of it."""
        name, table = self.name_of(element), self.elements
        if reason := self.text.reason(element, name):
            self.act.leave_out(" ".join(element.itertext()), reason)
        elif role := self._roles.get(name):
            role(element, target)
        elif self._groups_units(element, name, target):
            self._division(element, name, target)
        elif name in table.units and not _within_unit(target):
            self._unit(element, target)
        elif name in table.items or name in table.units:
            self._item(element, name, target)
        else:
            self.fill(element, target)

    # What becomes of each.

    def _groups_units(self, element: _Element, name: str, target: Provision) -> bool:
        if _within_unit(target):
            return False
        if name in self.elements.divisions:
            return True
        named = name in self.elements.units or name in self.elements.items
        return named and any(self._is_unit(inner) for inner in element.iterdescendants())

    def _is_unit(self, element: _Element) -> bool:
        if self.name_of(element) not in self.elements.units or self._is_quoted(element):
            return False
        return not any(
            self.name_of(inner) in self.elements.units and not self._is_quoted(inner)
            for inner in element.iterdescendants()
        )

    def _is_quoted(self, element: _Element) -> bool:
        return self._is_any(element.iterancestors(), self.elements.quotations)

    def _is_any(self, elements: Iterable[_Element], names: Container[str]) -> bool:
        return any(self.name_of(one) in names for one in elements)

    def _printed_number(self, element: _Element) -> str:
        found = next(self._titles(element, self.elements.numbers), None)
        label = "" if found is None else " ".join(self.text.words(found).split())
        return label or self.label_of(element)

    def _titles(self, element: _Element, names: frozenset[str]) -> Iterator[_Element]:
        """Yield the children of some names, those within a common head among them."""
        for child in element:
            name = self.name_of(child)
            if name in self.elements.heads:
                yield from self._titles(child, names)
            elif name in names:
                yield child

    def opened(self, element: _Element, level: Level) -> Provision:
        """Return a provision with the number, heading and data of an element taken out."""
        provision = Provision(level, place=element.sourceline or 0)
        provision.metadata.update(self.text.metadata(element))
        labels = self._taken(element, self.elements.numbers, provision)
        headings = self._taken(element, self.elements.headings, provision)
        provision.label = AMENDED.sub(r"\2", " ".join(labels)) or self.label_of(element)
        provision.heading = " ".join(filter(None, [self._grouped, *headings]))
        self._grouped = ""
        return provision

    def _taken(self, element: _Element, names: frozenset[str], provision: Provision) -> list[str]:
        found = []
        for child in list(self._titles(element, names)):
            found.append(self._words(child, provision))
            detach(child)
        return list(filter(None, found))

    def _words(self, element: _Element, target: Provision) -> str:
        """Return the text of an element, and add its footnotes."""
        notes: list[_Element] = []
        text = " ".join(self.text.words(element, notes).split())
        self.paragraph("", notes, target)
        return text

    def _fill_lines(self, element: _Element, provision: Provision) -> None:
        """Fill a unit; paragraphs that begin with their number are placed by it."""
        if not self.elements.labelled_texts:
            self.fill(element, provision)
            return
        self._lines[id(provision)] = lines = UnitLines(provision)
        self.fill(element, provision)
        lines.write()
        del self._lines[id(provision)]

    def _division(self, element: _Element, name: str, target: Provision) -> None:
        division = self.opened(element, "division")
        word = self.elements.divisions.get(name, self.elements.units.get(name, ""))
        self.number_division(division, word)
        self.fill(element, division)
        receiver(target).parts.append(division)

    def _unit(self, element: _Element, target: Provision) -> None:
        restarted_here = element in self._restarted
        unit = self.opened(element, "article")
        self.number_unit(unit, element)
        if self._annex and not unit.number and not unit.heading:
            self.fill(element, target)  # the text of the annex itself
            return
        if self._annex and self.elements.bare_in_annexes:
            unit.level, unit.number = "paragraph", item_number(unit.label, in_annex=True)
        elif self._annex or restarted_here:
            unit.level = "section"
        if not unit.number:
            unit.level, unit.label = "section", ""
        self._fill_lines(element, unit)
        receiver(target).parts.append(unit)

    def _item(self, element: _Element, name: str, target: Provision) -> None:
        item = self.opened(element, "point")
        holder = receiver(target)
        item.number = self.number_of_item(element, item.label)
        if not item.label and not item.heading and not item.number:
            self.fill(element, holder)  # a subparagraph: text of what encloses it
            return
        self.place_item(item, self.elements.items.get(name), holder)
        self.fill(element, item)
        holder.parts.append(item)

    def _group(self, element: _Element, target: Provision) -> None:
        """Add the units of a group; its heading is that of the first, or of them all."""
        notes = Provision("frame")
        heading = " ".join(self._taken(element, self.elements.headings, notes))
        units = [inner for inner in element.iter() if self._is_unit(inner)]
        if len(units) > 1 and heading:
            section = Provision("section", heading=heading, parts=list(notes.parts))
            self.fill(element, section)
            target.parts.append(section)
            return
        self._grouped = heading
        self.fill(element, target)
        if self._grouped:  # nothing in the group took it
            target.parts.append(self._grouped)
            self._grouped = ""
        receiver(target).parts += notes.parts

    def _attachment(self, element: _Element, target: Provision) -> None:
        annex = self.opened(element, "annex")
        title = annex.label or annex.heading
        number, rest = annex_number(title) or ("", title)
        word = self.annex_word(element)
        short = len(rest) <= _ATTACHED_NUMBER and bool(rest)
        annex.number = number or (f"{word} {rest}" if short else word)
        if annex.label and number:
            annex.heading = " ".join(filter(None, [rest, annex.heading]))
        elif not number and not short:
            annex.heading = " ".join(filter(None, [rest, annex.heading if annex.label else ""]))
        annex.label = ""
        self._in_annex(element, annex, target)

    def _in_annex(self, element: _Element, annex: Provision, target: Provision) -> None:
        before, self._annex = self._annex, True
        self.fill(element, annex)
        self._annex = before
        target.parts.append(annex)

    def _frame(self, element: _Element, target: Provision) -> None:
        name = self.name_of(element)
        frame = Provision("frame", self.elements.frames[name], place=element.sourceline or 0)
        self.fill(element, frame)
        if frame.parts:
            target.parts.append(frame)

    def _recital(self, element: _Element, target: Provision) -> None:
        recital = self.opened(element, "recital")
        recital.number = number_of_recital(recital.label)
        listed = Provision("point")
        self.fill(element, listed)
        recital.parts += flat_lines(listed)
        target.parts.append(recital)

    def _section(self, element: _Element, target: Provision) -> None:
        section = self.opened(element, "section")
        section.number, section.label, rest = section_number(section.label)
        section.heading = " ".join(filter(None, [rest, section.heading]))
        if not self._annex:
            section.number = section.number.removeprefix(".")
        self.fill(element, section)
        target.parts.append(section)

    def _cross_heading(self, element: _Element, target: Provision) -> None:
        """Open a heading beside its units; what follows in the same element is below it."""
        heading = self.opened(element, "section")
        words = self._words(element, heading)
        heading.heading = " ".join(filter(None, [heading.heading, words]))
        heading.rank = self.rank_of(element) + 1
        if not heading.label and division_number(heading.heading):
            heading.label, heading.heading = heading.heading, ""
        if heading.label:
            self.number_division(heading, "")
            heading.level = "division"
        elif number := dotted_heading(heading.heading):
            heading.number = f".{number}"
        receiver(target, heading.rank).parts.append(heading)

    def _quotation(self, element: _Element, target: Provision) -> None:
        """Add quoted provisions of another act as text: their numbers are not this act's."""
        quoted = Provision("article")
        self.fill(element, quoted)
        marks = element.get("startQuote", ""), element.get("endQuote", "")
        lines = flat_lines(quoted)
        texts = [i for i, line in enumerate(lines) if isinstance(line, str)]
        if texts:
            lines[texts[0]] = f"{marks[0]}{lines[texts[0]]}"
            lines[texts[-1]] = f"{lines[texts[-1]]}{marks[1]}"
        self._add(lines, target)

    def _remark(self, element: _Element, target: Provision) -> None:
        """Add a note of the editors as a passage of its own: it is not the law."""
        name = self.name_of(element)
        remark = Provision(
            "section", f".{self.elements.remarks[name]}", place=element.sourceline or 0
        )
        remark.metadata["editorial"] = True
        self.fill(element, remark)
        lines = [line for line in flat_lines(remark) if isinstance(line, str)]
        remark.parts = list(lines)
        if lines:
            receiver(target).parts.append(remark)

    def _table(self, element: _Element, target: Provision) -> None:
        notes: list[_Element] = []
        captions, rows = self.text.rows(element, notes)
        if text := table_text([*([c] for c in captions), *rows]):
            self._add([text], target)
        self.paragraph("", notes, target)

    def _add(self, parts: list[str | Provision], target: Provision) -> None:
        home = receiver(target)
        lines = self._lines.get(id(home))
        if lines is None:
            home.parts += parts
        else:
            for part in parts:
                lines.block(part)

    def _footnote(self, element: _Element, target: Provision) -> None:
        if element in self._noted:
            return
        self._noted.add(element)
        note = footnote(len(self._noted), element.sourceline or 0)
        self.fill(element, note)
        note.parts = [line for line in flat_lines(note) if isinstance(line, str)]
        note.label = element.get("marker", "")
        receiver(target).parts.append(note)


def _within_unit(target: Provision) -> bool:
    return receiver(target).level in {"article", "paragraph", "point", "footnote"}

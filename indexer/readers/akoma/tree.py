"""The elements of Akoma Ntoso as provisions (names: OASIS LegalDocML 1.0, part 2)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from indexer.acts.eu_numbers import annex_number, division_number, is_dash, item_number
from indexer.acts.provisions import Act, Level, Provision, flat_lines
from indexer.readers.akoma.elements import (
    has_quotation,
    holds_units,
    name_of,
    opens_unit,
    preface_of,
    repeated_units,
)
from indexer.readers.akoma.names import UNITS, unit_number
from indexer.readers.akoma.text import INLINE, AkomaText, identifier
from indexer.readers.xml.parsing import detach, local_name
from indexer.tables import table_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element

DIVISIONS = frozenset({
    "book", "chapter", "division", "part", "subchapter", "subdivision", "subpart", "subtitle",
    "title", "tome", "transitional",
})  # fmt: skip
INNER = frozenset({
    "alinea", "clause", "indent", "item", "level", "li", "paragraph", "point", "proviso",
    "subclause", "sublist", "subparagraph", "subrule", "subsection",
})  # fmt: skip
"""Elements below a rule that may have a number."""

ATTACHMENTS = frozenset({"annex", "appendix", "attachment", "schedule"})

FRAMES = {"preamble": "Preamble", "conclusions": "Concluding formulas"}
LEFT_OUT = {"toc": "a table of contents", "meta": "data about the file"}
"""Blocks that are no text of the document → why."""

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


class AkomaTree:
    """Fills an act with the provisions of a document."""

    def __init__(self, act: Act) -> None:
        self._act = act
        self._annex = False
        self._footnotes = 0
        self._repeated: frozenset[str] = frozenset()
        self._text = AkomaText(act)
        self._builders: dict[str, Callable[[_Element, Provision], None]] = {
            **dict.fromkeys(ATTACHMENTS, self._attachment),
            **dict.fromkeys(FRAMES, self._frame),
            "recital": self._recital, "table": self._table, "quotedStructure": self._quotation,
            "crossHeading": self._cross_heading, "crossheading": self._cross_heading,
        }  # fmt: skip

    def build(self, document: _Element) -> None:
        """Put the provisions of the document into the act."""
        self._repeated = repeated_units(document)
        self._text.know_notes(document)
        whole = Provision("frame", "Preamble")
        for part in document:
            name = local_name(part)
            if name == "meta":
                self._act.leave_out(" ".join(part.itertext()), "data about the file")
            elif name in {"coverPage", "preface"}:
                self._act.leave_out(" ".join(part.itertext()), "the title of the act")
            else:
                self._block(part, whole)
        self._act.take(whole)

    def _fill(self, element: _Element, provision: Provision) -> None:
        """Add what an element holds: runs of inline text as paragraphs, blocks by their name."""
        run = [element.text or ""]
        notes: list[_Element] = []

        def flush() -> None:
            if text := " ".join("".join(run).split()):
                _receiver(provision).parts.append(text)
            run.clear()
            for note in notes:
                self._footnote(note, provision)
            notes.clear()

        for child in element:
            name = local_name(child)
            if not name or (name in INLINE and not has_quotation(child)):
                run.append(self._text.read(child, notes))
            else:
                flush()
                self._block(child, provision)
            run.append(child.tail or "")
        flush()

    def _block(self, element: _Element, parent: Provision) -> None:
        """Add one block element."""
        name = name_of(element)
        if name in LEFT_OUT:
            self._act.leave_out(" ".join(element.itertext()), LEFT_OUT[name])
        elif name in self._builders:
            self._builders[name](element, parent)
        elif name in DIVISIONS or (name in UNITS and holds_units(element)):
            self._division(element, name, parent)
        elif opens_unit(element, name, parent):
            self._unit(element, name, parent)
        elif name in INNER or name in UNITS:
            self._item(element, parent)
        else:
            self._fill(element, parent)

    def _opened(self, element: _Element, level: Level) -> Provision:
        """Return a provision with the number, heading and identifier of an element taken out."""
        provision = Provision(level, place=element.sourceline or 0)
        if eid := identifier(element):
            provision.metadata["eid"] = eid
        taken: dict[str, str] = {}
        for child in list(element):
            name = local_name(child)
            if name in {"num", "heading", "subheading"} and name not in taken:
                notes: list[_Element] = []
                taken[name] = " ".join(self._text.read(child, notes).split())
                for note in notes:
                    self._footnote(note, provision)
                detach(child)
        provision.label = taken.get("num", "")
        heads = (taken.get("heading"), taken.get("subheading"))
        provision.heading = " ".join(filter(None, heads))
        return provision

    def _division(self, element: _Element, name: str, parent: Provision) -> None:
        division = self._opened(element, "division")
        named = division_number(division.label)
        bare = division.label.strip(" .")
        if named:
            division.number = named[0]
            division.heading = " ".join(filter(None, [named[2], division.heading]))
        elif bare:
            word = _CAMEL.sub(" ", name).title()
            division.number = bare if bare.lower().startswith(name) else f"{word} {bare}"
        self._fill(element, division)
        _receiver(parent).parts.append(division)

    def _unit(self, element: _Element, name: str, parent: Provision) -> None:
        unit = self._opened(element, "article")
        number = unit_number(name, unit.label)
        unit.number = number or _CAMEL.sub(" ", name or "provision").title()
        if self._annex or number in self._repeated:
            unit.level = "section"
        self._fill(element, unit)
        _receiver(parent).parts.append(unit)

    def _item(self, element: _Element, parent: Provision) -> None:
        item = self._opened(element, "point")
        holder = _receiver(parent)
        item.number = "" if is_dash(item.label) else item_number(item.label, self._annex)
        if not item.number and not item.label and not item.heading:
            self._fill(element, holder)  # an alinea or subparagraph: text of what encloses it
            return
        plain = item.number.strip(".()")
        if holder.level in {"article", "annex", "section", "division", "frame"}:
            name = local_name(element)
            first = name in {"paragraph", "subsection", "clause", "subrule", "level"}
            if (first and plain[:1].isdigit()) or holder.level != "article":
                item.level = "paragraph"
        if holder.level in {"division", "frame"} and not self._annex:
            item.level, item.number = "section", plain
        self._fill(element, item)
        holder.parts.append(item)

    def _attachment(self, element: _Element, parent: Provision) -> None:
        annex = self._opened(element, "annex")
        inner = next((e for e in element if local_name(e) in {"doc", "statement"}), None)
        if inner is not None and not (annex.label or annex.heading):
            annex.label = preface_of(inner)
        title = annex.label or annex.heading
        number, rest = annex_number(title) or ("", title)
        named = (inner.get("name", "") if inner is not None else "") or name_of(element)
        word = named.capitalize() if named.lower() in ATTACHMENTS - {"attachment"} else "Annex"
        annex.number = number or (f"{word} {rest}" if len(rest) <= 5 and rest else word)
        if annex.label and number:
            annex.heading = " ".join(filter(None, [rest, annex.heading]))
        elif not number and len(rest) > 5:
            annex.heading = rest
        annex.label = ""
        before, self._annex = self._annex, True
        for part in inner if inner is not None else ():
            if local_name(part) in {"preface", "coverPage"}:
                self._act.leave_out(" ".join(part.itertext()), "the title of an annex")
                detach(part)
        self._fill(element, annex)
        self._annex = before
        _receiver(parent).parts.append(annex)

    def _frame(self, element: _Element, parent: Provision) -> None:
        frame = Provision("frame", FRAMES[name_of(element)], place=element.sourceline or 0)
        self._fill(element, frame)
        if frame.parts:
            parent.parts.append(frame)

    def _recital(self, element: _Element, parent: Provision) -> None:
        recital = self._opened(element, "recital")
        digits = "".join(c for c in recital.label if c.isalnum())
        recital.number = f"Recital {digits}".strip()
        self._fill(element, recital)
        parent.parts.append(recital)

    def _cross_heading(self, element: _Element, parent: Provision) -> None:
        """Open a heading without a number; what follows in the same element stands below it."""
        notes: list[_Element] = []
        heading = Provision("section", heading=" ".join(self._text.read(element, notes).split()))
        heading.metadata["eid"] = identifier(element)
        for note in notes:
            self._footnote(note, heading)
        parent.parts.append(heading)

    def _quotation(self, element: _Element, parent: Provision) -> None:
        """Add quoted provisions of another act as text: their numbers are not this act's."""
        quoted = Provision("article")
        self._fill(element, quoted)
        marks = element.get("startQuote", ""), element.get("endQuote", "")
        lines = flat_lines(quoted)
        texts = [i for i, line in enumerate(lines) if isinstance(line, str)]
        if texts:
            lines[texts[0]] = f"{marks[0]}{lines[texts[0]]}"
            lines[texts[-1]] = f"{lines[texts[-1]]}{marks[1]}"
        _receiver(parent).parts += lines

    def _table(self, element: _Element, parent: Provision) -> None:
        notes: list[_Element] = []
        captions = [self._text.cell(c, notes) for c in element if local_name(c) == "caption"]
        rows = [
            [self._text.cell(cell, notes) for cell in row if local_name(cell) in {"td", "th"}]
            for row in element.iter()
            if local_name(row) == "tr"
        ]
        if text := table_text([*([c] for c in captions), *rows]):
            _receiver(parent).parts.append(text)
        for note in notes:
            self._footnote(note, parent)

    def _footnote(self, element: _Element, parent: Provision) -> None:
        self._footnotes += 1
        note = Provision("footnote", f"Footnote {self._footnotes}", place=element.sourceline or 0)
        self._fill(element, note)
        note.parts = [line for line in flat_lines(note) if isinstance(line, str)]
        note.label = element.get("marker", "")
        _receiver(parent).parts.append(note)


def _receiver(provision: Provision) -> Provision:
    """Return what takes the next part of a provision: its last heading without a number, if any."""
    last = provision.parts[-1] if provision.parts else None
    if isinstance(last, Provision) and _is_cross_heading(last):
        return last
    return provision


def _is_cross_heading(provision: Provision) -> bool:
    return provision.level == "section" and not provision.number and not provision.label

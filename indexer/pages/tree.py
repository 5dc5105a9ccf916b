"""The lines of a page as provisions: headings, units, numbers, lists and tables."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from indexer.acts.clause import Clause
from indexer.acts.eu_numbers import INNERMOST
from indexer.acts.granularity import DEFAULT_GRANULARITY, apart
from indexer.acts.provisions import FORMULAS, Act, Provision
from indexer.acts.restarts import restarted
from indexer.numbering.book_codes import CODE, own_code, without_code
from indexer.numbering.joined_labels import JoinedLabels
from indexer.numbering.list_labels import readings
from indexer.numbering.units.lines import DASHED, MARKED, UnitLine, division_line, is_title
from indexer.numbering.units.running import running_units
from indexer.pages.line import CONTENTS, RANKS, Line, plain, shown_words
from indexer.pages.numbers import (
    Number,
    heading_number,
    heading_text,
    is_number,
    label_alone,
    line_number,
    next_integer,
    paragraph_number,
)
from indexer.pages.within import HeadingsWithin
from search.provisions import vocabulary
from search.provisions.numbering import container_rank

_GUIDANCE = re.compile(r"guidance(?:\s+notes?)?:?", re.IGNORECASE)
_GLOSSARY = re.compile(r"glossary|definitions?|interpretation|defined terms", re.IGNORECASE)
_DEEP = RANKS + 1
_RECITALS = re.compile(
    r".{0,60}\b(?:whereas|considérant|erwägung|considerando|overwegende|considerato).{0,40}",
    re.IGNORECASE,
)
"""What comes before the recitals of an act."""
_CLOSING = re.compile(
    r"(?:done|fait|geschehen|ausgefertigt|hecho|fatto|gedaan|feito) \w{1,3} .{2,60}\d{4}\.?",
    re.IGNORECASE,
)
"""The place and day below the last rule; the numbers behind it are those of notes."""
_RECITAL = re.compile(r"\((\d{1,3})\)\s+(?=\S)")
_LETTER = re.compile(r"^[a-z0-9]{1,3}[.)]\s+")
_INLINE_TITLE = re.compile(r"([^\W\d_a-z][^.;:]{2,120}\.)\s+(?=\((?:1|a|A|i)\)\s)")
"""A title on the line of the first paragraph: `§ 1. Scope. (1) This Act …`."""
_SHORT = 9
"""Words of a title that ends in a dot."""
_TITLES_BEFORE = 0.6
"""Least share of units below a short line that makes such lines their titles."""


class PageTree:
    """Fills an act with what a page holds."""

    def __init__(self, act: Act, *, headed: bool = False) -> None:
        """Prepare.

        Args:
            act: to fill.
            headed: whether headings alone part the page, so that integers count below them.
        """
        self._act = act
        self._headed = headed
        self._code = ""
        self._root = Provision("frame", act.title or "Preamble")
        self._headings: list[tuple[int, Provision]] = []
        self._rule: Provision | None = None
        self._guidance: Provision | None = None
        self._clause = Clause(self._root)
        self._integers: list[Provision] = []
        self._awaited = 0
        """The next number without a mark in a schedule; 0 where such numbers say nothing."""
        self._joined = JoinedLabels()
        self._units: Mapping[int, UnitLine] = {}
        self._restarted: frozenset[int] = frozenset()
        """Places of units whose numbers start again in each part."""
        self._unit: Provision | None = None
        """The unit that is open, of those that run through the page."""
        self._unit_rank = 0
        """Its rank as a heading of the page; 0 for a line of text."""
        self._nested: set[tuple[str, str]] = set()
        """Words of divisions, of which the first was around the second."""
        self._notes = 0
        self._recital = 0
        """The next recital; 0 where none is awaited."""
        self._counted = 0
        """The last numbered paragraph of what is open."""

    @property
    def code(self) -> str:
        """The code of the book before its numbers, or ""."""
        return self._code

    def build(self, lines: Sequence[Line]) -> None:
        """Put the provisions of the page into the act."""
        lines = [line for line in lines if line.text.strip() or line.block or line.term]
        self._code = own_code(plain(line.text) for line in lines)
        texts = [self._uncoded(plain(line.text), note=False) for line in lines]
        found = running_units(texts, {at for at, line in enumerate(lines) if line.marked})
        self._units = found.units
        numbers = ((at, found.units[at].number) for at in sorted(found.units))
        self._restarted = restarted(numbers)
        titles = self._titles(texts)
        taken = set(titles.values())
        within = HeadingsWithin(lines, texts, found)
        for place, line in enumerate(lines):
            if line.menu or _heads_menu(lines, place):
                self._leave_menu(line)
            elif place in found.contents:
                self._act.leave_out(shown_words(line), CONTENTS)
            elif place in found.groups:
                self._open_group(found.groups[place], line.rank)
            elif place in taken:
                continue
            elif place in self._units and not self._is_heading(place, line, texts[place]):
                title = titles.get(place)
                self._open_unit(place, "" if title is None else texts[title], line)
            elif self._unit is not None and self._is_within(place, within):
                self._line(line.text)
            else:
                self._add(line)
                if place in self._units:
                    self._unit, self._unit_rank = self._rule, line.rank
        self._clause.write()
        self._number_integers()
        opening = self._opening()
        if opening.parts:
            self._act.provisions.append(opening)
        inside = set(map(id, opening.parts))
        self._act.provisions += [one for one in self._root.children() if id(one) not in inside]

    def _is_within(self, place: int, within: HeadingsWithin) -> bool:
        """Return whether a line is a heading of the unit that is open, and opens none."""
        held = within.holds(place, self._unit_rank, self._counted)
        return held and place not in self._units

    def _is_heading(self, place: int, line: Line, text: str) -> bool:
        """Return whether a line opens its unit as a heading of the page with the same number."""
        found = heading_number(text) if line.rank else None
        return found is not None and found.number == self._units[place].number

    def _titles(self, texts: Sequence[str]) -> dict[int, int]:
        """Return units → the lines that are their titles: behind a bare number, or before it."""
        behind = {
            place: place + 1
            for place, unit in self._units.items()
            if not unit.text and place + 1 < len(texts) and place + 1 not in self._units
            and _is_title_behind(texts[place + 1 : place + 3])
        }  # fmt: skip
        before = {
            place: place - 1
            for place, unit in self._units.items()
            if place
            and place - 1 not in self._units
            and _is_note(texts[place - 1])
            and (not _is_titled(unit) if unit.text else texts[place - 1][0] in "(（")
        }
        many = _TITLES_BEFORE * len(self._units)
        return behind | (before if len(before) >= many else {})

    def _add(self, line: Line) -> None:
        """Add one line by what the page says of it."""
        if line.block is not None:
            self._clause.block(line.block)
        elif line.term is not None:
            self._term(*line.term)
        elif line.note:
            self._note(line)
        elif line.label and (found := label_alone(plain(line.text))):
            self._numbered(self._below_unit(found), line.text)
        elif line.rank or line.attachment:
            self._heading(plain(line.text), line.rank or self._outermost)
        else:
            self._line(line.text)

    def _open_unit(self, place: int, title: str, line: Line) -> None:
        """Open a unit that runs through the page."""
        unit = self._units[place]
        text = unit.text
        provision = Provision("article", unit.number, title, label=unit.label, place=line.place)
        if line.rank:
            while self._headings and self._headings[-1][0] >= line.rank:
                self._headings.pop()
        if self._attached:
            provision.level = "section"
        elif place in self._restarted:
            provision.level, provision.number = "section", f".{unit.number}"
        self._begin(provision, self._section)
        self._rule = self._unit = provision
        self._unit_rank = line.rank
        self._guidance, self._recital = None, 0
        if text and not title and (inline := _INLINE_TITLE.match(text)):
            provision.heading, text = inline[1], text[inline.end() :]
        elif text and not title and (line.rank or _is_titled(unit)):
            provision.heading, text = text.rstrip(".") if line.rank else text, ""
        if text:
            self._line(text)

    def _leave_menu(self, line: Line) -> None:
        """Leave out links beside the text; a date among them is that of the rule before."""
        self._act.leave_out(shown_words(line), CONTENTS)
        if line.date and self._rule is not None:
            self._rule.metadata.setdefault("valid_from", line.date)

    def _open_group(self, unit: UnitLine, rank: int) -> None:
        """Open a division that is numbered like a unit."""
        division = Provision("division", unit.number, unit.text.strip("—–- "))
        self._open_division(division, rank or _DEEP * 2)

    def _open_division(self, division: Provision, rank: int) -> None:
        """Open a division; it ends those of its rank, and the unit before it."""
        while self._headings and not self._holds(self._headings[-1], rank, division):
            self._headings.pop()
        self._begin(division, self._section)
        self._headings.append((rank, division))
        self._rule = self._unit = None

    def _note(self, line: Line) -> None:
        self._notes += 1
        note = Provision("footnote", f"Footnote {self._notes}", parts=[plain(line.text)])
        (self._rule or self._section).parts.append(note)

    def _opening(self) -> Provision:
        """Return what comes before the first number: texts, and the lists that complete them."""
        own_passage = apart(self._root, DEFAULT_GRANULARITY)
        parts = [
            part
            for part, own in zip(self._root.parts, own_passage, strict=True)
            if isinstance(part, str) or (part.level == "point" and not own)
        ]
        return Provision("frame", self._root.number, parts=parts)

    @property
    def _section(self) -> Provision:
        """What the last heading opened."""
        return self._headings[-1][1] if self._headings else self._root

    def _below_unit(self, found: Number) -> Number:
        """Return the number of a paragraph where a unit is open that integers count within."""
        if self._unit is None or found.shape != "integer":
            return found
        number = unicodedata.normalize("NFKC", found.number)
        return replace(found, shape="item", number=f"({number})")

    def _heading(self, text: str, rank: int) -> None:
        """Open what a heading is the title of."""
        if not text:
            return
        if _GUIDANCE.fullmatch(text) and (self._rule or self._headings):
            self._open_guidance()
            return
        found = heading_number(self._uncoded(text))
        division = division_line(text) if found is None or found.shape == "integer" else None
        if division is not None:
            word, number, title, _ = division
            found = Number("division", f"{word} {number}", text, title)
        if found is None and text == self._act.title and not self._headings:
            self._act.leave_out(text, "the title of the document")
            return
        words = heading_text(text) or text
        provision = self._titled(found) if found else Provision("section", heading=words)
        if found is not None and found.shape == "division":
            rank = min(rank, _DEEP)
        while self._headings and not self._holds(self._headings[-1], rank, provision):
            self._headings.pop()
        self._begin(provision, self._section)
        self._headings.append((rank, provision))
        self._rule = provision if provision.level == "article" else None
        self._guidance = self._unit = None
        self._awaited = 1 if provision.level == "annex" else 0

    @property
    def _attached(self) -> bool:
        """Whether a schedule or an annex is open: its numbers are its own."""
        return any(provision.level == "annex" for _, provision in self._headings)

    @property
    def _outermost(self) -> int:
        """The rank of the outermost heading with a number that is open, else that of the next."""
        numbered = [rank for rank, provision in self._headings if provision.number]
        return numbered[0] if numbered else len(self._headings) + 1

    def _holds(self, above: tuple[int, Provision], rank: int, provision: Provision) -> bool:
        """Return whether a heading is below an earlier one.

        No division is in a unit of those that run through the page, nor in one of a kind that
        was in its own kind before: a chapter in a section.
        """
        if provision.level == "division" and self._units and above[1].level == "article":
            return False
        both = [p.number.partition(" ")[0].lower() for p in (above[1], provision)]
        if above[1].level == provision.level == "division" and both[0]:
            if both[0] == both[1] or (both[1], both[0]) in self._nested:
                return False
            if above[0] < rank:
                self._nested.add((both[0], both[1]))
        if above[1].level == provision.level == "division" and above[0] == rank:
            return _rank(both[0]) < _rank(both[1])
        return above[0] < rank

    def _titled(self, found: Number) -> Provision:
        level = {"division": "division", "annex": "annex"}.get(found.shape, "article")
        provision = Provision(level, found.number, found.text, label=found.label)  # type: ignore[arg-type]
        if found.shape == "integer" and not self._attached:
            self._integers.append(provision)
        elif found.shape == "item":
            provision.level, provision.number = "section", f".{found.number}"
        return provision

    def _open_guidance(self) -> None:
        guidance = Provision("section", ".Guidance", label="Guidance")
        self._begin(guidance, self._rule or self._section)
        self._guidance = guidance

    def _line(self, raw: str) -> None:
        """Add one line: a rule, an item, or text of what is open."""
        text = plain(raw)
        if not text:
            return
        if _GUIDANCE.fullmatch(text) and self._rule is not None:
            self._open_guidance()
            return
        if self._units and self._frames(text):
            return
        *labels, text = self._joined.apart(self._uncoded(text)).split("\t")
        for label in labels[:-1]:
            self._numbered(label_alone(label), label)
        text = " ".join([*labels[-1:], text])
        self._numbered(self._number_of(text), text)

    def _frames(self, text: str) -> bool:
        """Open a division or a recital that a plain line begins; tell whether it does."""
        if division := division_line(text):
            word, number, title, depth = division
            self._open_division(Provision("division", f"{word} {number}", title), _DEEP + depth)
            return True
        if self._rule is None and not self._headings and _RECITALS.fullmatch(text):
            self._recital = 1
        if self._rule is not None and _CLOSING.fullmatch(text):
            self._headings.clear()
            self._begin(Provision("frame", FORMULAS, parts=[text]), self._root)
            self._rule = self._unit = None
            return True
        found = _RECITAL.match(text) if self._recital else None
        if found is None or int(found[1]) != self._recital:
            return False
        rest = text[found.end() :]
        recital = Provision("recital", f"Recital {found[1]}", parts=[rest], label=f"({found[1]})")
        self._begin(recital, self._root)
        self._recital += 1
        return True

    def _number_of(self, text: str) -> Number | None:
        """Return the number that a line begins with.

        One without a mark counts in a schedule that begins with such: `1 Until 2027 the ratio`.
        """
        if self._unit is not None and not self._attached:
            found = paragraph_number(text, self._counted) or line_number(text)
            below = found is not None and found.number.startswith(
                f"{self._unit.number.removeprefix('.')}."
            )
            return None if found and found.shape == "whole" and not below else found
        found = line_number(text)
        if found is None and self._awaited:
            found = next_integer(text, self._awaited)
            self._awaited += found is not None
        elif found is not None and found.shape == "integer":
            self._awaited = 0
        return found

    def _uncoded(self, text: str, *, note: bool = True) -> str:
        bare = without_code(text, self._code)
        if bare != text and note:
            self._act.leave_out(self._code, CODE)
        return bare

    def _numbered(self, found: Number | None, text: str) -> None:
        if found is None:
            self._clause.text(text)
            return
        parts: list[str | Provision] = [found.text] if found.text else []
        if found.shape == "item":
            joint = "" if self._unit else "."
            if found.number[1:-1].isdigit():
                self._counted = int(found.number[1:-1])
            self._clause.item(Provision("point", f"{joint}{found.number}", "", parts, found.label))
            return
        rule = Provision("article", found.number, "", parts, found.label)
        if found.shape == "integer" and self._guidance is not None:
            rule.level, rule.number = "section", f".{found.number}"
            self._begin(rule, self._guidance)
            return
        if found.shape == "integer" and not self._attached:
            self._integers.append(rule)
        self._begin(rule, self._section)
        self._rule, self._guidance = rule, None

    def _begin(self, provision: Provision, above: Provision) -> None:
        """Put a provision below another one; it takes the lines that follow."""
        self._clause.write()
        self._clause = Clause(provision)
        self._counted = 0
        above.parts.append(provision)

    def _term(self, term: str, text: str) -> None:
        """Add a term and its meaning; in a glossary each term is a passage of its own."""
        headed = any(_GLOSSARY.search(p.heading) for _, p in self._headings)
        if headed and not self._clause.items and term and text:
            self._clause.write()
            number = f".{self._section.heading}.{term}".replace(". ", " ")
            self._section.parts.append(Provision("section", number, parts=[f"{term} {text}"]))
        elif is_number(term) and (found := label_alone(term)):
            self._numbered(replace(self._below_unit(found), text=text), text)
        else:
            self._clause.block(f"{term}: {text}" if term and text else term or text)

    def _number_integers(self) -> None:
        """Join integers that start again in each section to the section's number."""
        counts = Counter(provision.number for provision in self._integers)
        if self._headed or any(count > 1 for count in counts.values()):
            for provision in self._integers:
                provision.level = "section"
                provision.number = f".{provision.number}"


def _rank(word: str) -> int:
    """Return how far inside a division is; one whose word is no unit's is innermost."""
    return container_rank(vocabulary.unit_of(word) or "") or INNERMOST


def _heads_menu(lines: Sequence[Line], place: int) -> bool:
    """Return whether a heading has only links below it: `Export chapter as`."""
    line = lines[place]
    if not line.rank or heading_number(line.text) or place + 1 >= len(lines):
        return False
    behind = place + 1
    while behind < len(lines) and lines[behind].menu:
        behind += 1
    after = lines[behind] if behind < len(lines) else None
    ends = after is None or bool(after.rank or label_alone(plain(after.text)))
    return behind > place + 1 and (ends or line_number(lines[behind].text) is not None)


def _is_title_behind(lines: Sequence[str]) -> bool:
    """Return whether the line behind a bare number is its title: `Scope`, `a) Scope`."""
    if not is_title(lines[0]) and not is_title(_LETTER.sub("", lines[0])):
        return False
    label = line_number(lines[0])
    if label is None:
        return True
    after = line_number(lines[1]) if len(lines) > 1 else None
    return (
        after is None
        or readings(after.label)[0].form != readings(label.label)[0].form
        or (readings(after.label)[0].style != readings(label.label)[0].style)
    )


def _is_note(line: str) -> bool:
    """Return whether a line may be the title above or beside a unit; some end in a dot."""
    titled = is_title(line) or (len(line.split()) <= _SHORT and is_title(line.rstrip(".")))
    return titled and line_number(line) is None


def _is_titled(unit: UnitLine) -> bool:
    """Return whether the words after a number are a title, with or without a dot: `§ 5. Scope.`"""
    if unit.form == DASHED:
        return False
    if is_title(unit.text):
        return True
    one_dot = unit.text.count(".") == 1 and unit.text[-1:] == "." and unit.text[0].isalpha()
    return unit.form != MARKED and one_dot and len(unit.text.split()) <= _SHORT

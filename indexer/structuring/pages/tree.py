"""The lines of a page as provisions: headings, units, numbers, lists and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from indexer.structuring.acts.clause import Clause
from indexer.structuring.acts.granularity import DEFAULT_GRANULARITY, apart
from indexer.structuring.acts.provisions import FORMULAS, Act, Provision
from indexer.structuring.labels.book_codes import CODE, own_code, without_code
from indexer.structuring.labels.joined_labels import JoinedLabels
from indexer.structuring.labels.numbers import (
    Number,
    heading_number,
    heading_text,
    is_number,
    label_alone,
    line_number,
    paragraph_number,
    paragraphs_within,
)
from indexer.structuring.labels.units import UnitLine, division_line, is_title
from indexer.structuring.lines.contents import contents_lines
from indexer.structuring.pages.amendments import law_in_force
from indexer.structuring.pages.forms import (
    AMENDED,
    CLOSING,
    GLOSSARY,
    GUIDANCE,
    INLINE_TITLE,
    INNER,
    RECITAL,
    RECITALS,
)
from indexer.structuring.pages.line import CONTENTS, RANKS, Line, plain, shown_words
from indexer.structuring.pages.open_headings import OpenHeadings
from indexer.structuring.pages.within import HeadingsWithin
from indexer.structuring.units.restarts import restarted
from indexer.structuring.units.series import Numbers
from indexer.structuring.units.titles import (
    divisions_of,
    headnotes_of,
    is_titled,
    listed_divisions,
    lost_units,
    titles_of,
)
from search.text.characters import compatible

_DEEP = RANKS + 1


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
        self._headings = OpenHeadings({})
        self._rule: Provision | None = None
        self._guidance: Provision | None = None
        self._clause = Clause(self._root)
        self._integers: list[Provision] = []
        self._joined = JoinedLabels()
        self._units: Mapping[int, UnitLine] = {}
        self._headnotes: Mapping[int, str] = {}
        """Places of paragraphs → the titles on the lines before them."""
        self._place = self._source_place = 0
        """Of the line that is read: among the lines, and in the source."""
        self._restarted: frozenset[int] = frozenset()
        """Places of units whose numbers start again in each part."""
        self._unit: Provision | None = None
        """The unit that is open, of those that run through the page."""
        self._one_line: list[Provision] = []
        """Units of one line that looks like a title."""
        self._unit_text = self._unit_form = ""
        self._unit_rank = 0
        """Its rank as a heading of the page; 0 for a line of text."""
        self._untitled: Provision | None = None
        """The division on the line before, if it has no title yet."""
        self._closing: Provision | None = None
        """The closing words, while what follows are notes."""
        self._dates: dict[int, tuple[Provision, str]] = {}
        """ID of each rule beside which is a date, with both."""
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
        lines = law_in_force(lines, self._act)
        self._code = own_code(plain(line.text) for line in lines)
        texts = [self._uncoded(plain(line.text), note=False) for line in lines]
        marked = {at for at, line in enumerate(lines) if line.marked}
        numbers = Numbers(texts, marked)
        found = numbers.running()
        counted = numbers.counted().items()
        self._act.counted = {lines[at].place: count for at, count in counted if lines[at].place}
        self._units = found.units
        self._restarted = restarted((at, found.units[at].number) for at in sorted(found.units))
        divisions = divisions_of(texts, found)
        first = min(found.units, default=0)
        listed = contents_lines(
            [text or shown_words(line) for line, text in zip(lines, texts, strict=True)]
        )
        contents = found.contents | listed_divisions(texts, divisions, first) | listed
        untitled = {
            at + 1 for at, _ in divisions if (one := division_line(texts[at])) and not one[2]
        }
        titles = titles_of(texts, self._units, contents.union(found.groups, untitled))
        others = contents.union(found.groups, self._units)
        plains = {at for at, line in enumerate(lines) if at not in others and _is_plain(line)}
        self._headnotes = headnotes_of(texts, plains)
        taken = {*titles.values(), *(place - 1 for place in self._headnotes)}
        lost = lost_units(texts, self._units, taken)
        self._units = {**self._units, **lost}
        self._headings = OpenHeadings(self._units)
        titles |= {place: place for place, unit in lost.items() if not unit.text}
        within = HeadingsWithin(lines, texts, found)
        for place, line in enumerate(lines):
            self._place, self._source_place = place, line.place
            if line.menu or _heads_menu(lines, place):
                self._leave_menu(line)
            elif place in contents:
                self._act.leave_out(shown_words(line), CONTENTS)
            elif place in found.groups:
                self._open_group(found.groups[place], line.rank)
            elif place in taken:
                continue
            elif place in self._units and not self._is_heading(place, line, texts[place]):
                title = titles.get(place)
                self._open_unit(place, "" if title is None else texts[title], line)
            elif self._unit is not None and place in found.inner:
                self._inner(found.inner[place])
            elif self._unit is not None and self._is_within(place, within):
                self._line(line.text)
            else:
                self._add(line)
                if place in self._units:
                    self._headed_unit(line, texts[titles[place]] if place in titles else "")
        self._finish()

    def _finish(self) -> None:
        self._clause.write()
        bare = [unit for unit in self._one_line if not unit.parts]
        if 2 * len(bare) > len(self._units):  # sentences without a full stop
            for unit in bare:
                unit.parts, unit.heading = [unit.heading], ""
        for rule, date in reversed(self._dates.values()):
            _date(rule, date)
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

    def _headed_unit(self, line: Line, title: str) -> None:
        self._unit, self._unit_rank = self._rule, line.rank
        self._enter(self._units[self._place])
        if self._rule is not None and title:
            self._rule.heading = f"{self._rule.heading} {title}".strip()

    def _add(self, line: Line) -> None:
        untitled, self._untitled = self._untitled, None
        if untitled is not None and _titles(line):
            untitled.heading = plain(line.text)
        elif line.block is not None:
            self._clause.block(line.block)
        elif line.term is not None:
            self._term(*line.term)
        elif line.note:
            self._note(line)
        elif line.label and (found := label_alone(plain(line.text))):
            self._numbered(self._below_unit(found), line.text)
        elif line.rank or line.attachment:
            self._heading(plain(line.text), line.rank or self._headings.outermost)
        else:
            self._line(line.text)

    def _open_unit(self, place: int, title: str, line: Line) -> None:
        unit = self._units[place]
        text = unit.text
        provision = Provision("article", unit.number, title, label=unit.label, place=line.place)
        self._headings.close_before(provision, line.rank or _DEEP)
        if self._headings.attached:
            provision.level = "section"
        elif place in self._restarted:
            provision.level, provision.number = "section", f".{unit.number}"
        self._begin(provision, self._section)
        self._enter(unit)
        self._rule = self._unit = provision
        self._unit_rank = line.rank
        self._guidance, self._recital = None, 0
        if text and not title and (inline := INLINE_TITLE.match(text)):
            provision.heading, text = inline[1], text[inline.end() :]
        elif text and not title and (line.rank or is_titled(unit)):
            provision.heading, text = text.rstrip(".") if line.rank else text, ""
            self._one_line += [] if line.rank else [provision]
        if text:
            self._line(text)

    def _enter(self, unit: UnitLine) -> None:
        """Note what the unit that opens says, and its form."""
        self._unit_text, self._unit_form = unit.text, unit.form
        self._headings.enter(unit.form)

    def _leave_menu(self, line: Line) -> None:
        """Leave out links beside the text; a date among them is that of the rule before."""
        self._act.leave_out(shown_words(line), CONTENTS)
        if line.date and self._rule is not None:
            self._dates.setdefault(id(self._rule), (self._rule, line.date))

    def _open_group(self, unit: UnitLine, rank: int) -> None:
        """Open a division that is numbered like a unit."""
        division = Provision("division", unit.number, unit.text.strip("—–- "))
        self._open_division(division, rank or _DEEP * 2)

    def _open_division(self, division: Provision, rank: int) -> None:
        self._headings.close_before(division, rank)
        self._begin(division, self._inserting or self._section)
        self._headings.open(division, rank)
        self._untitled = None if division.heading else division
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
        return self._headings.innermost or self._root

    @property
    def _inserting(self) -> Provision | None:
        """The unit that is open, if it inserts a division into another act.

        It ends with a colon, and the units of the division are of another form.
        """
        if self._unit is None or self._clause.items or not self._unit_text.endswith(":"):
            return None
        after = (unit.form for at, unit in sorted(self._units.items()) if at > self._place)
        return self._unit if next(after, self._unit_form) != self._unit_form else None

    def _below_unit(self, found: Number) -> Number:
        """Return the number of a paragraph where a unit is open that integers count within."""
        if self._unit is None or found.shape != "integer":
            return found
        number = compatible(found.number)
        return replace(found, shape="item", number=f"({number})")

    def _heading(self, text: str, rank: int) -> None:
        if not text:
            return
        if GUIDANCE.fullmatch(text) and (self._rule or self._headings):
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
        words = found.text if found else heading_text(text) or text
        provision = self._titled(found) if found else Provision("section", heading=words)
        if found is not None and found.shape == "division":
            rank = min(rank, _DEEP)
        self._headings.close_before(provision, rank)
        inserting = self._inserting if provision.level == "division" else None
        self._begin(provision, inserting or self._section)
        self._headings.open(provision, rank)
        self._untitled = provision if provision.level == "division" and not words else None
        self._rule = provision if provision.level == "article" else None
        self._guidance = self._unit = None

    def _titled(self, found: Number) -> Provision:
        level = {"division": "division", "annex": "annex"}.get(found.shape, "article")
        provision = Provision(level, found.number, found.text, label=found.label)  # type: ignore[arg-type]
        if found.shape == "integer" and not self._headings.attached:
            self._integers.append(provision)
        elif found.shape == "item":
            provision.level, provision.number = "section", f".{found.number}"
        return provision

    def _open_guidance(self) -> None:
        guidance = Provision("section", ".Guidance", label="Guidance")
        self._begin(guidance, self._rule or self._section)
        self._guidance = guidance

    def _line(self, raw: str) -> None:
        text = plain(raw)
        if not text:
            return
        if GUIDANCE.fullmatch(text) and self._rule is not None:
            self._open_guidance()
            return
        if self._units and self._frames(text):
            return
        parted = self._unit is not None and not self._headings.attached
        text, *others = paragraphs_within(text, self._counted) if parted else [text]
        *labels, text = self._joined.apart(self._uncoded(text)).split("\t")
        for label in labels[:-1]:
            self._numbered(label_alone(label), label)
        text = " ".join([*labels[-1:], text])
        self._numbered(self._number_of(text), text)
        for other in others:
            self._numbered(self._number_of(other), other)

    def _frames(self, text: str) -> bool:
        """Open a division or a recital that a plain line begins; tell whether it does."""
        if division := division_line(text):
            word, number, title, depth = division
            self._open_division(Provision("division", f"{word} {number}", title), _DEEP + depth)
            return True
        numbered = any(provision.number for provision in self._headings.provisions)
        if self._rule is None and not numbered and RECITALS.fullmatch(text):
            self._recital = 1
        if self._rule is not None and CLOSING.fullmatch(text):
            self._headings.clear()
            self._begin(closing := Provision("frame", FORMULAS, parts=[text]), self._root)
            self._closing = closing
            self._rule = self._unit = None
            return True
        found = RECITAL.match(text) if self._recital else None
        if found is None or int(found[1]) != self._recital:
            return False
        rest = text[found.end() :]
        recital = Provision("recital", f"Recital {found[1]}", parts=[rest], label=f"({found[1]})")
        self._begin(recital, self._root)
        self._recital += 1
        return True

    def _number_of(self, text: str) -> Number | None:
        if self._unit is not None and not self._headings.attached:
            found = paragraph_number(text, self._counted) or line_number(text)
            below = found is not None and found.number.startswith(
                f"{self._unit.number.removeprefix('.')}."
            )
            return None if found and found.shape == "whole" and not below else found
        return line_number(text)

    def _uncoded(self, text: str, *, note: bool = True) -> str:
        """Return a text without the code of the book, and with its label before other marks."""
        bare = without_code(text, self._code)
        if bare != text and note:
            self._act.leave_out(self._code, CODE)
        return AMENDED.sub(r"\2 \1", bare)

    def _numbered(self, found: Number | None, text: str) -> None:
        if self._closing is not None:
            self._add_below_closing(self._closing, found, text)
            return
        if found is None:
            self._clause.text(text)
            return
        parts: list[str | Provision] = [found.text] if found.text else []
        if found.shape == "item":
            self._item(found)
            return
        rule = Provision("article", found.number, "", parts, found.label)
        if found.shape == "integer" and self._guidance is not None:
            rule.level, rule.number = "section", f".{found.number}"
            self._begin(rule, self._guidance)
            return
        if found.shape == "integer" and not self._headings.attached:
            self._integers.append(rule)
        self._begin(rule, self._section)
        self._rule, self._guidance = rule, None

    def _item(self, found: Number) -> None:
        """Add an item, and the one that begins within its line: `(3) (a) A`, `(a) Scope. (I) A`."""
        joint = "" if self._unit else "."
        if found.number[1:-1].isdigit():
            self._counted = int(found.number[1:-1])
        inner = INNER.match(found.text) if self._unit else None
        text = found.text[: inner.end()].strip() if inner else found.text
        parts: list[str | Provision] = [text] if text else []
        title = self._headnotes.get(self._place, "")
        item = Provision(
            "point", f"{joint}{found.number}", title, parts, found.label, self._source_place
        )
        self._clause.item(item)
        if inner and (within := line_number(found.text[inner.end() :])):
            self._numbered(within, found.text[inner.end() :])

    def _inner(self, unit: UnitLine) -> None:
        """Add a paragraph that a word or sign numbers within its unit: `§ 1º` of `Art. 2`."""
        value = "".join(map(str, unit.key))
        self._item(Number("item", f"({value})", unit.label, unit.text))

    def _add_below_closing(self, closing: Provision, found: Number | None, text: str) -> None:
        """Add a note, or a text to the last one, below the closing words."""
        if found is not None and found.number[1:-1].isdigit():
            note = Provision("footnote", f"Footnote {found.number[1:-1]}", label=found.label)
            closing.parts.append(note)
            text = found.text
        last = closing.parts[-1]
        (last.parts if isinstance(last, Provision) else closing.parts).append(text)

    def _begin(self, provision: Provision, above: Provision) -> None:
        """Put a provision below another one; it takes the lines that follow."""
        self._clause.write()
        self._clause = Clause(provision)
        self._counted = 0
        self._closing = self._untitled = None
        provision.place = provision.place or self._source_place
        above.parts.append(provision)

    def _term(self, term: str, text: str) -> None:
        """Add a term and its meaning; in a glossary each term is a passage of its own."""
        headed = any(GLOSSARY.search(p.heading) for p in self._headings.provisions)
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


def _date(rule: Provision, date: str) -> None:
    """Note from when a rule, with all that is below it, is law."""
    rule.metadata.setdefault("valid_from", date)
    for child in rule.children():
        _date(child, date)


def _titles(line: Line) -> bool:
    """Return whether a line right below a division without a title is its title."""
    text = plain(line.text)
    if line.block is not None or line.term is not None or line.note or line.attachment:
        return False
    titled = is_title(text) and (line.rank > 0 or text.isupper())
    return titled and heading_number(text) is None and division_line(text) is None


def _is_plain(line: Line) -> bool:
    return not (line.rank or line.block or line.term or line.note or line.attachment or line.menu)


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

"""Pages of rulebooks and guidelines as provisions: headings, numbers, lists and tables."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from indexer.acts.clause import Clause
from indexer.acts.eu_numbers import DIVISION_RANKS, is_label
from indexer.acts.granularity import DEFAULT_GRANULARITY, apart
from indexer.acts.provisions import Act, Provision
from indexer.numbering.book_codes import CODE, without_code
from indexer.numbering.joined_labels import JoinedLabels
from indexer.outline.line_breaks import numbered_lines
from indexer.readers.html.dom import (
    has_blocks,
    is_block,
    plain,
    visible_text,
)
from indexer.readers.html.lists import LISTS, HtmlLists
from indexer.readers.html.numbers import (
    Number,
    heading_number,
    heading_text,
    label_alone,
    line_number,
    next_integer,
    titles_attachment,
)
from indexer.readers.html.text import AROUND, AROUND_TEXT, LINE_BREAK, InlineRun, PageText
from indexer.readers.xml.parsing import local_name
from indexer.tables import table_text

if TYPE_CHECKING:
    from lxml.etree import _Element

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
PARAGRAPHS = frozenset({"center", "div", "p"})
"""Elements in which the title of a schedule may stand that is no heading of the page."""
NUMBERED = (*HEADINGS, "p", "li", "td", "div")
"""Elements that may begin with a number."""
_GUIDANCE = re.compile(r"guidance(?:\s+notes?)?:?", re.IGNORECASE)
_GLOSSARY = re.compile(r"glossary|definitions?|interpretation|defined terms", re.IGNORECASE)
_DEEP = len(HEADINGS) + 1


class HtmlTree:
    """Fills an act with what a page holds."""

    def __init__(self, act: Act, code: str = "") -> None:
        """Begin with nothing.

        Args:
            act: to be filled.
            code: of the book, before its numbers.
        """
        self._act = act
        self._code = code
        self._text = PageText(act)
        self._lists = HtmlLists(self._text)
        self._root = Provision("frame", act.title or "Preamble")
        self._headings: list[tuple[int, Provision]] = []
        self._rule: Provision | None = None
        self._guidance: Provision | None = None
        self._clause = Clause(self._root)
        self._integers: list[Provision] = []
        self._awaited = 0
        """The next number without a mark in a schedule; 0 where such numbers say nothing."""
        self._joined = JoinedLabels()

    def build(self, body: _Element) -> None:
        """Put the provisions of the page into the act."""
        main = [e for e in body.iter("main", "article") if len(visible_text(e)) > 0]
        chosen = main[0] if len(main) == 1 else None
        self._fill(body, chosen)
        self._clause.write()
        self._number_integers()
        opening = self._opening()
        if opening.parts:
            self._act.provisions.append(opening)
        inside = set(map(id, opening.parts))
        self._act.provisions += [one for one in self._root.children() if id(one) not in inside]

    def _opening(self) -> Provision:
        """Return what stands before the first number: texts, and the lists that complete them."""
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

    def _fill(self, element: _Element, main: _Element | None) -> None:
        """Add what a block holds: runs of inline text as paragraphs, blocks by their name."""
        run = InlineRun(element.text)
        for child in element:
            if is_block(child) or has_blocks(child) or local_name(child) in AROUND:
                self._paragraph(run.text)
                self._block(child, main)
                run = InlineRun(child.tail)
            else:
                run.add(self._text.inline(child), child.tail)
        self._paragraph(run.text)

    def _block(self, element: _Element, main: _Element | None) -> None:
        """Add one block, or leave it out where it stands around the text."""
        name = local_name(element)
        if main is not None and element is not main:
            if main in element.iterdescendants():
                self._fill(element, main)
                return
            if main not in element.iterancestors():
                self._act.leave_out(visible_text(element), AROUND_TEXT)
                return
        if self._text.left_out(element):
            return
        if name in HEADINGS:
            self._heading(plain(self._text.inline(element)), HEADINGS.index(name) + 1)
        elif name in LISTS:
            marked = Provision("frame")
            self._lists.add(element, marked)
            for item in marked.parts:
                self._clause.block(item)
        elif name == "dl":
            self._terms(element)
        elif name == "table":
            self._table(element)
        elif name == "pre":
            for line in "".join(element.itertext()).splitlines():
                self._line(line)
        else:
            self._other(element, main)

    def _other(self, element: _Element, main: _Element | None) -> None:
        """Add what a block holds, or open the schedule that it is the title of."""
        if local_name(element) in PARAGRAPHS and _titles_attachment(element):
            self._heading(plain(self._text.inline(element)), self._outermost)
        else:
            self._fill(element, main)

    def _heading(self, text: str, rank: int) -> None:
        """Open what a heading is the title of."""
        if not text:
            return
        if _GUIDANCE.fullmatch(text) and (self._rule or self._headings):
            self._open_guidance()
            return
        found = heading_number(self._uncoded(text))
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
        self._rule = self._guidance = None
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

    @staticmethod
    def _holds(above: tuple[int, Provision], rank: int, provision: Provision) -> bool:
        """Tell whether a heading stands below an earlier one."""
        both = [p.number.partition(" ")[0].lower() for p in (above[1], provision)]
        if above[1].level == provision.level == "division" and above[0] == rank:
            return DIVISION_RANKS.get(both[0], 9) < DIVISION_RANKS.get(both[1], 9)
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

    def _paragraph(self, raw: str) -> None:
        """Add one paragraph, or several numbers that line breaks alone part."""
        for line in numbered_lines(raw.split(LINE_BREAK)):
            self._line(line)

    def _line(self, raw: str) -> None:
        """Add one line: a rule, an item, or text of what is open."""
        text = plain(raw)
        if not text:
            return
        if _GUIDANCE.fullmatch(text) and self._rule is not None:
            self._open_guidance()
            return
        *labels, text = self._joined.apart(self._uncoded(text)).split("\t")
        for label in labels[:-1]:
            self._numbered(label_alone(label), label)
        text = " ".join([*labels[-1:], text])
        self._numbered(self._number_of(text), text)

    def _number_of(self, text: str) -> Number | None:
        """Return the number that a line begins with.

        One without a mark counts in a schedule that begins with such: `1 Until 2027 the ratio`.
        """
        found = line_number(text)
        if found is None and self._awaited:
            found = next_integer(text, self._awaited)
            self._awaited += found is not None
        elif found is not None and found.shape == "integer":
            self._awaited = 0
        return found

    def _uncoded(self, text: str) -> str:
        bare = without_code(text, self._code)
        if bare != text:
            self._act.leave_out(self._code, CODE)
        return bare

    def _numbered(self, found: Number | None, text: str) -> None:
        if found is None:
            self._clause.text(text)
            return
        parts: list[str | Provision] = [found.text] if found.text else []
        if found.shape == "item":
            self._clause.item(Provision("point", f".{found.number}", "", parts, found.label))
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
        above.parts.append(provision)

    def _terms(self, element: _Element) -> None:
        """Add a list of terms; in a glossary each term is a passage of its own."""
        headed = any(_GLOSSARY.search(p.heading) for _, p in self._headings)
        glossary = headed and not self._clause.has_items
        if glossary:
            self._clause.write()
        term = ""
        for entry in element.iter("dt", "dd"):
            text = plain(self._text.inline(entry))
            if local_name(entry) == "dt":
                term = f"{term} {text}".strip()
            elif glossary and term:
                number = f".{self._section.heading}.{term}".replace(". ", " ")
                self._section.parts.append(Provision("section", number, parts=[f"{term} {text}"]))
                term = ""
            else:
                self._clause.block(f"{term}: {text}" if term else text)
                term = ""
        if term:
            self._clause.block(term)

    def _table(self, element: _Element) -> None:
        rows = [
            [cell for cell in row if local_name(cell) in {"td", "th"}] for row in element.iter("tr")
        ]
        rows = [row for row in rows if row]
        numbered = rows and all(len(row) == 2 and _is_number(visible_text(row[0])) for row in rows)
        if numbered:
            for label, content in rows:
                self._numbered_row(visible_text(label), content)
        elif len(rows) == 1 and len(rows[0]) == 1:
            self._fill(rows[0][0], None)
        elif text := table_text(self._text.rows(element)):
            self._clause.block(text)

    def _numbered_row(self, label: str, content: _Element) -> None:
        """Add a row that is a number and its text."""
        if found := label_alone(label):
            self._numbered(found, label)
        self._fill(content, None)

    def _number_integers(self) -> None:
        """Join integers that begin anew in each section to the section's number."""
        counts = Counter(provision.number for provision in self._integers)
        if any(count > 1 for count in counts.values()):
            for provision in self._integers:
                provision.level = "section"
                provision.number = f".{provision.number}"


def _titles_attachment(element: _Element) -> bool:
    """Tell whether a paragraph is the title of a schedule, and no link to one."""
    if has_blocks(element) or not titles_attachment(text := visible_text(element)):
        return False
    return all(visible_text(link) != text for link in element.iter("a") if link.get("href"))


def _is_number(text: str) -> bool:
    return is_label(text) or (line_number(f"{text} X") is not None and " " not in text)

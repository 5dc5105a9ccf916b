"""Acts as EUR-Lex shows them in HTML: consolidated texts, the Official Journal old and new."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.readers.dom import INVISIBLE, classes, has_blocks, is_block, rows_of, visible_text
from indexer.readers.eurlex.text import (
    ABOUT,
    ACT_TITLES,
    ANNEX_TITLES,
    ARTICLE_TITLES,
    DIVISION_TITLES,
    HEADINGS,
    MARKS,
    NOTES,
    EurLexText,
    footnotes,
    section_depth,
)
from indexer.readers.xml.parsing import local_name, text_of
from indexer.readers.xml.tree import Walker
from indexer.structuring.acts.building import footnote, item, level_of_item, recital
from indexer.structuring.acts.eu_titles import (
    celex_number,
    celex_of_title,
    eu_act,
    iso_date,
    official_title,
)
from indexer.structuring.acts.open_lists import ListLabels
from indexer.structuring.acts.provisions import (
    FORMULAS,
    PREAMBLE,
    Act,
    Provision,
    flat_lines,
    receiver,
)
from indexer.structuring.labels.eu_numbers import (
    INNERMOST,
    annex_number,
    article_number,
    division_number,
    is_label,
    item_number,
    section_number,
)
from indexer.structuring.pages.line import plain
from indexer.tables import cell_of, grid, table_text

if TYPE_CHECKING:
    from lxml.etree import _Element

_ANNEX, _DIVISION, _SECTION, _ARTICLE, _PARAGRAPH = 1, 1, 20, 40, 50
"""Ranks of what titles and numbers open, see `Provision.rank`; the first is the outermost. That of
a division or section counts on from its own."""
_TITLES = ARTICLE_TITLES | DIVISION_TITLES | ANNEX_TITLES | HEADINGS
_FORMULAS = re.compile(
    r"This (?:Regulation|Directive|Decision) (?:shall be binding in its|is addressed to)"
)
_QUOTED = ("‘", "“", '"', "'", "«")
_MOST_CELLS = 3
"""Cells of a row that is one line, such as `NLO`, `=` and what it stands for."""
_EMPTY_MARK = re.compile(r"^\(\s*\)\s*")


class EurLexTree(Walker):
    """Fills an act with the provisions of a page: what a title opens holds all that follows it."""

    def __init__(self, act: Act, root: _Element) -> None:
        self._act = act
        self._text = EurLexText(act, notes := footnotes(root))
        self._notes = list(dict.fromkeys(notes.values()))
        self._linked: set[_Element] = set()
        self._preamble = Provision("frame", PREAMBLE, rank=_ARTICLE)
        self._whole = Provision("frame", parts=[self._preamble])
        self._annex = False
        self._labels: dict[int, tuple[Provision, ListLabels]] = {}

    def build(self, root: _Element) -> None:
        """Put the provisions of the page into the act."""
        self.fill(root, self._whole)
        self._footnotes(self._notes, self._whole)
        if not self._preamble.parts:
            self._whole.parts.remove(self._preamble)
        self._act.take(self._whole)

    @property
    def _titled(self) -> Provision:
        return receiver(self._whole, _PARAGRAPH)

    def _open(self, provision: Provision, rank: int) -> None:
        """Add what a title opens below the nearest provision that is above its rank."""
        above = receiver(self._whole, rank)
        provision.rank = _ARTICLE if provision.level == "frame" else rank
        (self._whole if above.level == "frame" else above).parts.append(provision)

    def _open_titled(self, found: frozenset[str], text: str, place: int) -> None:
        """Open what a title with certain classes is the title of.

        A second line without a number belongs to the title just before it.
        """
        if not ARTICLE_TITLES.isdisjoint(found):
            number, heading = article_number(text) or (text or "Article", "")
            article = Provision("article", number, heading, place=place)
            self._open(article, _SECTION if self._annex else _ARTICLE)
        elif not DIVISION_TITLES.isdisjoint(found):
            number, rank, heading = division_number(text) or ("", INNERMOST, text)
            self._open(Provision("division", number, heading, place=place), _DIVISION + rank)
        elif self._goes_on(found, text):
            self._add_heading(text)
        elif not ANNEX_TITLES.isdisjoint(found):
            self._annex = True
            number, heading = annex_number(text) or ("Annex", text)
            self._open(Provision("annex", number, heading, place=place), _ANNEX)
        elif depth := section_depth(found):
            number, label, heading = section_number(text)
            section = Provision("section", number, heading, label=label, place=place)
            self._open(section, _SECTION + depth)
        else:
            self._add_heading(text)

    def _open_formulas(self) -> None:
        if self._titled.level != "frame" or self._in_preamble:
            self._open(Provision("frame", FORMULAS), _ANNEX)

    @property
    def _in_preamble(self) -> bool:
        return self._titled is self._preamble

    def _add_heading(self, text: str) -> None:
        self._titled.heading = f"{self._titled.heading} {text}".strip()

    def _goes_on(self, found: frozenset[str], text: str) -> bool:
        last = self._titled
        if any(isinstance(part, str) or part.level != "footnote" for part in last.parts):
            return False
        if not ANNEX_TITLES.isdisjoint(found):
            return last.level == "annex" and annex_number(text) is None
        untitled = last.level == "section" and not last.heading
        return bool(section_depth(found)) and not section_number(text)[0] and untitled

    def is_inline(self, element: _Element) -> bool:
        """Return whether an element neither is nor holds a block."""
        return not (is_block(element) or has_blocks(element))

    def inline(self, element: _Element, notes: list[_Element]) -> str:
        """Return the text of an inline element; `notes` receives what it links to."""
        return self._text.raw(element, notes)

    def block(self, element: _Element, target: Provision) -> None:
        """Add one block, or note why it is not text of the act."""
        found = classes(element)
        if local_name(element) in INVISIBLE:
            self._act.leave_out(" ".join(element.itertext()), "not part of the page's text")
        elif reason := self._reason(element, found):
            self._act.leave_out(visible_text(element), reason)
        elif not NOTES.isdisjoint(found) and element in self._notes:
            return  # added where the text links to it
        elif target is self._whole and _is_title(found):
            linked: list[_Element] = []
            text = self._text.clean(self._text.inside(element, linked))
            self._open_titled(found, text, element.sourceline or 0)
            self._footnotes(linked, self._whole)
        else:
            if target is self._whole and element.get("id", "").startswith("fnp_"):
                self._open_formulas()
            self._content(element, found, target)

    def _reason(self, element: _Element, found: frozenset[str]) -> str:
        if not MARKS.isdisjoint(found):
            return "a mark of an amendment"
        if not ABOUT.isdisjoint(found):
            return "data about the file"
        if not self._in_preamble:
            return ""
        if local_name(element) == "table":  # lists the act and the acts that amend it
            about = ABOUT | MARKS | ACT_TITLES
            masthead = any(not about.isdisjoint(classes(p)) for p in element.iter("p"))
            return "data about the file" if masthead else ""
        if ACT_TITLES.isdisjoint(found) or _names_annex(element, found):
            return ""
        return "the title of the act"

    def _content(self, element: _Element, found: frozenset[str], scope: Provision) -> None:
        if "grid-list" in found:
            self._grid_item(element, scope)
        elif local_name(element) == "table":
            self._table(element, scope)
        elif (label := _paragraph_label(element)) is not None:
            self._numbered_paragraph(element, label, scope)
        else:
            self.fill(element, scope)

    def _grid_item(self, element: _Element, scope: Provision) -> None:
        cells = [child for child in element if is_block(child)]
        label = visible_text(cells[0]) if cells else ""
        self._item(self._text.clean(label), cells[1:], scope, element.sourceline or 0)

    def _item(self, label: str, cells: list[_Element], scope: Provision, place: int) -> None:
        """Add a list item whose content is in cells of its own."""
        home = receiver(scope)
        if label.startswith(_QUOTED):
            quoted = Provision("point", label=label)
            for cell in cells:
                self.fill(cell, quoted)
            home.parts += flat_lines(quoted)
            return
        if home is self._preamble and label[:1] == "(":
            one = recital(label, place)
        else:
            one = item(level_of_item(label, home), label, place, in_annex=self._annex)
        home.parts.append(one)
        for cell in cells:
            self.fill(cell, one)

    def _numbered_paragraph(self, element: _Element, label: _Element, scope: Provision) -> None:
        text = self._text.clean("".join(label.itertext()))
        label.clear(keep_tail=True)
        one = Provision("paragraph", label=text, place=element.sourceline or 0)
        above = receiver(scope, _PARAGRAPH)
        if text.startswith(_QUOTED) or above.level in {"point", "paragraph", "recital"}:
            self.fill(element, one)
            receiver(scope).parts += flat_lines(one)
            return
        one.number, one.rank = item_number(text, self._annex), _PARAGRAPH
        above.parts.append(one)
        self.fill(element, one)

    def paragraph(self, text: str, notes: list[_Element], target: Provision) -> None:
        """Add a run of text; a label and a wide gap before it make it a numbered one."""
        label, text = self._text.labelled(text)
        if label and receiver(target, _PARAGRAPH).level != "recital":
            self._flat_item(label, text, target)
        elif text:
            body = target is self._whole and not self._annex
            if body and not self._in_preamble and _FORMULAS.match(text):
                self._open_formulas()
            receiver(target).parts.append(text if not label else f"{label} {text}")
        self._footnotes(notes, target)

    def _flat_item(self, label: str, text: str, scope: Provision) -> None:
        """Add a numbered line; the labels before it give its depth."""
        plain_number = label.rstrip(".").replace(".", "").rstrip(")").isalnum()
        above, home = receiver(scope, _PARAGRAPH), receiver(scope)
        paragraph = plain_number and "(" not in label and above.level != "point"
        one = item("paragraph" if paragraph else "point", label, 0, in_annex=self._annex)
        one.parts += [text] if text else []
        if not paragraph:
            _, labels = self._labels.setdefault(id(home), (home, ListLabels()))
            labels.place(one, home).parts.append(one)
            return
        one.rank = _PARAGRAPH
        above.parts.append(one)

    def _table(self, element: _Element, scope: Provision) -> None:
        rows = rows_of(element)
        if _is_list(rows):
            for label, *cells in rows:
                text = self._text.clean(visible_text(label))
                self._item(text, cells, scope, element.sourceline or 0)
            return
        linked: list[_Element] = []
        texts = grid([cell_of(cell, self._cell(cell, linked)) for cell in row] for row in rows)
        text = plain(" ".join(texts[0])) if _is_line(texts) else table_text(texts)
        if text:
            receiver(scope).parts.append(text)
        self._footnotes(linked, scope)

    def _cell(self, cell: _Element, linked: list[_Element]) -> str:
        for block in cell.iter():
            if is_block(block) and block is not cell:
                block.tail = " " + (block.tail or "")
        return self._text.clean(self._text.inside(cell, linked))

    def _footnotes(self, elements: list[_Element], parent: Provision) -> None:
        """Add footnotes where each is first linked to."""
        for element in elements:
            if element in self._linked:
                continue
            self._linked.add(element)
            note = footnote(len(self._linked), element.sourceline or 0)
            for link in list(element.iter("a"))[:1]:
                note.label = plain("".join(link.itertext()))
                self._act.leave_out(note.label, "the mark of a footnote")
                link.clear(keep_tail=True)
            text = self._text.clean(self._text.inside(element, []))
            note.parts = [_EMPTY_MARK.sub("", text)]
            receiver(parent).parts.append(note)


def _is_title(found: frozenset[str]) -> bool:
    return bool(section_depth(found)) or not _TITLES.isdisjoint(found)


def _names_annex(element: _Element, found: frozenset[str]) -> bool:
    """Return whether a title above the first article is that of an annex published alone."""
    return "doc-ti" in found and annex_number(visible_text(element)) is not None


def _paragraph_label(element: _Element) -> _Element | None:
    """Return the element that holds the number of a paragraph, if a block begins with one."""
    first = element[0] if len(element) else None
    if first is None or (element.text or "").strip() or "no-parag" not in classes(first):
        return None
    return first


def _is_list(rows: list[list[_Element]]) -> bool:
    return bool(rows) and all(len(row) == 2 and is_label(visible_text(row[0])) for row in rows)


def _is_line(texts: list[list[str]]) -> bool:
    """Return whether a table only sets one line of text."""
    if len(texts) != 1 or len(texts[0]) > _MOST_CELLS:
        return False
    return len(texts[0]) == 1 or "=" in texts[0]


def is_eurlex(root: _Element) -> bool:
    """Return whether a page has the marks of EUR-Lex: its classes of titles, or ELI containers."""
    return any(
        not (ARTICLE_TITLES | DIVISION_TITLES | {"eli-container"}).isdisjoint(classes(element))
        for element in root.iter("p", "div")
    )


def read_eurlex(root: _Element, path: Path) -> Act:
    """Return the act of a page that `is_eurlex`; an act without provisions holds no text."""
    official = official_title(_printed_title(root))
    reference = _reference(root)
    celex, version = celex_number(reference) or celex_number(path.stem.upper()) or ("", "")
    celex = celex or celex_of_title(official)
    if celex.startswith("0"):
        celex = f"3{celex[1:]}"
        version = version or iso_date(reference)
    act = eu_act(path, official, celex, version, _language(root, reference))
    body = root.find("body")
    head = root.find("head")
    if head is not None:
        act.leave_out(" ".join(head.itertext()), "not part of the page's text")
    EurLexTree(act, root).build(root if body is None else body)
    return act


def _printed_title(root: _Element) -> str:
    """Return the words of the first run of title lines, with the article's "of" in small type."""
    for wanted in ("title-doc-first", "doc-ti"):
        lines: list[str] = []
        for element in root.iter("p"):
            if wanted in classes(element):
                line = visible_text(element)
                if line in lines:
                    break
                lines.append(line)
            elif lines:
                break
        if lines:
            return " ".join(line for line in lines if "EEA relevance" not in line)
    return ""


def _reference(root: _Element) -> str:
    for element in root.iter("p"):
        if "reference" in classes(element):
            return visible_text(element)
    return text_of(next(root.iter("title"), None))


def _language(root: _Element, reference: str) -> str:
    parts = [part.strip() for part in reference.split("—")]
    if len(parts) > 1 and len(parts[1]) == 2:
        return parts[1].lower()
    return (root.get("lang") or "")[:2].lower()

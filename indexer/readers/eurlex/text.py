"""The classes of EUR-Lex pages, and their running text: without marks, its footnotes taken out.

Consolidated texts have classes such as `title-article-norm`; the Official Journal has `oj-ti-art`,
and `ti-art` in its older pages (the prefix `oj-` is gone by the time classes are looked at here).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from indexer.readers.dom import INVISIBLE, classes, collapsed
from indexer.readers.formex import raised
from indexer.readers.xml.parsing import local_name
from indexer.structuring.acts.provisions import Act
from indexer.structuring.pages.line import plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.etree import _Element

_NOTE_MARK = "\ue000"
_NOTE = re.compile(rf"\s*\(\s*{_NOTE_MARK}\s*\)|\s*{_NOTE_MARK}")
_AMENDMENT = re.compile(r"[►▼]\s?[ABCM]\d{0,3}\b|◄|[—–-]{5,}")
_STRAY_BLANK = re.compile(r"(?<=\d) (?=[;,.](?:\s|$))")
_LABELLED = re.compile(
    r"\s*(\(\s?-?[0-9A-Za-z]{1,6}\s?\)|-?\d{1,3}[a-z]{0,3}[.)]|\d{1,3}(?:\.\d{1,3}){1,5}\.?|"
    r"[a-zA-Z][.)]|[ivxlc]{1,6}[.)]|[—–•])\s*\u00a0\s*(?=\S)"
)


def footnotes(root: _Element) -> dict[str, _Element]:
    """Return the paragraphs of footnotes by the `id`s that texts link to."""
    found: dict[str, _Element] = {}
    for paragraph in root.iter("p", "div"):
        if not NOTES.isdisjoint(classes(paragraph)):
            for link in paragraph.iter("a"):
                if link.get("id"):
                    found.setdefault(link.get("id", ""), paragraph)
            if paragraph.get("id"):
                found.setdefault(paragraph.get("id", ""), paragraph)
    return found


class EurLexText:
    """Takes texts out of a page; amendment marks go to the act's list of what was left out."""

    def __init__(self, act: Act, notes: Mapping[str, _Element]) -> None:
        self._act = act
        self._notes = notes

    def raw(self, element: _Element, linked: list[_Element]) -> str:
        """Return the text of an inline element; no-break blanks in it are kept.

        `linked` receives the footnotes that the text links to.
        """
        name = local_name(element)
        if name == "img":
            self._act.leave_out(f"figure {element.get('alt', '')}", "a figure")
        if not name or name in INVISIBLE or name == "img":
            return ""
        if name == "br":
            return "\n"
        target = element.get("href", "") if name == "a" else ""
        if target.startswith("#") and target[1:] in self._notes:
            linked.append(self._notes[target[1:]])
            self._act.leave_out("".join(element.itertext()), "the mark of a footnote")
            return _NOTE_MARK
        if "word-spacing" in (element.get("style") or ""):
            return "\u00a0"
        text = self.inside(element, linked)
        if name == "sup" or "superscript" in classes(element) or "super" in classes(element):
            return text if _NOTE_MARK in text else raised(text)
        return text

    def inside(self, element: _Element, linked: list[_Element]) -> str:
        """Return the text inside an element, all of it taken as inline."""
        pieces = [element.text or ""]
        for child in element:
            pieces += [self.raw(child, linked), child.tail or ""]
        return "".join(pieces)

    def clean(self, text: str) -> str:
        """Return a text with single blanks, without amendment marks and links to footnotes."""
        text = _NOTE.sub("", text)
        for mark in _AMENDMENT.findall(text):
            self._act.leave_out(mark, "a mark of an amendment")
        return _STRAY_BLANK.sub("", plain(_AMENDMENT.sub(" ", text)))

    def labelled(self, text: str) -> tuple[str, str]:
        """Part a raw text into the label before a wide gap and the clean rest; maybe no label."""
        text = collapsed(text)
        found = _LABELLED.match(text)
        if not found:
            return "", self.clean(text)
        return plain(found.group(1)), self.clean(text[found.end() :])


ARTICLE_TITLES = frozenset({"title-article-norm", "ti-art", "title-article", "titrearticle"})
DIVISION_TITLES = frozenset({"title-division-1", "ti-section-1"})
ANNEX_TITLES = frozenset({"title-annex-1", "doc-ti"})
HEADINGS = frozenset({
    "stitle-article-norm", "sti-art", "stitle-article", "title-division-2", "ti-section-2",
    "title-annex-2",
})  # fmt: skip
"""Second lines of titles: what the first line opened is called so."""

ACT_TITLES = frozenset({"doc-ti", "title-doc-first", "title-doc-last"})
MARKS = frozenset({"arrow", "modref"})
"""Marks of amendments."""

ABOUT = frozenset({
    "disclaimer", "hd-date", "hd-lg", "hd-modifiers", "hd-oj", "hd-ti", "hd-toc-1", "hd-toc-2",
    "hd-toc-3", "reference", "title-doc-oj-reference", "title-fam-member", "title-fam-member-star",
    "toc-1", "toc-2",
})  # fmt: skip
"""What a page says about the act: references, acts that amend it, journal numbers."""

NOTES = frozenset({"footnote", "note"})
"""Paragraphs that hold footnotes."""

_SECTION = re.compile(r"(?:title-gr-seq-level-|ti-grseq-)(\d)")


def section_depth(found: Iterable[str]) -> int:
    """Return the level of a headed section of an annex, 1 for the outermost; 0 for no section."""
    depths = (int(match.group(1)) for name in found if (match := _SECTION.fullmatch(name)))
    return max(depths, default=0)

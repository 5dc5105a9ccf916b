"""The classes by which pages of EUR-Lex say what a block is.

Consolidated texts have names such as `title-article-norm`; the Official Journal has `oj-ti-art`,
and `ti-art` in its older pages (the prefix `oj-` is gone by the time classes are looked at here).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

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

"""A comparison of two versions as one HTML file."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from rirag.reports.page import page

if TYPE_CHECKING:
    from search.versions.compare import Change, Comparison
    from search.versions.difference import Difference

_TAGS = {"insert": "ins", "delete": "del"}


def comparison_page(found: Comparison, title: str) -> str:
    """Return the page: a section for each rule that changed, with its words marked."""
    heading = f"{title}: {found.from_version} → {found.to_version}"
    return page(heading, heading, map(_section, found.changes), (found.summary(), *found.problems))


def _section(change: Change) -> str:
    if change.diff and change.words_changed:
        text = difference_html(change.diff)
    else:
        text = escape(change.after or change.before or "")
    paragraphs = "".join(f"<p>{one}</p>" for one in text.split("\n"))
    return f"<section><h2>{escape(change.headline())}</h2>{paragraphs}</section>"


def difference_html(difference: Difference) -> str:
    """Return a difference as HTML in which each line is well-formed."""
    pieces = []
    for kind, text in difference:
        tag = _TAGS.get(kind)
        lines = (
            f"<{tag}>{escape(line)}</{tag}>" if tag and line else escape(line)
            for line in text.split("\n")
        )
        pieces.append("\n".join(lines))
    return "".join(pieces)

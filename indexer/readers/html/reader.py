"""HTML: pages of rulebooks and guidelines, and acts as EUR-Lex shows them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.control import control_fields
from indexer.problems import Problems
from indexer.readers.dom import has_blocks, read_html, visible_text
from indexer.readers.eurlex.reader import is_eurlex, read_eurlex
from indexer.readers.files import unusable
from indexer.readers.html.page import PageParts
from indexer.readers.html.text import PageText
from indexer.readers.html.walk import PageWalk
from indexer.readers.labels import control_fault
from indexer.readers.protocol import WholeDocument
from indexer.readers.xml.parsing import local_name, root_name
from indexer.structuring.acts.eu_titles import celex_number, short_title
from indexer.structuring.acts.provisions import Act
from indexer.structuring.acts.reader import ActReader
from indexer.structuring.labels.book_codes import titled
from indexer.structuring.outline import FEWEST_WORDS
from indexer.structuring.pages.line import Line, control_text, plain
from indexer.structuring.pages.title import names_act, title_line
from indexer.structuring.pages.tree import PageTree
from indexer.titles import first_title, is_title
from search.errors import InputError
from search.records import MetadataValue

if TYPE_CHECKING:
    from lxml.etree import _Element

_ACT_NUMBER = re.compile(r"\b\d{1,4}/\d{1,4}\b")
"""In `Directive 2002/58/EC` and `Regulation (EC) No 1907/2006`."""
NEAR = 12
"""Elements behind a heading in which the name of the act is looked for."""


class HtmlReader(ActReader, WholeDocument):
    """Reads `.html` and `.xhtml` files of one document each."""

    name = "html"
    suffixes = frozenset({".htm", ".html", ".xhtml"})

    def sniff(self, beginning: str) -> bool:
        """Return whether the first element is that of a page."""
        return root_name(beginning).lower() == "html"

    def read_act(self, path: Path, problems: Problems) -> Act:  # noqa: ARG002 - for other formats
        """Return the tree of the page and what was left out.

        Raises:
            InputError: the file cannot be used.
        """
        root = read_html(path)
        act = read_eurlex(root, path) if is_eurlex(root) else _read_page(root, path)
        if fault := control_fault("the name of the file", act.document_id):
            raise unusable(f"{fault}; rename it", path)
        if not _has_text(act):
            problem = "the page has no heading and no numbered line, and no sentence"
            raise InputError(f"{problem}; give a page with the text", path, code="source.empty")
        return act


def _has_text(act: Act) -> bool:
    """Return whether a page has a heading or a numbered line, or is prose."""
    frames = [one for one in act.provisions if one.level == "frame" and not any(one.children())]
    lines = (part for one in frames for part in one.parts if isinstance(part, str))
    prose = any(len(line.split()) >= FEWEST_WORDS for line in lines)
    return len(frames) < len(act.provisions) or prose


def _read_page(root: _Element, path: Path) -> Act:
    head, body = root.find("head"), root.find("body")
    page = root if body is None else body
    parts = PageParts(root, page)
    act = Act(path.stem)
    language = (root.get("lang") or "")[:2].lower()
    if language:
        metadata: dict[str, MetadataValue] = {"language": language}
        act.metadata = metadata
    if head is not None:
        act.leave_out(" ".join(head.itertext()), "not part of the page's text")
    lines = list(PageWalk(act, parts, PageText(act, parts, page)).lines(page))
    act.title = page_title(root, lines, parts.main)
    act.metadata = {**act.metadata, **control_fields(map(control_text, lines))}
    tree = PageTree(act)
    tree.build(lines)
    act.title = titled(act.title, tree.code)
    return act


def page_title(root: _Element, lines: Sequence[Line], main: _Element | None = None) -> str:
    """Return the title of a page; empty where it has none.

    Args:
        root: the page.
        lines: of its text; one that names an act comes before a `title` that does not.
        main: its main part. Around a form with the text, an `h1` that `title` does not have names
            the site.

    It is the first and only `h1`, unless that is a link. The number of an EU act is not a title:
    the name behind it is, else `title`. Of several `h1`, the one that `title` begins with is
    enough: `Data Act | ontario.ca`.
    """
    headings = [(one, text) for one in root.iter("h1") if (text := _own_text(one))]
    headings = [(h, t) for h, t in headings if not _is_link(h) and (is_title(t) or _is_number(t))]
    titles = (plain("".join(one.itertext())) for one in root.iter("title"))
    whole = first_title(islice(titles, 1))
    if whole and main is not None and local_name(main) == "form":
        within = set(main.iter("h1"))
        headings = [(one, text) for one, text in headings if one in within or text in whole]
    if len(headings) == 1:
        heading, text = headings[0]
        return (_named(heading) or whole or text) if _is_number(text) else text
    called = next((text for _, text in headings if text in whole[: len(text)]), whole)
    if not names_act(called) and (line := title_line(lines, len(lines))) and names_act(line.text):
        return line.text
    return called


def _named(heading: _Element) -> str:
    """Return the name of an EU act that comes right after its number."""
    for one in islice(heading.itersiblings(), NEAR):
        name = short_title(visible_text(one))
        if celex_number(name) is None and _ACT_NUMBER.search(name):
            return name
    return ""


def _is_number(text: str) -> bool:
    found = celex_number(text)
    return found is not None and text.strip().startswith(found[0])


def _is_link(heading: _Element) -> bool:
    """Return whether all of a heading is a link, as the name of a site is above its pages."""
    linked = "".join("".join(one.itertext()) for one in heading.iter("a") if one.get("href"))
    return bool(linked.strip()) and plain(linked) == plain("".join(heading.itertext()))


def _own_text(heading: _Element) -> str:
    if not has_blocks(heading) or not (heading.text or "").strip():
        return visible_text(heading)
    return plain(heading.text or "")

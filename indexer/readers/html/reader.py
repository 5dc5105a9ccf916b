"""HTML: pages of rulebooks and guidelines, and acts as EUR-Lex shows them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from indexer.acts.provisions import Act
from indexer.acts.reader import ActReader
from indexer.control import control_fields
from indexer.outline import FEWEST_WORDS
from indexer.pages.line import control_text
from indexer.pages.tree import PageTree
from indexer.problems import Problems
from indexer.readers.dom import read_html
from indexer.readers.eurlex.reader import is_eurlex, read_eurlex
from indexer.readers.html.page import PageParts
from indexer.readers.html.text import PageText
from indexer.readers.html.title import page_title
from indexer.readers.html.walk import PageWalk
from indexer.readers.labels import control_fault
from indexer.readers.xml.beginning import root_name
from indexer.structuring.book_codes import titled
from search.errors import InputError
from search.records import MetadataValue

if TYPE_CHECKING:
    from lxml.etree import _Element


class HtmlReader(ActReader):
    """Reads `.html` and `.xhtml` files of one document each."""

    name = "html"
    suffixes = frozenset({".htm", ".html", ".xhtml"})

    def sniff(self, beginning: str) -> bool:
        """Return whether the first element is that of a page."""
        return root_name(beginning).lower() == "html"

    def foreign(self, beginning: str) -> str:  # noqa: ARG002 - the protocol's argument
        """Return no reason: whether a page is a regulation shows when it is read."""
        return ""

    def read_act(self, path: Path, problems: Problems) -> Act | None:
        """Return the tree of the page and what was left out, or None after noting why not."""
        root = read_html(path, problems)
        if root is None:
            return None
        act = read_eurlex(root, path) if is_eurlex(root) else _read_page(root, path)
        if fault := control_fault("the name of the file", act.document_id):
            problems.add(InputError(f"{fault}; rename it", path, code="source.invalid"))
            return None
        if not _has_text(act):
            problems.add(
                InputError(
                    "the page has no heading and no numbered line, and no sentence; give a page "
                    "with the text",
                    path,
                    code="source.empty",
                )
            )
            return None
        return act


def _has_text(act: Act) -> bool:
    """Return whether a page has a heading or a numbered line, or is prose."""
    frames = [one for one in act.provisions if one.level == "frame" and not any(one.children())]
    lines = (part for one in frames for part in one.parts if isinstance(part, str))
    prose = any(len(line.split()) >= FEWEST_WORDS for line in lines)
    return len(frames) < len(act.provisions) or prose


def _read_page(root: _Element, path: Path) -> Act:
    """Return the act of a page of any other publisher."""
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

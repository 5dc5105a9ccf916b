"""The title of a page: what names its document, and not the site that shows it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from indexer.acts.eu_titles import celex_number, short_title
from indexer.pages.line import Line, plain
from indexer.readers.dom import has_blocks, visible_text
from indexer.readers.text.title import names_act, title_line
from indexer.readers.xml.parsing import local_name
from indexer.titles import first_title, is_title

if TYPE_CHECKING:
    from lxml.etree import _Element

_ACT_NUMBER = re.compile(r"\b\d{1,4}/\d{1,4}\b")
"""In `Directive 2002/58/EC` and `Regulation (EC) No 1907/2006`."""

NEAR = 12
"""Elements behind a heading in which the name of the act is looked for."""


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
    """Return the text of a heading without menus that are in it."""
    if not has_blocks(heading) or not (heading.text or "").strip():
        return visible_text(heading)
    return plain(heading.text or "")

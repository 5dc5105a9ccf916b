"""Write changes of law as an Atom feed (RFC 4287)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from html import escape
from uuid import NAMESPACE_URL, uuid5
from xml.etree.ElementTree import Element, SubElement, indent, register_namespace, tostring

from generation.text.sanitize import printable
from rirag.reports.comparison import difference_html
from search.versions.changes import Affected, Amendment
from search.versions.compare import Change

ATOM = "http://www.w3.org/2005/Atom"
MEDIA_TYPE = "application/atom+xml"

Address = Callable[[Amendment, Change], str]
"""Returns the address of a page that shows a change."""


def atom(amendments: Sequence[Amendment], url: str, address: Address | None = None) -> str:
    """Return a feed with an entry for each change, under an ID that stays the same.

    Args:
        amendments: what changed, the latest first.
        url: of the feed, or of the index that it is about; its ID follows from it.
        address: of the page of a change; None: there is none.
    """
    register_namespace("", ATOM)
    feed = Element(f"{{{ATOM}}}feed")
    _add(feed, "id", _urn("feed", url))
    _add(feed, "title", "Changes of law")
    _add(
        feed, "updated", _moment(max((one.valid_from for one in amendments), default="1970-01-01"))
    )
    _add(_add(feed, "author"), "name", "rirag")
    if "://" in url:
        _add(feed, "link", rel="self", href=url)
    seen = Counter[tuple[str, ...]]()
    for amendment in amendments:
        for change in amendment.comparison.changes:
            entry = _entry(feed, amendment, change, seen)
            if address is not None:
                _add(entry, "link", rel="alternate", href=address(amendment, change))
    indent(feed)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(feed, encoding="unicode") + "\n"


def _entry(
    feed: Element, amendment: Amendment, change: Change, seen: Counter[tuple[str, ...]]
) -> Element:
    document_id = amendment.comparison.document_id
    entry = _add(feed, "entry")
    names = (change.change, change.old_number or "", change.number)
    key = (document_id, amendment.valid_from, *names)
    _add(entry, "id", _urn(*key, *("again" for _ in range(seen[key]))))
    seen[key] += 1  # a number may stand twice in a work
    _add(entry, "title", f"{change.headline()} ({amendment.document_title})")
    _add(entry, "updated", _moment(amendment.valid_from))
    _add(entry, "category", term=document_id, label=amendment.document_title)
    affects = [one for one in amendment.affects if one.number == change.number]
    _add(entry, "content", "".join(_content(change, affects)), type="html")
    return entry


def affected_line(one: Affected) -> str:
    """Return what an affected text is, in a line."""
    return f"{one.kind.replace('-', ' ')} {one.id}: {one.text}"


def _content(change: Change, affects: Sequence[Affected]) -> Iterator[str]:
    """Yield the HTML of an entry, in which no text of a source is markup."""
    text = difference_html(change.diff or (("equal", change.after or change.before or ""),))
    yield f"<p>{text.strip()}</p>".replace("\n", "<br>")
    if affects:
        items = "".join(f"<li>{escape(affected_line(one))}</li>" for one in affects)
        yield f"<p>Affects:</p><ul>{items}</ul>"


def _add(parent: Element, name: str, text: str = "", **attributes: str) -> Element:
    found = SubElement(
        parent, f"{{{ATOM}}}{name}", {key: printable(one) for key, one in attributes.items()}
    )
    found.text = printable(text) or None
    return found


def _moment(day: str) -> str:
    return f"{day}T00:00:00Z"


def _urn(*parts: str) -> str:
    return uuid5(NAMESPACE_URL, "\n".join(("rirag", *parts))).urn
